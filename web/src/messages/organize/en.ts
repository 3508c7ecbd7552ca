/** The texts of the organizers' pages in English: in their chunks, which players never load. */
import { ACTIONS_EN } from "./actions-en";
import { consoleEn } from "./console-en";
import { pagesEn } from "./pages-en";
import { setupEn } from "./setup-en";

/** The known words by name; a name that is missing is shown as it is. */
type Words = Readonly<Record<string, string>>;

const ROLES: Words = {
  observer: "observer",
  author: "author",
  support: "support",
  organizer: "organizer",
  owner: "owner",
};

/** The server's errors by code; in English its own sentences are shown. */
const ERRORS: Words = {};

export const organizeEn = {
  pages: pagesEn,
  setup: setupEn,
  console: consoleEn,
  errors: ERRORS,
  roles: ROLES,
  actions: ACTIONS_EN,

  name: "Name",
  back: "Back",
  cancel: "Cancel",
  continue: "Continue",
  copied: "Copied.",
  copyFailed: "The browser did not copy: select the text and copy it.",
  loading: "Loading your account",
  insecure:
    "Browsers keep the sessions of organizers only over https. Open this page with an address " +
    "that begins with https, or on the server itself as localhost.",

  code: {
    label: "Six-digit code",
    fault: "The code has six digits.",
    recoveryLabel: "Recovery code",
    recoveryHint: "Each recovery code works once.",
    useRecovery: "Use a recovery code",
    useApp: "Use a code of the app",
    confirm: "Confirm",
    dialogTitle: "Second factor",
    dialogNote: "This needs your second factor. Enter the code that your app shows now.",
  },

  app: {
    note: "Scan the QR code with an authenticator app. It then shows a new code every 30 seconds.",
    qrCode: "QR code for the authenticator app",
    open: "Open in an app on this device",
    secret: "Or type this secret into the app:",
    copySecret: "Copy the secret",
  },

  recovery: {
    title: "Recovery codes",
    note:
      "Each code lets you in once when you do not have the app. They are shown only now: " +
      "keep them where you keep your passwords.",
    list: "Your recovery codes",
    copy: "Copy the codes",
    download: "Download the codes",
    saved: "I have saved them",
    fileTitle: (name: string, host: string) =>
      `Recovery codes of ${name} for ${host}. Each works once.`,
  },

  invite: {
    title: "Invitation",
    greeting: "You are invited as an organizer.",
    roles: "Roles",
    noToken: "This page needs the link of an invitation. Open the link again.",
    invalid:
      "This invitation has been used, or is older than 24 hours. Ask an owner for a new one.",
    passwordTitle: "Step 1 of 2: password",
    password: "Password",
    passwordHint: (min: number) => `At least ${min} characters`,
    factorTitle: "Step 2 of 2: second factor",
    finish: "Finish",
  },

  signIn: {
    title: "Organizers",
    password: "Password",
    button: "Sign in",
    codeNote: "Enter the code that your authenticator app shows now.",
    ended: "This took too long. Sign in again.",
  },

  account: {
    signOut: "Sign out",
    actionsTitle: "What you may do",
    challenges: "Your challenges",
    factorTitle: "Second factor",
    codesLeft: (left: number) =>
      left === 1 ? "1 recovery code is left." : `${left} recovery codes are left.`,
    fewCodes: "Replace the second factor to get ten new recovery codes.",
    replace: "Replace the second factor",
    replaceNote:
      "The old app and the old recovery codes work until you confirm the new app with a code. " +
      "Your other sessions end then. Your tokens keep working: end those that others may have.",
    replaceTitle: "New second factor",
    expired: "This took longer than 15 minutes. Begin again.",
  },

  sessions: {
    title: "Sessions and tokens",
    kinds: { session: "Session", token: "Token" } as Words,
    isCurrent: "this one",
    isUnproven: "without the second factor",
    created: (time: string) => `Created ${time}`,
    expires: (time: string) => `Expires ${time}`,
    end: "End",
    endOf: (kind: string, created: string) => `End: ${kind}, created ${created}`,
  },

  organizers: {
    title: "Organizers",
    loading: "Loading the organizers",
    add: "Add an organizer",
    enrolled: "enrolled",
    invited: "invited, not enrolled yet",
    challenges: (ids: string) => `Challenges: ${ids}`,
    roles: "Roles",
    rolesFault: "Choose at least one role.",
    challengesField: "Challenges",
    challengesNone: "There are no challenges yet. Make them first.",
    challengesFailed: "The challenges could not be loaded. Close this and try again.",
    nameHint: (min: number, max: number) => `${min} to ${max} characters`,
    nameFault: (min: number, max: number) => `A name has ${min} to ${max} characters.`,
    addButton: "Add",
    change: "Roles",
    changeOf: (name: string) => `Roles of ${name}`,
    changeNote: "A role that is taken away also ends the organizer's tokens.",
    save: "Save",
    reset: "Reset",
    resetOf: (name: string) => `Reset ${name}`,
    resetNote:
      "This takes the password and the second factor away and ends all sessions and tokens. " +
      "You get a new invitation link for the organizer.",
    remove: "Remove",
    removeOf: (name: string) => `Remove ${name}`,
    removeNote: "This ends all sessions and tokens. The organizer cannot sign in any more.",
  },

  invitation: {
    title: (name: string) => `Invitation for ${name}`,
    note: (until: string) =>
      "Give this link to the organizer and to nobody else. It is valid for 24 hours, until " +
      `${until}, and works once. It is not shown again.`,
    link: "Invitation link",
    copy: "Copy the link",
    done: "Done",
  },
};

/** The shape of a language file. */
export type OrganizeMessages = typeof organizeEn;
