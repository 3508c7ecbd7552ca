/** Checks of the event, and every command of the program: its page here, or why it has none. */
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { MENU } from "../../pages";
import { Checks } from "./checks";
import { CommandList } from "./command-list";
import commands from "./commands.json";
import styles from "./commands.module.css";

/** Commands of the shell by their purpose. */
export const GROUPS = {
  folder: ["init", "check", "apply", "pull"],
  server: ["serve", "doctor", "health", "restore", "attachments move", "rehearse", "journal head"],
  scripts: ["action", "pass verify", "pass secret", "completions", "openapi"],
} as const;

function Group({ name }: { name: keyof typeof GROUPS }) {
  const { commands: words } = useOrganizeMessages().manage;
  const { title, note } = words.groups[name];
  return (
    <div className={`org-card ${styles.card}`}>
      <div>
        <h3>{title}</h3>
        <p className="org-note">{note}</p>
      </div>
      <CommandList names={GROUPS[name]} />
    </div>
  );
}

function Shell() {
  const { commands: words } = useOrganizeMessages().manage;
  return (
    <section className={styles.part} aria-labelledby="shell-commands">
      <div>
        <h2 id="shell-commands">{words.shell}</h2>
        <p className="org-note">{words.shellNote}</p>
      </div>
      <div className={styles.groups}>
        <Group name="folder" />
        <Group name="server" />
        <Group name="scripts" />
      </div>
    </section>
  );
}

/** Name of the page at an address, with the name of its tab. */
function usePageName(): (address: string) => string {
  const pages = useOrganizeMessages().pages;
  const tabs: Readonly<Record<string, string>> = {
    ...pages.event.tabOf,
    evidence: pages.evidence.title,
  };
  return (address) => {
    const [path, search = ""] = address.split("?");
    const page = MENU.find((one) => one.path === path);
    const tab = tabs[new URLSearchParams(search).get("tab") ?? ""];
    const name = page ? pages[page.name].title : address;
    return tab ? `${name} › ${tab}` : name;
  };
}

/** Commands by the address of their page. */
function byPage(): readonly (readonly [string, readonly string[]])[] {
  const pages = new Map<string, string[]>();
  for (const [name, address] of Object.entries(commands.console)) {
    pages.set(address, [...(pages.get(address) ?? []), name]);
  }
  return [...pages];
}

function InConsole() {
  const { commands: words } = useOrganizeMessages().manage;
  const pageName = usePageName();
  return (
    <section className={styles.part} aria-labelledby="console-commands">
      <div>
        <h2 id="console-commands">{words.console}</h2>
        <p className="org-note">{words.consoleNote}</p>
      </div>
      <ul className={styles.pages}>
        {byPage().map(([address, names]) => (
          <li key={address}>
            <a href={address}>{pageName(address)}</a>
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <code>flagship {name}</code>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function Commands() {
  return (
    <div className={styles.commands}>
      <Checks />
      <Shell />
      <InConsole />
    </div>
  );
}
