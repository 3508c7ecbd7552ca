/** Translated role names, in the server's order. */
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";

export function Roles({ roles }: { roles: readonly string[] }) {
  const words = useOrganizeMessages();
  return <>{roles.map((role) => wordFor(words.roles, role)).join(", ")}</>;
}
