/** A custom page of the event, from `pages/*.md`. */
import { useOwnPage } from "../../api/queries";
import { useSite } from "../../api/site";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { TextPage } from "../../ui/text-page/text-page";

export default function OwnPage() {
  const { loading } = useMessages();
  const slug = useAddress().path.split("/")[2] ?? "";
  const link = useSite()?.pages.find((page) => page.slug === slug);
  const query = useOwnPage(slug);
  const title = query.data?.title ?? link?.title ?? "";
  return <TextPage title={title} query={query} loading={loading.page} />;
}
