/** Italian messages for what only the command line could do before. */
import type { ConsoleMessages } from "./console-en";

export const CONSOLE_VERBS_IT: Readonly<Record<string, string>> = {
  "event.name": "Cambia",
};

export const CONSOLE_ACTS_IT: Readonly<Record<string, string>> = {
  "event.name": "Cambia",
};

export const consoleIt: ConsoleMessages = {
  times: {
    is: (text) => `= ${text}.`,
    isHere: (text, here) => `= ${text}; su questo dispositivo ${here}.`,
    zoneUnknown: "Non esiste un fuso con questo nome. I nomi sono come Europe/Rome.",
    zone: (name) => `Secondo l'ora di ${name}`,
  },
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
        "Se la classifica è congelata, lo resta anche dopo la fine, finché chi organizza preme " +
        "Rivela.",
    },
    becomes: (before, after) => `Alla fine: ${before} → ${after}`,
    change: "Cambia la rivelazione…",
  },
};
