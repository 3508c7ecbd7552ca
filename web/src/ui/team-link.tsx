/** A team's name that leads to its page. Drawn again for another name only: a board has many. */
import { Link } from "@tanstack/react-router";
import { memo } from "react";

export const TeamLink = memo(function TeamLink({ name }: { name: string }) {
  return (
    <Link to="/team/$name" params={{ name }} title={name} className="team-link">
      <bdi>{name}</bdi>
    </Link>
  );
});
