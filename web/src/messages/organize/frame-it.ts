/** Italian messages of the bar, the rail and the command palette. */
import type { FrameMessages } from "./frame-en";

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const frameIt: FrameMessages = {
  find: "Cerca…",
  more: "Altro",
  menuOf: (name) => `Menu di ${name}`,
  asPlayer: "Vedi come giocatore",
  pending: {
    questions: (count) => some(count, "domanda aperta", "domande aperte"),
    mails: (count) => some(count, "e-mail non inviata", "e-mail non inviate"),
    errors: (count) => some(count, "sfida con errori", "sfide con errori"),
    warnings: (count) => some(count, "avviso di sistema", "avvisi di sistema"),
  },
  palette: {
    recent: "Recenti",
    pages: "Pagine",
    actions: "Azioni",
    hint: "Prova il nome di una pagina, impostazione, squadra o sfida, o un ID.",
    more: { import: "Importa squadre", ceremony: "Cerimonia" },
    words: {
      overview: "inizio quadro adesso attenzione",
      challenges: "compiti flag suggerimenti file categorie",
      teams: "giocatori utenti escludi e-mail password",
      submissions: "tentativi flag sbagliate corrette",
      messages: "domande risposte avvisi annunci notizie",
      event: "configurazione",
      auditLog: "cronologia giornale annulla azioni",
      account: "profilo password due fattori sessioni token API accesso dispositivi recupero",
      times: "inizio fine congelamento prolunga durata backup",
      settings: "configurazione opzioni",
      texts: "regole pagine testo markdown",
      brand: "logo colore tema carattere aspetto",
      results: "vincitori classifica CTFtime esporta svela cerimonia premiazione CSV XLSX",
      files: "cartella git pull apply event.toml differenze",
      people: "persone ruoli permessi invita titolare autore supporto",
      registration: "iscrizione aperta chiusa password studenti membri e-mail",
      limits: "limite rete proxy campus troppo veloce",
      privacy: "dati conservazione indirizzi cancella",
      name: "preparazione titolo fuso orario formato",
      rules: "preparazione",
      mail: "preparazione SMTP posta e-mail mittente prova",
      captcha: "preparazione robot altcha",
      challenge: "preparazione prima",
      start: "preparazione comincia",
      near: "quasi errore involucro maiuscole",
      evidence: "imbroglio condivisione sospetti coppie",
      import: "carica CSV foglio CTFd zip",
      "event.reveal": "cerimonia scongela finale vincitori podio premiazione",
      "event.pause": "ferma",
      "event.resume": "continua",
      "notice.post": "annuncio notizia messaggio tutti urgente",
      "team.test": "prova",
      keys: "tastiera aiuto",
      player: "sito classifica anteprima",
      out: "logout esci",
    },
  },
  times: (start, freeze, end) =>
    freeze === null
      ? `Inizio ${start}, fine ${end}`
      : `Inizio ${start}, congelamento ${freeze}, fine ${end}`,
};
