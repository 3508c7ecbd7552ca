/** The parts of the page of flags: what teams sent, how near, and what pairs of teams share. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/reading";
import { type Changes, pageAddress, useView, useWhose } from "../frame/view";

function Tab(props: { text: string; query: Changes; isOpen: boolean; shortcut?: string }) {
  const { text, query, isOpen, shortcut } = props;
  const address = pageAddress("/organize/flags", useWhose(), query);
  useShortcut(shortcut ?? text, text, shortcut ? () => go(address) : undefined);
  return (
    <a href={address} aria-current={isOpen ? "page" : undefined} aria-keyshortcuts={shortcut}>
      {text} {shortcut && <KeyHint of={shortcut} />}
    </a>
  );
}

/** The filters of flags that another part keeps. */
const KEPT = ["team", "challenge", "network", "from", "until"];

export function Tabs() {
  const { flags: words, evidence } = useOrganizeMessages().pages;
  const view = useView();
  const seesEvidence = useMay()("evidence.list");
  const isEvidence = seesEvidence && view("tab") === "evidence";
  const isNear = !isEvidence && view("near") === "any";
  const kept = Object.fromEntries(KEPT.map((name) => [name, view(name) || undefined]));
  return (
    <nav aria-label={words.tabs} className="org-tabs">
      <Tab text={words.title} query={kept} isOpen={!isEvidence && !isNear} />
      <Tab text={words.nearTab} query={{ ...kept, near: "any" }} isOpen={isNear} shortcut="n" />
      {seesEvidence && (
        <Tab text={evidence.title} query={{ tab: "evidence" }} isOpen={isEvidence} shortcut="e" />
      )}
    </nav>
  );
}
