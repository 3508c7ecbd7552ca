/** English words of the sheets: what a button does, the short names of actions, their hints. */
import { CONSOLE_ACTIONS, CONSOLE_HINTS, CONSOLE_VERBS } from "./console-en";
import { SET_ACTIONS, SET_HINTS, SET_VERBS } from "./event-en";

/** The known words by name; a name that is missing is shown as it is. */
type Words = Readonly<Record<string, string>>;

/** What a button does to its object. */
export const VERBS: Words = {
  "challenge.close": "Close",
  "challenge.create": "Make",
  "challenge.edit": "Save",
  "challenge.hide": "Hide",
  "challenge.rejudge": "Rejudge",
  "challenge.release": "Release",
  "challenge.status": "Set the status of",
  "event.pause": "Pause",
  "event.resume": "Resume",
  "event.reveal": "Reveal",
  "event.times": "Move the times of",
  "evidence.state": "Set the state of",
  "notice.correct": "Correct",
  "notice.post": "Post",
  "notice.withdraw": "Withdraw",
  "question.answer": "Answer",
  "question.close": "Close",
  "solve.withdraw": "Withdraw a solve of",
  "team.address": "Change the address of",
  "team.award": "Give points to",
  "team.ban": "Ban",
  "team.code": "Make a password code for",
  "team.confirm": "Confirm",
  "team.country": "Change the country of",
  "team.end_sessions": "End the sessions of",
  "team.hide": "Hide",
  "team.message": "Write to",
  "team.note": "Note about",
  "team.rename": "Rename",
  "team.resend": "Send a confirmation link to",
  "team.reset": "Send a password link to",
  "team.show": "Show",
  "team.unban": "Unban",
  ...SET_VERBS,
  ...CONSOLE_VERBS,
};

/** The short name of an action, on the button that opens its sheet. */
export const ACTIONS: Words = {
  "challenge.close": "Close",
  "challenge.create": "Make the challenge",
  "challenge.edit": "Edit",
  "challenge.hide": "Hide",
  "challenge.rejudge": "Rejudge",
  "challenge.release": "Release",
  "challenge.status": "Status",
  "event.pause": "Pause",
  "event.resume": "Resume",
  "event.reveal": "Reveal",
  "event.times": "Move the times",
  "evidence.state": "State",
  "notice.correct": "Correct",
  "notice.post": "New notice",
  "notice.withdraw": "Withdraw",
  "question.answer": "Answer",
  "question.close": "Close",
  "solve.withdraw": "Withdraw a solve",
  "team.address": "Change address",
  "team.award": "Points",
  "team.ban": "Ban",
  "team.code": "Password code",
  "team.confirm": "Confirm",
  "team.country": "Country",
  "team.end_sessions": "End sessions",
  "team.hide": "Hide",
  "team.message": "Message",
  "team.note": "Note",
  "team.rename": "Rename",
  "team.resend": "Resend confirmation",
  "team.reset": "Password link",
  "team.show": "Show",
  "team.unban": "Unban",
  ...SET_ACTIONS,
  ...CONSOLE_ACTIONS,
};

/** What an action does, in its sheet. */
export const HINTS: Words = {
  "challenge.rejudge":
    "Counts refused flags that the present flags accept, each at the time at which it was sent.",
  "event.pause": "No flag counts until the event is resumed. Pages and boards stay.",
  "event.reveal": "Everyone sees the final ranking. This cannot be undone.",
  "evidence.state": "The reason is the note that colleagues read beside the facts.",
  "team.address": "The address before gets a mail, and can stop the change for 24 hours.",
  "team.award": "The reason is kept for organizers. A negative number takes points.",
  "team.ban": "The team leaves the scoreboard and its sessions end. It may be unbanned.",
  "team.code": "A code that you tell the team sets a new password, once, within an hour.",
  "team.hide": "The team leaves the scoreboard and may go on playing.",
  "team.message":
    "The team reads it among its questions, and its open pages show it at once. It is plain text.",
  ...SET_HINTS,
  ...CONSOLE_HINTS,
};
