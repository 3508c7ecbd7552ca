/** A page of the event's own, from `pages/*.md`. */
import { failureOf } from "../../api/client";
import { useOwnPage } from "../../api/queries";
import { useSite } from "../../api/site";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { TextPage } from "../../ui/text-page/text-page";

export default function OwnPage() {
  const { loading, translate } = useMessages();
  const slug = useAddress().path.split("/")[2] ?? "";
  const link = useSite()?.pages.find((page) => page.slug === slug);
  const { data, error, refetch } = useOwnPage(slug);
  return (
    <TextPage
      title={data?.title ?? link?.title ?? ""}
      html={data?.html}
      loading={loading.page}
      failure={error && translate(failureOf(error))}
      onRetry={() => void refetch()}
    />
  );
}
