/** The rules page, from the event's `rules.md`, with a note if incorrect flags are stored. */
import { useRules } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { TextPage } from "../../ui/text-page/text-page";

export default function RulesPage() {
  const { loading, rules } = useMessages();
  const query = useRules();
  return (
    <TextPage
      title={rules.title}
      query={query}
      note={query.data?.keepsWrongTexts === true ? rules.keepsWrongTexts : undefined}
      loading={loading.rules}
    />
  );
}
