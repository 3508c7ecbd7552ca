/** Names of actors, as they are shown. */
import { useOrganizeMessages } from "../../../messages/organize/words";

/** Actor of actions that were performed on the command line, as the server stores it. */
export const COMMAND_LINE = "somebody at the command line";

export function useActorName(): (actor: string) => string {
  const { cli } = useOrganizeMessages().filters;
  return (actor) => (actor === COMMAND_LINE ? cli : actor);
}
