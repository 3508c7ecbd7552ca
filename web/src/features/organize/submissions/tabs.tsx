/** Sections of the Submissions page: submissions and evidence. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/queries";
import { type Changes, pageAddress, useScoreboardView, useView } from "../frame/view";

function useAddressOf(query: Changes): string {
  return pageAddress("/organize/submissions", useScoreboardView(), query);
}

function Tab(props: { text: string; query: Changes; isOpen: boolean; shortcut?: string }) {
  const { text, query, isOpen, shortcut } = props;
  const address = useAddressOf(query);
  useShortcut(shortcut ?? text, text, shortcut ? () => go(address) : undefined);
  return (
    <a href={address} aria-current={isOpen ? "page" : undefined} aria-keyshortcuts={shortcut}>
      {text} {shortcut && <KeyHint of={shortcut} />}
    </a>
  );
}

/** Filters that stay when near misses are opened. */
const KEPT = ["q", "team", "challenge", "network", "since", "from", "until"];

/** `n` opens the near misses. */
function useNearKey(): void {
  const { submissions: words } = useOrganizeMessages().pages;
  const view = useView();
  const kept = Object.fromEntries(KEPT.map((name) => [name, view(name) || undefined]));
  const near = useAddressOf({ ...kept, near: "any" });
  useShortcut("n", words.nearTab, () => go(near));
}

export function Tabs() {
  const { submissions: words, evidence } = useOrganizeMessages().pages;
  const seesEvidence = useMay()("evidence.list");
  const isEvidence = useView()("tab") === "evidence";
  useNearKey();
  if (!seesEvidence) return null;
  return (
    <nav aria-label={words.tabs} className="org-links org-tabs">
      <Tab text={words.list} query={{}} isOpen={!isEvidence} />
      <Tab text={evidence.title} query={{ tab: "evidence" }} isOpen={isEvidence} shortcut="e" />
    </nav>
  );
}
