/** Evidence about pairs of teams: dated signals with innocent explanations. */
import type { Fact, Pair } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useActorName } from "../audit-log/actor";
import { type Action, ActionButtons } from "../change/action-buttons";
import { Ago } from "../filters/ago";
import type { Filter } from "../filters/filters";
import { LooksBadge, useViewers } from "../frame/channel";
import { Empty } from "../frame/empty";
import { ListPage, ListState, Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useEvidence } from "../frame/queries";
import { type Mark, Status } from "../frame/status";
import { type Column, ROW_LINK, SecondLine, Table, useIsPhone } from "../frame/table";
import { ChallengeLink, PageLink, useView, ViewLink } from "../frame/view";
import { pairName } from "./names";
import styles from "./submissions.module.css";
import { Tabs } from "./tabs";

export function leftOf(
  pairs: readonly Pair[],
  filter: { q: string; state: string; kind: string },
): readonly Pair[] {
  const q = filter.q.trim().toLowerCase();
  return pairs.filter(({ teamName, otherName, state, facts }) => {
    return (
      `${teamName}\n${otherName ?? ""}`.toLowerCase().includes(q) &&
      (filter.state === "" || state === filter.state) &&
      (filter.kind === "" || facts.some(({ kind }) => kind === filter.kind))
    );
  });
}

/** Action that changes the state of a pair. Any state can follow any other. */
function stateAction({ teamName: team, otherName, state }: Pair): Action {
  const fixed = otherName ? { team, other: otherName } : { team };
  const object = otherName ? `${team}, ${otherName}` : team;
  return { action: "evidence.state", fixed, object, initial: { state }, key: "s" };
}

const MARKS: Readonly<Record<string, Mark>> = { new: "warn", looked_at: "good" };

function State({ state }: { state: string }) {
  const { evidence: words } = useOrganizeMessages().pages;
  return <Status mark={MARKS[state] ?? "hollow"}>{wordFor(words.states, state)}</Status>;
}

function FactItem({ fact, other }: { fact: Fact; other: string }) {
  const { evidence: words } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const { kind, by, challenges, times, teams, ofTeams, network, explanation } = fact;
  const explained = words.explanations[explanation.code];
  return (
    <li className="org-fact">
      <div>
        <p>
          <Moment ms={fact.at} /> <strong>{wordFor(words.kinds, kind)}</strong>
        </p>
        <p>
          <bdi>{words.said(kind, by ?? null, other)}</bdi>
          {times && times > 1 && `, ${words.times(times)}`}
          {teams && `; ${words.teams(teams, ofTeams ?? null)}`}
        </p>
        {network && (
          <p>
            <PageLink to="/organize/submissions" query={{ network }}>
              {network}
            </PageLink>
          </p>
        )}
        {challenges.map(({ challengeId, at, otherAt }) => (
          <p key={`${challengeId} ${at}`} className="org-note">
            <ChallengeLink id={challengeId} name={names[challengeId] ?? challengeId} />:{" "}
            <Moment ms={at} />
            {otherAt && (
              <>
                {" "}
                ({words.other} <Moment ms={otherAt} />)
              </>
            )}
          </p>
        ))}
      </div>
      <p className="org-harmless">
        <strong>{words.harmless}</strong>{" "}
        <span lang={explained ? undefined : "en"}>{explained ?? explanation.text}</span>
      </p>
    </li>
  );
}

/** Key of a signal. The index distinguishes signals of the same kind and time. */
function keyOf({ kind, at }: Fact, place: number): string {
  return `${kind} ${at} ${place}`;
}

