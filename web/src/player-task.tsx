/**
 * An open challenge as players see it, for previews. It is made of the parts of the challenges page
 * and comes with that page's chunk.
 */
import type { Challenge } from "./api/calls";
import type { Derived } from "./domain/challenges";
import { chunkPart } from "./ui/chunk-part/chunk-part";

interface PlayerTaskProps {
  challenge: Derived<Challenge>;
  /** Challenge names by ID, for the requirements. */
  names: ReadonlyMap<string, string>;
}

const NOTHING = () => undefined;

export const PlayerTask = chunkPart<PlayerTaskProps>("challenges", async () => {
  const { Foot, Points, Solves, Tags, Text, Things } = await import("./features/challenges/page");
  function Task({ challenge, names }: PlayerTaskProps) {
    return (
      <>
        <p data-facts>
          <Points challenge={challenge} />
          <Solves challenge={challenge} />
          <Tags challenge={challenge} under={null} />
        </p>
        <Text challenge={challenge} names={names} board={null} />
        <Things challenge={challenge} />
        <div inert>
          <Foot challenge={challenge} moment={null} onSolved={NOTHING} />
        </div>
      </>
    );
  }
  return { default: Task };
});
