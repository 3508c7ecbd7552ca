/** Italian words of the sheets: what a button does, the short names of actions, their hints. */
import { CONSOLE_ACTIONS_IT, CONSOLE_HINTS_IT, CONSOLE_VERBS_IT } from "./console-it";
import { SET_ACTIONS_IT, SET_HINTS_IT, SET_VERBS_IT } from "./event-it";

/** The known words by name; a name that is missing is shown as it is. */
type Words = Readonly<Record<string, string>>;

/** What a button does to its object. */
export const VERBS_IT: Words = {
  "challenge.close": "Chiudi",
  "challenge.create": "Crea",
  "challenge.edit": "Salva",
  "challenge.hide": "Nascondi",
  "challenge.rejudge": "Rigiudica",
  "challenge.release": "Pubblica",
  "challenge.status": "Imposta lo stato di",
  "event.pause": "Metti in pausa",
  "event.resume": "Riprendi",
  "event.reveal": "Rivela",
  "event.times": "Sposta gli orari di",
  "evidence.state": "Imposta lo stato di",
  "notice.correct": "Correggi",
  "notice.post": "Pubblica",
  "notice.withdraw": "Ritira",
  "question.answer": "Rispondi a",
  "question.close": "Chiudi",
  "solve.withdraw": "Ritira una soluzione di",
  "team.address": "Cambia l'indirizzo di",
  "team.award": "Dai punti a",
  "team.ban": "Escludi",
  "team.code": "Crea un codice per la password di",
  "team.confirm": "Conferma",
  "team.country": "Cambia il paese di",
  "team.end_sessions": "Termina le sessioni di",
  "team.hide": "Nascondi",
  "team.message": "Scrivi a",
  "team.note": "Annota su",
  "team.rename": "Rinomina",
  "team.resend": "Invia un link di conferma a",
  "team.reset": "Invia un link per la password a",
  "team.show": "Mostra",
  "team.unban": "Riammetti",
  ...SET_VERBS_IT,
  ...CONSOLE_VERBS_IT,
};

/** The short name of an action, on the button that opens its sheet. */
export const ACTIONS_IT: Words = {
  "challenge.close": "Chiudi",
  "challenge.create": "Crea la sfida",
  "challenge.edit": "Modifica",
  "challenge.hide": "Nascondi",
  "challenge.rejudge": "Rigiudica",
  "challenge.release": "Pubblica",
  "challenge.status": "Stato",
  "event.pause": "Pausa",
  "event.resume": "Riprendi",
  "event.reveal": "Rivela",
  "event.times": "Sposta gli orari",
  "evidence.state": "Stato",
  "notice.correct": "Correggi",
  "notice.post": "Nuovo avviso",
  "notice.withdraw": "Ritira",
  "question.answer": "Rispondi",
  "question.close": "Chiudi",
  "solve.withdraw": "Ritira una soluzione",
  "team.address": "Cambia indirizzo",
  "team.award": "Punti",
  "team.ban": "Escludi",
  "team.code": "Codice per la password",
  "team.confirm": "Conferma",
  "team.country": "Paese",
  "team.end_sessions": "Termina le sessioni",
  "team.hide": "Nascondi",
  "team.message": "Messaggio",
  "team.note": "Nota",
  "team.rename": "Rinomina",
  "team.resend": "Invia di nuovo la conferma",
  "team.reset": "Link per la password",
  "team.show": "Mostra",
  "team.unban": "Riammetti",
  ...SET_ACTIONS_IT,
  ...CONSOLE_ACTIONS_IT,
};

/** What an action does, in its sheet. */
export const HINTS_IT: Words = {
  "challenge.rejudge":
    "Conta le flag rifiutate che quelle di adesso accettano, ciascuna all'ora del suo invio.",
  "event.pause": "Nessuna flag conta finché l'evento non riprende. Pagine e classifiche restano.",
  "event.reveal": "Tutti vedono la classifica finale. Non si può annullare.",
  "evidence.state": "Il motivo è la nota che i colleghi leggono accanto ai fatti.",
  "team.address": "L'indirizzo di prima riceve una mail, e per 24 ore può fermare il cambiamento.",
  "team.award":
    "Il motivo resta nel registro degli organizzatori. Un numero negativo toglie punti.",
  "team.ban": "La squadra lascia la classifica e le sue sessioni finiscono. Può essere riammessa.",
  "team.code":
    "Un codice da dire alla squadra imposta una nuova password, una volta, entro un'ora.",
  "team.hide": "La squadra lascia la classifica e può continuare a giocare.",
  "team.message":
    "La squadra lo legge tra le sue domande, e le sue pagine aperte lo mostrano subito. " +
    "È testo semplice.",
  ...SET_HINTS_IT,
  ...CONSOLE_HINTS_IT,
};
