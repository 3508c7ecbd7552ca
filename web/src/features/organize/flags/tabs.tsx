/** The two parts of the page of flags: what teams sent, and what pairs of teams have in common. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMay } from "../frame/reading";
import { pageAddress, useView, useWhose } from "../frame/view";

export function Tabs() {
  const { flags: words, evidence } = useOrganizeMessages().pages;
  const whose = useWhose();
  const tab = useView()("tab");
  if (!useMay()("evidence.list")) return null;
  const tabs = [
    { name: "", text: words.title },
    { name: "evidence", text: evidence.title },
  ];
  return (
    <nav aria-label={words.tabs} className="org-tabs">
      {tabs.map(({ name, text }) => (
        <a
          key={name}
          href={pageAddress("/organize/flags", whose, { tab: name })}
          aria-current={tab === name ? "page" : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
