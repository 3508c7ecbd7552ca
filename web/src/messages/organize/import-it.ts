/** The import of teams from a file, in Italian. */
import type { ImportMessages } from "./import-en";

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

export const importIt: ImportMessages = {
  button: "Importa squadre…",
  title: "Importa squadre da un file",
  intro:
    "Serve un file CSV. La prima riga dà il nome alle colonne: name ed email, e se li hai " +
    "country, student e password. Vedi che cosa farebbe il file prima che succeda qualcosa.",
  file: "File CSV",
  drop: "Puoi anche trascinarlo qui. Ha al massimo 16 MiB.",
  tooLarge:
    "Questo file ha più di 16 MiB, quindi non è stato inviato. Dividilo, oppure importalo sul " +
    "server con flagship team import.",
  unreadable: "Il browser non riesce a leggere questo file. Sceglilo di nuovo.",
  looking: "Guardo che cosa farebbe il file…",
  preview: (file) => `Che cosa farebbe ${file}`,

  unread: "Il file non è stato letto.",
  line: (line) => `Riga ${line}`,
  encodings: "In quale codifica questi nomi sono giusti?",
  readAs: (label) => `Leggi come ${label}`,
  noEncoding: "Se nessuna è giusta, salva il file in UTF-8 e sceglilo di nuovo.",
  found: (encoding, separator) =>
    `Il file è in ${encoding}, e le colonne sono separate da ${separator}.`,
  separators: {
    ",": "virgole",
    ";": "punti e virgola",
    "\t": "tabulazioni",
    "|": "barre verticali",
  },
  columns: (columns) => `Colonne: ${columns}.`,
  passedOver: (columns) => `Saltate: ${columns}.`,
  isNew: (count) => some(count, "nuova squadra", "nuove squadre"),
  there: (count) => `${count} già presenti, tralasciate`,
  waiting: (count) => `${count} iscritte ma non confermate, tralasciate`,
  listed: (count) => `${count} non in gara secondo questo elenco, tralasciate`,
  blank: (count) => some(count, "riga vuota, saltata", "righe vuote, saltate"),
  errors: (count) => some(count, "errore", "errori"),
  refused:
    "Finché una riga ha un errore non si importa nulla. Correggi il file e sceglilo di nuovo.",
  noneNew: "Il file non ha nuove squadre, quindi non c'è nulla da importare.",
  problems: "Righe da guardare",
  severities: { error: "errore", note: "nota" },
  moreProblems: (count) => some(count, "altro errore non elencato.", "altri errori non elencati."),
  rows: "Le prime nuove squadre",
  allRows: "Le nuove squadre",
  team: "Squadra",
  country: "Paese",
  student: "studenti",
  password: "con password",
  none: "–",

  mail: "Invia a ogni squadra un link per impostare la password",
  mailNote: (days) =>
    `Ogni link vale una volta, entro ${days} giorni. Senza un link e una password nel file, ` +
    "una squadra imposta la password con “Dimenticata”.",
  noMail:
    "Non si possono inviare link: questo server scrive le mail in file. Una squadra la cui " +
    "password non è nel file non può entrare finché non si imposta la posta.",
  submit: (count) => `Importa ${some(count, "squadra", "squadre")}`,
  importing: "Importazione… Le password nel file richiedono un momento.",

  done: (count) => some(count, "squadra importata", "squadre importate"),
  leftOut: (count) => `${some(count, "riga tralasciata", "righe tralasciate")}.`,
  mails: (count) => `${some(count, "mail da inviare", "mail da inviare")}.`,
  undoNote: "Annulla le toglie tutte, finché una di loro non ha giocato.",
  undo: "Annulla",
  another: "Importa un altro file",
  close: "Chiudi",
};
