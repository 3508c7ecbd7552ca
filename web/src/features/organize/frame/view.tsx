/** View state in the URL: filters, order, open row, tab, and public view. */
import type { ComponentProps, MouseEvent } from "react";
import { currentAddress, go, parseAddress, useAddress } from "../../../navigate";

/** Query parameters to change; empty or undefined ones are removed. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** Returns the query string with some parameters changed. */
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

/** Returns a reader of URL parameters; missing ones are empty. */
export function useView(): (name: string) => string {
  const query = new URLSearchParams(useAddress().search);
  return (name) => query.get(name) ?? "";
}

/** `public` in the public view, else undefined. */
export function useScoreboardView(): string | undefined {
  return useView()("view") === "public" ? "public" : undefined;
}

/** URL of another organizer page; of the view state, only the public view is kept. */
export function pageAddress(path: string, whose: string | undefined, query: Changes = {}): string {
  return path + withChanges("", { ...query, view: whose });
}

/** A link to another view of the page, which keeps its scroll position. */
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
  return <a {...rest} href={pageAddress(to, useScoreboardView(), query)} />;
}

/** Team name, linked to its panel. */
export function TeamLink({ team, ...rest }: { team: string; "data-row"?: boolean }) {
  return (
    <PageLink {...rest} to="/organize/teams" query={{ team }}>
      <bdi>{team}</bdi>
    </PageLink>
  );
}

/** Challenge name, linked to its panel. */
export function ChallengeLink({ id, name }: { id: string; name: string }) {
  return (
    <PageLink to="/organize/challenges" query={{ open: id }}>
      <bdi>{name}</bdi>
    </PageLink>
  );
}
