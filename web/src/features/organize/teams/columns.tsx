/** Columns of the team list, and what a row offers. */
import { useMemo } from "react";
import type { Team } from "../../../api/organize-lists";
import type { OrganizeMessages } from "../../../messages/organize/en";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Flag } from "../../../ui/flag/flag";
import { AskButton } from "../change/action-buttons";
import { usePerformOrder } from "../change/direct-action";
import { LooksBadge, useViewers } from "../frame/channel";
import { Moment } from "../frame/moment";
import { useMay, useOverview } from "../frame/queries";
import { RowMenu } from "../frame/row-menu";
import { Bar, type Column, ROW_LINK, RowActions, SecondLine, useIsPhone } from "../frame/table";
import { useScoreboardView, ViewLink } from "../frame/view";
import { useMenuEntries } from "../lists/panel-actions";
import { actionsOf, panelActions } from "./actions";
import { MailState } from "./mail";
import { TeamState } from "./state";
import styles from "./teams.module.css";

/** Resends the confirmation link at once, without a dialog. */
function Resend({ team }: { team: Team }) {
  const { sheet, teams: words } = useOrganizeMessages().pages;
  const doing = usePerformOrder();
  const { teamName } = team;
  const text = wordFor(sheet.actions, "team.resend");
  const order = actionsOf(team).find(({ action }) => action === "team.resend");
  if (!order) return null;
  return (
    <button
      type="button"
      className={styles.quick}
      aria-label={`${text}: ${teamName}`}
      aria-disabled={doing.isPending}
      onClick={() => doing.isPending || doing.mutate({ order, reason: words.resendReason })}
    >
      {text}
    </button>
  );
}

/** Actions with a button in the row. */
const QUICK = ["team.message", "team.code"];

function ActionsOfRow({ team }: { team: Team }) {
  const { list, sheet } = useOrganizeMessages().pages;
  const may = useMay();
  const entriesOf = useMenuEntries();
  const { teamName } = team;
  const actions = actionsOf(team).filter(({ action }) => may(action));
  const quick = team.standing === "unconfirmed" ? [] : QUICK;
  return (
    <RowActions
      quick={quick
        .flatMap((name) => actions.find(({ action }) => action === name) ?? [])
        .map(({ key: _, ...order }) => {
          const text = wordFor(sheet.actions, order.action);
          return (
            <AskButton
              key={order.action}
              order={order}
              text={text}
              label={`${text}: ${teamName}`}
            />
          );
        })}
      menu={
        actions.length > 0 && (
          <RowMenu label={list.actions(teamName)} items={() => entriesOf(panelActions(team))} />
        )
      }
    />
  );
}

const placeOf = (team: Team, isPublic: boolean) => (isPublic ? null : team.truth) ?? team.public;

function Name({ team, open }: { team: Team; open: string }) {
  const { teamName: name, country } = team;
  const whoLooks = useViewers();
  return (
    <span className={styles.name}>
      <Flag code={country} />
      <ViewLink
        data-row
        data-id={name}
        className={ROW_LINK}
        changes={{ team: name }}
        aria-current={name === open}
      >
        <bdi>{name}</bdi>
      </ViewLink>
      <LooksBadge names={whoLooks(`team ${name}`)} />
    </span>
  );
}

interface Shown {
  words: OrganizeMessages["pages"]["teams"];
  lists: OrganizeMessages["lists"];
  /** Text of a missing number. */
  none: string;
  open: string;
  isPublic: boolean;
  isFrozen: boolean;
  isPhone: boolean;
  /** Columns that would be empty, or that the role does not see. */
  hasStanding: boolean;
  hasMail: boolean;
  hasAwards: boolean;
  solvesMax: number;
}

const NUMBER = "org-number";
const WIDE = "org-number org-wide";
const SPARE = "org-number org-wide org-spare";

function nameColumn({ words, lists, open, isPublic, isPhone }: Shown): Column<Team> {
  return {
    word: words.team,
    isName: true,
    cell: (team) => (
      <>
        <Name team={team} open={open} />
        {isPhone && (
          <SecondLine>
            <TeamState standing={team.standing} />
            <span>{lists.solvesOf(placeOf(team, isPublic)?.solves ?? 0)}</span>
            <MailState team={team} />
          </SecondLine>
        )}
      </>
    ),
  };
}

