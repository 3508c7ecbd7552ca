/** Italian messages of the setup steps. */
import type { SetupMessages } from "./setup-en";

export const setupIt: SetupMessages = {
  title: "Prepara l'evento",
  progress: "Passi",
  count: (done, all) => `Passi fatti: ${done} di ${all}. Puoi saltarne qualsiasi.`,
  done: "fatto",
  save: "Salva e continua",
  skip: "Salta",
  fixed: "Impostato in event.toml: cambialo lì.",
  secrets: {
    set: "Già impostato. Lascia vuoto per mantenerlo.",
    environment: "Impostato da una variabile d'ambiente del server.",
    unset: "Conservato cifrato e non più mostrato.",
  },

  preview: {
    title: "Anteprima",
    show: "Mostra l'anteprima",
    hide: "Nascondi l'anteprima",
    note: "La pagina iniziale, come la vedono i giocatori prima dell'inizio",
    of: (name, dates) => `Pagina iniziale di ${name}. ${dates}`,
    unnamed: "Nome dell'evento",
  },

  name: {
    title: "Nome e orari",
    note: "Mostrati per primi ai giocatori. Puoi cambiare tutto dopo.",
    event: "Nome dell'evento",
    start: "Inizio",
    end: "Fine",
    freeze: "Congelamento",
    freezeAsk: "Congelare la classifica prima della fine?",
    freezeModes: { no: "No", hour: "Un'ora prima della fine", time: "A un'altra ora" },
    freezeNotes: {
      no: "Le squadre vedono ogni soluzione fino alla fine.",
      hour: "Nell'ultima ora, la classifica nasconde le nuove soluzioni delle altre squadre.",
      time: "Da quell'ora alla fine, la classifica nasconde le soluzioni delle altre squadre.",
    },
    revealAsk: "Mostrare la classifica finale a una cerimonia?",
    revealModes: { auto: "No, alla fine dell'evento", manual: "Sì, la rivela un organizzatore" },
    timezone: "Fuso orario dell'evento",
    timezoneHint: "Il fuso orario mostrato ai giocatori, come Europe/Rome",
    flagFormat: "Formato della flag",
    look: "Aspetto della pagina iniziale (facoltativo)",
    banner: "Motto",
    accent: "Colore d'accento",
    accentHint: "Come #0077cc. Logo, immagini e sponsor sono in Evento › Aspetto.",
    accentFault: "Un colore ha # e sei cifre o lettere da a a f, come #0077cc.",
  },

  rules: {
    title: "Regole",
    note: "Mostrate nella pagina delle regole.",
    fromFiles: "Le regole vengono da rules.md. Un testo scritto qui le sostituisce.",
    text: "Regole",
    hint: "Markdown. {start}, {end}, {freeze}, {length} e {flag_format} vengono riempiti.",
    template:
      "# Regole\n\nL'evento comincia alle {start} e dura {length}.\n\nUna flag ha la forma " +
      "`{flag_format}`.\n\n- Non condividere flag o soluzioni prima della fine.\n- Non " +
      "attaccare la piattaforma o le altre squadre.\n- Se qualcosa non è chiaro, chiedi agli " +
      "organizzatori.\n",
  },

  mail: {
    title: "E-mail",
    note: "Per i link di conferma e di reimpostazione della password.",
    transport: "Invio",
    file: "Scrivi in file sul server (per prove)",
    smtp: "Server SMTP",
    from: "Mittente",
    fromHint: "Un indirizzo, facoltativamente con un nome: La nostra CTF <ctf@example.org>",
    host: "Host SMTP",
    tls: "Cifratura",
    starttls: "STARTTLS",
    tlsAlways: "TLS (implicito)",
    noTls: "Nessuna",
    port: "Porta",
    portHint: "Lascia vuoto per quella predefinita",
    username: "Nome utente (facoltativo)",
    password: "Password",
    test: "Prova",
    testTo: "Invia un'e-mail di prova a",
    testSend: "Invia l'e-mail di prova",
    testing: "Invio in corso…",
    sent: "E-mail di prova inviata.",
    written:
      "L'e-mail di prova è stata scritta in data/mail. Nessuna e-mail lascia questa macchina.",
    notSent: "L'e-mail di prova non è stata inviata:",
  },

  players: {
    title: "Giocatori",
    note: "Come entrano le squadre, e come restano fuori i bot.",
    signupAsk: "Chi può iscriversi?",
    signupModes: { open: "Ogni squadra", closed: "Nessuno: gli organizzatori le aggiungono" },
    signupNotes: {
      open: "Le squadre si iscrivono sul sito, finché non chiudi le iscrizioni.",
      closed: "La pagina di iscrizione è chiusa. Importa le squadre nella pagina Squadre.",
    },
    opens: "Da (facoltativo)",
    closes: "Fino a (facoltativo)",
    maxTeams: "Al massimo questo numero di squadre (facoltativo)",
    waitingList: "Lista d'attesa",
    waitingListNote:
      "Quando l'evento è al completo, le squadre possono iscriversi e attendere un posto.",
    domains: "Solo con indirizzi e-mail di questi domini (facoltativo)",
    domainsNote: "Come studenti.example.org. Separane più d'uno con spazi.",
    confirm: "Le squadre confermano il loro indirizzo e-mail",
    confirmNote:
      "Una squadra gioca dopo aver aperto un link nella sua e-mail. Serve un server di posta.",
    studentLabel: "Testo della casella per studenti",
    studentNote:
      "Le squadre la possono spuntare all'iscrizione, per una classifica degli studenti. Vuoto: " +
      "il testo mostrato.",
    codesNote:
      "Crea i codici nella pagina Evento, sotto Iscrizione, prima di annunciare le iscrizioni.",
    networkAsk: "La maggior parte delle squadre è in una rete, come un campus o la sede?",
    networkModes: { no: "No", yes: "Sì, condividono un indirizzo" },
    networkNotes: {
      no: "Al massimo 20 iscrizioni all'ora da una rete.",
      yes: "Le iscrizioni per rete non sono limitate.",
    },
    captcha: "Captcha",
    captchaNote: "Impedisce ai bot di iscriversi e di indovinare le password.",
    altcha: "Incluso (proof of work ALTCHA)",
    off: "Nessuno",
    offNote: "Senza captcha, i bot possono iscriversi.",
    siteKey: "Chiave del sito",
    secret: "Segreto",
  },

  challenge: {
    title: "Prima sfida",
    note: "Visibile ai giocatori dall'inizio. Aggiungine altre nei file o nella pagina Sfide.",
    name: "Nome della sfida",
    category: "Categoria",
    text: "Descrizione",
    textHint: "Markdown",
    flag: "Flag",
    points: "Punti",
    button: "Crea e pubblica",
  },

  start: {
    title: "Inizio",
    unnamed: "Prima imposta nome e orari dell'evento.",
    note: (at) => `L'evento comincia automaticamente il ${at}.`,
    now: "Comincia subito",
    wait: "Aspetta l'ora d'inizio",
    started: (name) => `${name} è in corso.`,
    ended: (name) => `${name} è finito.`,
    players: "Sito dei giocatori",
    pages: "Pagine degli organizzatori",
  },
};
