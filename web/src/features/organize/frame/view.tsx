/** What a list shows is in the address: filters, order, open row, tab, and whose view it is. */
import type { ComponentProps, MouseEvent } from "react";
import { currentAddress, go, parseAddress, useAddress } from "../../../navigate";

/** The parameters to change; an empty or missing one disappears. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The query string with some parameters changed, the others kept. */
export function withChanges(search: string, changes: Changes): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

export function changeView(changes: Changes, { replace = false } = {}): void {
  const { path, search } = parseAddress(currentAddress());
  go(path + withChanges(search, changes), { replace, keepScroll: true });
}

/** The parameter of the address, empty if it is not there. */
export function useView(): (name: string) => string {
  const query = new URLSearchParams(useAddress().search);
  return (name) => query.get(name) ?? "";
}

/** `public` if what players see is shown. */
export function useWhose(): string | undefined {
  return useView()("view") === "public" ? "public" : undefined;
}

/** The address of another page of the organizers: only whose view it is goes along. */
export function pageAddress(path: string, whose: string | undefined, query: Changes = {}): string {
  return path + withChanges("", { ...query, view: whose });
}

/** A link to another view of the page, which stays where it is. */
export function ViewLink({ changes, ...rest }: { changes: Changes } & ComponentProps<"a">) {
  const { path, search } = useAddress();
  const onClick = (event: MouseEvent) => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || event.button !== 0) return;
    event.preventDefault();
    changeView(changes);
  };
  return <a {...rest} href={path + withChanges(search, changes)} onClick={onClick} />;
}

interface PageLinkProps extends ComponentProps<"a"> {
  to: string;
  query?: Changes;
}

export function PageLink({ to, query, ...rest }: PageLinkProps) {
  return <a {...rest} href={pageAddress(to, useWhose(), query)} />;
}

/** The name of a team, which leads to its panel. */
export function TeamLink({ team, ...rest }: { team: string; "data-row"?: boolean }) {
  return (
    <PageLink {...rest} to="/organize/teams" query={{ team }}>
      <bdi>{team}</bdi>
    </PageLink>
  );
}

/** The name of a challenge, which leads to its panel. */
export function ChallengeLink({ id, name }: { id: string; name: string }) {
  return (
    <PageLink to="/organize/challenges" query={{ open: id }}>
      <bdi>{name}</bdi>
    </PageLink>
  );
}
