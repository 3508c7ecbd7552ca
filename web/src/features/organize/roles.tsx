/** Names of roles in words, in the order of the server. */
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";

export function Roles({ roles }: { roles: readonly string[] }) {
  const words = useOrganizeMessages();
  return <>{roles.map((role) => wordFor(words.roles, role)).join(", ")}</>;
}
