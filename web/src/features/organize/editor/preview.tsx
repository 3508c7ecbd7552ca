/** The challenge as players will see it, as the server renders it. */
import type { PreviewCard } from "../../../api/organize-sources";
import { withoutConnection } from "../../../domain/description";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Html } from "../../../ui/html/html";
import { Moment } from "../frame/moment";
import { useSizeText } from "./size";

interface PreviewProps {
  card: PreviewCard;
  nameOf: (id: string) => string;
}

export function Preview({ card, nameOf }: PreviewProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { challenges } = useMessages();
  const size = useSizeText();
  const { challengeName, value, categories, hints, connection, attachments } = card;
  return (
    <article className="org-card org-preview">
      <header>
        <h3>
          <bdi>{challengeName}</bdi>
        </h3>
        <p className="org-note">
          <strong>{challenges.points(value)}</strong> · {categories.join(", ")}
        </p>
        {card.requirements.length > 0 && (
          <p className="org-note">
            {challenges.solveFirst(card.requirements.map(nameOf).join(", "))}
          </p>
        )}
      </header>
      <Html html={withoutConnection(card.description, connection)} />
      {hints.map(({ id, html, at }, place) => (
        <section key={id} className="org-quote" aria-label={words.hint(place + 1)}>
          <p className="org-note">
            {words.hint(place + 1)}
            {at !== null && at !== undefined && (
              <>
                , {words.from} <Moment ms={at} />
              </>
            )}
          </p>
          <Html html={html} />
        </section>
      ))}
      {connection && (
        <p>
          <span className="org-note">{challenges.connection}</span> <code>{connection}</code>
        </p>
      )}
      {attachments.length > 0 && (
        <ul aria-label={challenges.attachments}>
          {attachments.map(({ name, bytes }) => (
            <li key={name}>
              <bdi>{name}</bdi>, {size(bytes)}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
