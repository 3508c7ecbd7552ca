/** English texts of the dialogs: verbs of submit buttons, labels of actions and their hints. */
import { CONSOLE_ACTIONS, CONSOLE_HINTS, CONSOLE_VERBS } from "./console-en";
import { SET_ACTIONS, SET_HINTS, SET_VERBS } from "./event-en";

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

/** Verbs of submit buttons, followed by the object. */
export const VERBS: Words = {
  "challenge.close": "Close",
  "challenge.create": "Create",
  "challenge.edit": "Save",
  "challenge.hide": "Hide",
  "challenge.rejudge": "Rejudge",
  "challenge.release": "Release",
  "challenge.status": "Set the status of",
  "event.pause": "Pause",
  "event.resume": "Resume",
  "event.reveal": "Reveal the scoreboard of",
  "event.times": "Change the times of",
  "evidence.state": "Review evidence on",
  "notice.correct": "Edit",
  "notice.post": "Post",
  "notice.withdraw": "Withdraw",
  "question.answer": "Answer",
  "question.close": "Close",
  "solve.withdraw": "Withdraw a solve of",
  "team.address": "Change the email of",
  "team.award": "Award points to",
  "team.ban": "Ban",
  "team.code": "Create a reset code for",
  "team.confirm": "Confirm the email of",
  "team.country": "Change the country of",
  "team.end_sessions": "Log out",
  "team.hide": "Hide",
  "team.message": "Write to",
  "team.note": "Add a note about",
  "team.rename": "Rename",
  "team.resend": "Send a confirmation link to",
  "team.reset": "Send a reset link to",
  "team.show": "Unhide",
  "team.unban": "Unban",
  ...SET_VERBS,
  ...CONSOLE_VERBS,
};

/** Labels of buttons that open a dialog. */
export const ACTIONS: Words = {
  "challenge.close": "Close challenge",
  "challenge.create": "Create challenge",
  "challenge.edit": "Edit",
  "challenge.hide": "Hide",
  "challenge.rejudge": "Rejudge",
  "challenge.release": "Release",
  "challenge.status": "Set status",
  "event.pause": "Pause",
  "event.resume": "Resume",
  "event.reveal": "Reveal scoreboard",
  "event.times": "Change times",
  "evidence.state": "Review",
  "notice.correct": "Edit",
  "notice.post": "New notice",
  "notice.withdraw": "Withdraw",
  "question.answer": "Answer",
  "question.close": "Close question",
  "solve.withdraw": "Withdraw solve",
  "team.address": "Change email",
  "team.award": "Award points",
  "team.ban": "Ban",
  "team.code": "Create reset code",
  "team.confirm": "Confirm email",
  "team.country": "Change country",
  "team.end_sessions": "Log out everywhere",
  "team.hide": "Hide",
  "team.message": "Message",
  "team.note": "Add note",
  "team.rename": "Rename",
  "team.resend": "Resend confirmation",
  "team.reset": "Send reset link",
  "team.show": "Unhide",
  "team.unban": "Unban",
  ...SET_ACTIONS,
  ...CONSOLE_ACTIONS,
};

/** Explanations of actions, shown in their dialogs. */
export const HINTS: Words = {
  "challenge.rejudge":
    "Credits incorrect submissions that the current flags accept, each at its original time.",
  "event.pause": "Flags are not accepted until you resume. Pages and the scoreboard stay up.",
  "event.reveal": "Everyone sees the final scoreboard. This cannot be undone.",
  "evidence.state": "The reason is shown to other organizers as a note.",
  "team.address": "The previous address is notified and can cancel the change for 24 hours.",
  "team.award": "Only organizers see the reason. A negative number deducts points.",
  "team.ban": "Removes the team from the scoreboard and ends its sessions. You can unban it later.",
  "team.code": "Read the code to the team. It sets a new password once and expires in an hour.",
  "team.hide": "Removes the team from the scoreboard. It can keep playing.",
  "team.message":
    "Appears among the team's questions, and immediately on its open pages. Plain text.",
  ...SET_HINTS,
  ...CONSOLE_HINTS,
};
