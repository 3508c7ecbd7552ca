/** English messages of the organizer pages, in chunks that players never load. */
import { ACTIONS_EN } from "./actions-en";
import { ceremonyEn } from "./ceremony-en";
import { consoleEn } from "./console-en";
import { dayEn } from "./day-en";
import { filtersEn } from "./filters-en";
import { frameEn } from "./frame-en";
import { listsEn } from "./lists-en";
import { manageEn } from "./manage-en";
import { pagesEn } from "./pages-en";
import { setupEn } from "./setup-en";

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

const ROLES: Words = {
  observer: "observer",
  author: "author",
  support: "support",
  organizer: "organizer",
  owner: "owner",
};

/** Server errors by code. Empty, because English shows the server's own sentences. */
const ERRORS: Words = {};

export const organizeEn = {
  pages: pagesEn,
  filters: filtersEn,
  frame: frameEn,
  lists: listsEn,
  setup: setupEn,
  console: consoleEn,
  ceremony: ceremonyEn,
  manage: manageEn,
  day: dayEn,
  errors: ERRORS,
  roles: ROLES,
  actions: ACTIONS_EN,

  name: "Name",
  back: "Back",
  cancel: "Cancel",
  continue: "Continue",
  copied: "Copied.",
  copyFailed: "Copy failed. Select the text and copy it manually.",
  loading: "Loading your account…",
  insecure:
    "Organizer sessions require HTTPS. Open this page over https://, or as localhost on the " +
    "server itself.",

  code: {
    label: "Six-digit code",
    fault: "Enter all six digits.",
    recoveryLabel: "Recovery code",
    recoveryHint: "Each recovery code works once.",
    useRecovery: "Use a recovery code",
    useApp: "Use a code from the app",
    confirm: "Confirm",
    dialogTitle: "Two-factor authentication",
    dialogNote: "Confirm it's you: enter the current code from your authenticator app.",
  },

  app: {
    note: "Scan the QR code with an authenticator app. It then shows a new code every 30 seconds.",
    qrCode: "QR code for the authenticator app",
    open: "Open in an app on this device",
    secret: "Or enter this key in the app:",
    copySecret: "Copy key",
  },

  recovery: {
    title: "Recovery codes",
    note:
      "Each code lets you log in once without the app. They are shown only now: " +
      "store them in your password manager.",
    list: "Your recovery codes",
    copy: "Copy codes",
    download: "Download codes",
    saved: "I've saved them",
    fileTitle: (name: string, host: string) =>
      `Recovery codes for ${name} at ${host}. Each code works once.`,
  },

  invite: {
    title: "Invitation",
    greeting: "You've been invited as an organizer.",
    roles: "Roles",
    noToken: "This page only works from an invitation link. Open the link again.",
    invalid: "This invitation has been used or has expired. Ask an owner for a new one.",
    passwordTitle: "Step 1 of 2: password",
    password: "Password",
    passwordHint: (min: number) => `At least ${min} characters`,
    factorTitle: "Step 2 of 2: two-factor authentication",
    finish: "Finish",
  },

  signIn: {
    title: "Organizers",
    password: "Password",
    button: "Log in",
    codeNote: "Enter the current code from your authenticator app.",
    ended: "The login timed out. Log in again.",
  },

  account: {
    signOut: "Log out",
    actionsTitle: "Your permissions",
    challenges: "Your challenges",
    factorTitle: "Two-factor authentication",
    codesLeft: (left: number) =>
      left === 1 ? "1 recovery code left." : `${left} recovery codes left.`,
    fewCodes: "Replace your authenticator to get ten new recovery codes.",
    replace: "Replace authenticator",
    replaceNote:
      "Your current app and recovery codes work until you confirm the new app with a code. Your " +
      "other sessions then end. API tokens keep working: revoke any that others may have.",
    replaceTitle: "New authenticator",
    expired: "This expired after 15 minutes. Start again.",
  },

  sessions: {
    title: "Sessions and API tokens",
    kinds: { session: "Session", token: "API token" } as Words,
    isCurrent: "current session",
    isUnproven: "two-factor not completed",
    created: (time: string) => `Created ${time}`,
    expires: (time: string) => `Expires ${time}`,
    end: "Revoke",
    endOf: (kind: string, created: string) => `Revoke ${kind}, created ${created}`,
  },

  organizers: {
    title: "Organizers",
    loading: "Loading organizers…",
    add: "Add organizer",
    enrolled: "active",
    invited: "invitation pending",
    challenges: (ids: string) => `Challenges: ${ids}`,
    roles: "Roles",
    rolesFault: "Choose at least one role.",
    challengesField: "Challenges",
    challengesNone: "No challenges yet. Create one first.",
    challengesFailed: "The challenges could not be loaded. Close this dialog and try again.",
    nameHint: (min: number, max: number) => `${min} to ${max} characters`,
    nameFault: (min: number, max: number) => `Use ${min} to ${max} characters.`,
    addButton: "Add",
    change: "Change roles",
    changeOf: (name: string) => `Change roles of ${name}`,
    changeNote: "Removing a role also revokes the organizer's API tokens.",
    save: "Save",
    reset: "Reset",
    resetOf: (name: string) => `Reset ${name}`,
    resetNote:
      "This removes the password and two-factor authentication and revokes all sessions and API " +
      "tokens. You get a new invitation link for this organizer.",
    remove: "Remove",
    removeOf: (name: string) => `Remove ${name}`,
    removeNote: "This revokes all sessions and API tokens. The organizer can no longer log in.",
  },

  invitation: {
    title: (name: string) => `Invitation for ${name}`,
    note: (until: string) =>
      "Give this link only to the organizer. It works once, expires in 24 hours " +
      `(${until}) and is not shown again.`,
    link: "Invitation link",
    copy: "Copy link",
    done: "Done",
  },
};

/** The shape of a language file. */
export type OrganizeMessages = typeof organizeEn;