function mailColumn({ words }: Shown): Column<Team> {
  return {
    word: words.mail,
    className: "org-wide",
    cell: (team) => (
      <span className={styles.mail}>
        <MailState team={team} /> {team.standing === "unconfirmed" && <Resend team={team} />}
      </span>
    ),
  };
}

/** Columns of numbers, from the rank to the last solve. */
function figuresOf({ words, none, isPublic, solvesMax }: Shown) {
  const place = (team: Team) => placeOf(team, isPublic);
  const rank: Column<Team> = {
    word: words.rank,
    order: "",
    isAscending: true,
    className: `${NUMBER} ${styles.rank}`,
    cell: (team) => place(team)?.rank ?? none,
  };
  const rankShown: Column<Team> = {
    word: words.rankShown,
    className: WIDE,
    cell: ({ truth, public: shown }) =>
      truth && shown?.rank !== truth.rank ? (shown?.rank ?? "") : "",
  };
  const points: Column<Team> = {
    word: words.points,
    className: NUMBER,
    cell: (team) => place(team)?.points ?? none,
  };
  const solves: Column<Team> = {
    word: words.solves,
    className: WIDE,
    cell: (team) => <Bar value={place(team)?.solves ?? 0} max={solvesMax} />,
  };
  const award: Column<Team> = {
    word: words.award,
    className: SPARE,
    cell: (team) => place(team)?.award || "",
  };
  const lastSolve: Column<Team> = {
    word: words.lastSolve,
    className: SPARE,
    cell: (team) => <Moment ms={place(team)?.lastSolveAt} />,
  };
  return { rank, rankShown, points, solves, award, lastSolve };
}

function columnsOf(shown: Shown, check: Column<Team> | undefined): readonly Column<Team>[] {
  const { rank, rankShown, points, solves, award, lastSolve } = figuresOf(shown);
  const { words, isFrozen, isPublic, hasStanding, hasMail, hasAwards } = shown;
  const name = nameColumn(shown);
  const actions: Column<Team> = {
    className: "org-row-actions",
    cell: (team) => <ActionsOfRow team={team} />,
  };
  const standing: Column<Team> = {
    word: words.standing,
    cell: (team) => <TeamState standing={team.standing} />,
  };
  const first = check ? [check, rank] : [rank];
  if (shown.isPhone) return [...first, name, points, actions];
  return [
    ...first,
    ...(isFrozen && !isPublic ? [rankShown] : []),
    name,
    ...(hasStanding ? [standing] : []),
    points,
    solves,
    ...(hasAwards ? [award] : []),
    lastSolve,
    ...(hasMail ? [mailColumn(shown)] : []),
    actions,
  ];
}

/** Table columns, on phones with two lines a row; `hasStanding` is true if the role sees emails. */
export function useColumns(
  rows: readonly Team[],
  open: string,
  hasStanding: boolean,
  check: Column<Team> | undefined,
): readonly Column<Team>[] {
  const { pages, lists } = useOrganizeMessages();
  const { teams: words, list } = pages;
  const { none } = list;
  const isPublic = useScoreboardView() === "public";
  const isFrozen = useOverview().data?.isFrozen ?? false;
  const isPhone = useIsPhone();
  const solvesMax = Math.max(1, ...rows.map((team) => placeOf(team, isPublic)?.solves ?? 0));
  const hasAwards = rows.some((team) => placeOf(team, isPublic)?.award);
  const isMailed = rows.some((team) => team.mail || team.standing === "unconfirmed");
  const hasMail = hasStanding && isMailed;
  const view = useMemo(
    () => ({ words, lists, none, open, isPublic, isFrozen, isPhone }),
    [words, lists, none, open, isPublic, isFrozen, isPhone],
  );
  return useMemo(
    () => columnsOf({ ...view, hasStanding, hasMail, hasAwards, solvesMax }, check),
    [view, hasStanding, hasMail, hasAwards, solvesMax, check],
  );
}
