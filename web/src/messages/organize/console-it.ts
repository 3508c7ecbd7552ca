/** Italian messages for what only the command line could do before. */
import type { ConsoleMessages } from "./console-en";

export const CONSOLE_VERBS_IT: Readonly<Record<string, string>> = {
  "event.name": "Cambia",
};

export const CONSOLE_ACTS_IT: Readonly<Record<string, string>> = {
  "event.name": "Cambia",
};

export const consoleIt: ConsoleMessages = {
  reveal: {
    title: "Alla fine",
    of: (event) => `la rivelazione di ${event}`,
    modes: {
      auto: "mostra la classifica finale",
      manual: "resta congelata e aspetta la cerimonia",
    },
    notes: {
      auto: "Se la classifica è congelata, alla fine tutti vedono quella finale.",
      manual:
        "Se la classifica è congelata, lo resta anche dopo la fine, finché un organizzatore preme " +
        "Rivela.",
    },
    becomes: (before, after) => `Alla fine: ${before} → ${after}`,
    change: "Cambia la rivelazione…",
  },
};