function PairPanel({ pair }: { pair: Pair }) {
  const { evidence: words, teams } = useOrganizeMessages().pages;
  const actorName = useActorName();
  const { teamName, otherName, state, stateBy, stateAt, note, facts } = pair;
  const both = otherName ? [teamName, otherName] : [teamName];
  return (
    <Panel
      title={both.join(", ")}
      names={["pair"]}
      object={`team ${teamName}`}
      action={<ActionButtons name={both.join(", ")} actions={[stateAction(pair)]} />}
    >
      <p>
        <State state={state} />
        {stateBy && (
          <>
            {" "}
            <bdi>{actorName(stateBy)}</bdi>, <Moment ms={stateAt} />
          </>
        )}
        {note && (
          <>
            : <bdi>{note}</bdi>
          </>
        )}
      </p>
      <p className="org-note">{words.noVerdict}</p>
      <ul className="org-stream">
        {facts.map((fact, at) => (
          <FactItem
            key={keyOf(fact, facts.length - at)}
            fact={fact}
            other={both.find((name) => name !== fact.by) ?? teamName}
          />
        ))}
      </ul>
      <ul className="org-stack">
        {both.map((team) => (
          <li key={team} className="org-bar">
            <PageLink to="/organize/teams" query={{ team }}>
              {teams.team}: <bdi>{team}</bdi>
            </PageLink>
            {/* The page recommends asking the teams, so each gets a message button. */}
            <ActionButtons
              name={team}
              actions={[{ action: "team.message", fixed: { team }, object: team }]}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function useColumns(open: string): readonly Column<Pair>[] {
  const { evidence: words, auditLog } = useOrganizeMessages().pages;
  const whoLooks = useViewers();
  const actorName = useActorName();
  const isPhone = useIsPhone();
  const time: Column<Pair> = {
    word: words.last,
    className: styles.time ?? "",
    cell: ({ lastAt }) => <Ago ms={lastAt} />,
  };
  return [
    ...(isPhone ? [] : [time]),
    {
      word: words.pair,
      isName: true,
      cell: (pair) => (
        <>
          <ViewLink
            data-row
            className={ROW_LINK}
            changes={{ pair: pairName(pair) }}
            aria-current={pairName(pair) === open}
          >
            <bdi>{pair.teamName}</bdi>
            {pair.otherName && (
              <>
                , <bdi>{pair.otherName}</bdi>
              </>
            )}
          </ViewLink>{" "}
          <LooksBadge names={whoLooks(`team ${pair.teamName}`)} />
          {isPhone && (
            <SecondLine>
              <Ago ms={pair.lastAt} />
            </SecondLine>
          )}
        </>
      ),
    },
    {
      word: words.facts,
      cell: ({ facts }) => {
        const kinds = [...new Set(facts.map(({ kind }) => kind))];
        return kinds.map((kind) => wordFor(words.kinds, kind)).join(", ");
      },
    },
    { word: words.state, cell: ({ state }) => <State state={state} /> },
    {
      word: auditLog.who,
      className: "org-wide",
      cell: ({ stateBy }) => stateBy && <bdi>{actorName(stateBy)}</bdi>,
    },
  ];
}

function useFilters(): readonly Filter[] {
  const { evidence: words } = useOrganizeMessages().pages;
  return [
    { name: "state", label: words.state, words: words.states },
    { name: "kind", label: words.fact, words: words.kinds },
  ];
}

export function EvidenceTab() {
  const { pages, filters } = useOrganizeMessages();
  const { evidence: words, submissions, list } = pages;
  const view = useView();
  const evidence = useEvidence();
  const open = view("pair");
  const columns = useColumns(open);
  const pair = evidence.data?.pairs.find((one) => pairName(one) === open);
  const rowOf = (one: Pair) => ({ className: pairName(one) === open ? "org-row-open" : undefined });
  const filter = { q: view("q"), state: view("state"), kind: view("kind") };
  const left = evidence.data && leftOf(evidence.data.pairs, filter).length;
  return (
    <ListPage
      title={submissions.title}
      tabs={<Tabs />}
      search={{ name: "q", label: list.search }}
      filters={useFilters()}
      count={left ? filters.results(left) : ""}
      panel={pair && <PairPanel pair={pair} />}
    >
      <ListState of={evidence}>
        {({ pairs, more }) => {
          const rows = leftOf(pairs, filter);
          return (
            <>
              {rows.length > 0 && <p className="org-note">{words.noVerdict}</p>}
              {rows.length === 0 && (
                <Empty
                  title={pairs.length === 0 ? words.noneYet : words.none}
                  note={pairs.length === 0 && words.noneYetNote}
                />
              )}
              {rows.length > 0 && (
                <Table columns={columns} rows={rows} keyOf={pairName} row={rowOf} />
              )}
              {more > 0 && <p className="org-note">{words.more(more)}</p>}
            </>
          );
        }}
      </ListState>
    </ListPage>
  );
}
