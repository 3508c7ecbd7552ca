/** The rules page, from the event's `rules.md`, and what organizers see of wrong flags. */
import { failureOf } from "../../api/client";
import { useRules } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { TextPage } from "../../ui/text-page/text-page";

export default function RulesPage() {
  const { loading, rules, translate } = useMessages();
  const { data, error, refetch } = useRules();
  return (
    <TextPage
      title={rules.title}
      html={data?.html}
      note={data?.keepsWrongTexts === true ? rules.keepsWrongTexts : undefined}
      loading={loading.rules}
      failure={error && translate(failureOf(error))}
      onRetry={() => void refetch()}
    />
  );
}
