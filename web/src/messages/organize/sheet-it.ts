/** Italian texts of the dialogs: verbs of submit buttons, labels of actions and their hints. */
import { CONSOLE_ACTIONS_IT, CONSOLE_HINTS_IT, CONSOLE_VERBS_IT } from "./console-it";
import { SET_ACTIONS_IT, SET_HINTS_IT, SET_VERBS_IT } from "./event-it";

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

/** Verbs of submit buttons, followed by the object. */
export const VERBS_IT: Words = {
  "challenge.close": "Chiudi",
  "challenge.create": "Crea",
  "challenge.edit": "Salva",
  "challenge.hide": "Nascondi",
  "challenge.rejudge": "Rigiudica",
  "challenge.release": "Pubblica",
  "challenge.status": "Imposta lo stato di",
  "code.make": "Crea",
  "code.revoke": "Revoca",
  "event.pause": "Metti in pausa",
  "event.resume": "Riprendi",
  "event.reveal": "Rivela la classifica di",
  "event.times": "Cambia gli orari di",
  "evidence.state": "Esamina gli indizi su",
  "hint.free": "Rendi gratuito",
  "notice.correct": "Modifica",
  "notice.post": "Pubblica",
  "notice.withdraw": "Ritira",
  "question.answer": "Rispondi a",
  "question.close": "Chiudi",
  "solve.withdraw": "Ritira una soluzione di",
  "team.address": "Cambia l'e-mail di",
  "team.admit": "Dai un posto a",
  "team.award": "Assegna punti a",
  "team.ban": "Escludi",
  "team.code": "Crea un codice di reimpostazione per",
  "team.confirm": "Conferma l'e-mail di",
  "team.country": "Cambia il paese di",
  "team.divisions": "Imposta le divisioni di",
  "team.end_sessions": "Disconnetti",
  "team.hide": "Nascondi",
  "team.message": "Scrivi a",
  "team.note": "Aggiungi una nota su",
  "team.rename": "Rinomina",
  "team.resend": "Invia un link di conferma a",
  "team.reset": "Invia un link di reimpostazione a",
  "team.show": "Mostra",
  "team.unban": "Riammetti",
  ...SET_VERBS_IT,
  ...CONSOLE_VERBS_IT,
};

/** Labels of buttons that open a dialog. */
export const ACTIONS_IT: Words = {
  "challenge.close": "Chiudi la sfida",
  "challenge.create": "Crea la sfida",
  "challenge.edit": "Modifica",
  "challenge.hide": "Nascondi",
  "challenge.rejudge": "Rigiudica",
  "challenge.release": "Pubblica",
  "challenge.status": "Imposta lo stato",
  "code.make": "Crea codici",
  "code.revoke": "Revoca",
  "event.pause": "Pausa",
  "event.resume": "Riprendi",
  "event.reveal": "Rivela la classifica",
  "event.times": "Cambia gli orari",
  "evidence.state": "Esamina",
  "hint.free": "Rendi gratuito il suggerimento",
  "notice.correct": "Modifica",
  "notice.post": "Nuovo avviso",
  "notice.withdraw": "Ritira",
  "question.answer": "Rispondi",
  "question.close": "Chiudi la domanda",
  "solve.withdraw": "Ritira la soluzione",
  "team.address": "Cambia e-mail",
  "team.admit": "Dai un posto",
  "team.award": "Assegna punti",
  "team.ban": "Escludi",
  "team.code": "Crea codice di reimpostazione",
  "team.confirm": "Conferma l'e-mail",
  "team.country": "Cambia paese",
  "team.divisions": "Imposta divisioni",
  "team.end_sessions": "Disconnetti ovunque",
  "team.hide": "Nascondi",
  "team.message": "Messaggio",
  "team.note": "Aggiungi nota",
  "team.rename": "Rinomina",
  "team.resend": "Invia di nuovo la conferma",
  "team.reset": "Invia link di reimpostazione",
  "team.show": "Mostra",
  "team.unban": "Riammetti",
  ...SET_ACTIONS_IT,
  ...CONSOLE_ACTIONS_IT,
};

/** Explanations of actions, shown in their dialogs. */
export const HINTS_IT: Words = {
  "challenge.rejudge":
    "Accredita gli invii sbagliati che le flag attuali accettano, ciascuno alla sua ora " +
    "originale. Non restituisce tentativi: se la sfida li limita, restituiscili a parte.",
  "code.revoke":
    "Nessun'altra squadra potrà iscriversi con questo codice. Le squadre già iscritte restano.",
  "event.pause":
    "Le flag non sono accettate finché non riprendi. Pagine e classifica restano disponibili.",
  "event.reveal": "Tutti vedono la classifica finale. Non si può annullare.",
  "evidence.state": "Il motivo è mostrato agli altri organizzatori come nota.",
  "team.address": "L'indirizzo precedente viene avvisato, e per 24 ore può annullare il cambio.",
  "team.admit": "La squadra partecipa da ora, anche se l'evento è al completo, e riceve un'e-mail.",
  "team.award": "Solo gli organizzatori vedono il motivo. Un numero negativo toglie punti.",
  "team.ban":
    "Toglie la squadra dalla classifica e termina le sue sessioni. Puoi riammetterla in seguito.",
  "team.code":
    "Leggi il codice alla squadra. Imposta una nuova password una volta e scade dopo un'ora.",
  "team.divisions": "Le divisioni private sono visibili solo agli organizzatori.",
  "team.hide": "Toglie la squadra dalla classifica. Può continuare a giocare.",
  "team.message":
    "Appare tra le domande della squadra, e subito sulle sue pagine aperte. Testo semplice.",
  ...SET_HINTS_IT,
  ...CONSOLE_HINTS_IT,
};
