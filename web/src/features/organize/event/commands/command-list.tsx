/** Commands of the shell, each with its purpose and a button that copies it. */
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { CommandLine } from "../../copy-button";
import styles from "./command-list.module.css";

/** Arguments that a copied command needs. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  init: " FOLDER",
  check: " --event DIR",
  apply: " --event DIR",
  pull: " --event DIR",
  rehearse: " --event DIR",
  restore: " FILE --data NEW",
  completions: " SHELL",
  action: " NAME --help",
  "attachments move": " --to URL",
  serve: " --data DIR",
};

export function CommandList({ names }: { names: readonly string[] }) {
  const { commands: words } = useOrganizeMessages().manage;
  return (
    <ul className={styles.list}>
      {names.map((name) => (
        <li key={name}>
          <CommandLine text={`flagship ${name}${ARGUMENTS[name] ?? ""}`} />
          <p className="org-note">{wordFor(words.purposes, name)}</p>
        </li>
      ))}
    </ul>
  );
}
