/** Italian messages of the team import. */
import type { ImportMessages } from "./import-en";

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

export const importIt: ImportMessages = {
  button: "Importa squadre…",
  title: "Importa squadre da un file",
  intro:
    "Scegli un file CSV. La prima riga dà il nome alle colonne: name ed email, e se vuoi " +
    "country, student e password. Vedi un'anteprima prima di importare.",
  file: "File CSV",
  drop: "Oppure trascina il file qui. Fino a 16 MiB.",
  tooLarge:
    "Questo file supera 16 MiB, quindi non è stato caricato. Dividilo, oppure importalo sul " +
    "server con flagship team import.",
  unreadable: "Il browser non riesce a leggere questo file. Sceglilo di nuovo.",
  looking: "Caricamento dell'anteprima…",
  preview: (file) => `Anteprima di ${file}`,

  unread: "Non è stato possibile leggere il file.",
  line: (line) => `Riga ${line}`,
  encodings: "Quale codifica mostra correttamente questi nomi?",
  readAs: (label) => `Leggi come ${label}`,
  noEncoding: "Se nessuna è corretta, salva il file in UTF-8 e sceglilo di nuovo.",
  found: (encoding, separator) =>
    `Codifica: ${encoding}. Le colonne sono separate da ${separator}.`,
  separators: {
    ",": "virgole",
    ";": "punti e virgola",
    "\t": "tabulazioni",
    "|": "barre verticali",
  },
  columns: (columns) => `Colonne: ${columns}.`,
  passedOver: (columns) => `Ignorate: ${columns}.`,
  isNew: (count) => some(count, "nuova squadra", "nuove squadre"),
  there: (count) =>
    `${some(count, "squadra già presente, saltata", "squadre già presenti, saltate")}`,
  waiting: (count) =>
    `${some(count, "squadra non confermata, saltata", "squadre non confermate, saltate")}`,
  listed: (count) => `${count} escluse, nascoste o non confermate nel file, saltate`,
  blank: (count) => some(count, "riga vuota, saltata", "righe vuote, saltate"),
  errors: (count) => some(count, "errore", "errori"),
  refused:
    "Finché una riga ha un errore non si importa nulla. Correggi il file e sceglilo di nuovo.",
  noneNew: "Il file non ha nuove squadre, quindi non c'è nulla da importare.",
  problems: "Righe con problemi",
  severities: { error: "errore", note: "nota" },
  moreProblems: (count) => some(count, "altro errore non elencato.", "altri errori non elencati."),
  rows: "Prime nuove squadre",
  allRows: "Nuove squadre",
  team: "Squadra",
  country: "Paese",
  student: "studenti",
  password: "con password",
  none: "–",

  mail: "Invia a ogni squadra un link per impostare la password",
  mailNote: (days) =>
    `Ogni link vale una volta e scade dopo ${days} giorni. Senza un link e una password nel ` +
    "file, una squadra imposta la password con “Password dimenticata?”.",
  noMail:
    "Non si possono inviare link: questo server scrive le e-mail in file. Una squadra senza " +
    "password nel file non può accedere finché non imposti l'e-mail.",
  submit: (count) => `Importa ${some(count, "squadra", "squadre")}`,
  importing: "Importazione… Se il file ha password, serve più tempo.",

  done: (count) => some(count, "squadra importata", "squadre importate"),
  leftOut: (count) => `${some(count, "riga saltata", "righe saltate")}.`,
  mails: (count) => `${count} e-mail in coda.`,
  undoNote: "Annulla le rimuove tutte. È possibile finché nessuna di loro ha giocato.",
  undo: "Annulla",
  another: "Importa un altro file",
  close: "Chiudi",
};
