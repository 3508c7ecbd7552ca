/** What pairs of teams have in common: dated facts, and beside each why it may mean nothing. */
import type { Fact, Pair } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { type Action, ActionButtons } from "../change/action-buttons";
import { LooksBadge, useWhoLooks } from "../frame/channel";
import { ChoiceFilter, ListPage, ListState, Panel, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useEvidence } from "../frame/reading";
import { type Column, Table } from "../frame/table";
import { ChallengeLink, PageLink, useView, ViewLink } from "../frame/view";
import { Tabs } from "./tabs";

export function pairName({ teamName, otherName }: Pair): string {
  return JSON.stringify(otherName ? [teamName, otherName] : [teamName]);
}

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

/** Three states, of which each may follow each other one. */
function stateAction({ teamName: team, otherName, state }: Pair): Action {
  const fixed = otherName ? { team, other: otherName } : { team };
  const object = otherName ? `${team}, ${otherName}` : team;
  return { action: "evidence.state", fixed, object, initial: { state }, key: "s" };
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
            <PageLink to="/organize/flags" query={{ network }}>
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

/** Two facts of a kind may have the same time: the place in the list tells them apart. */
function keyOf({ kind, at }: Fact, place: number): string {
  return `${kind} ${at} ${place}`;
}

function PairPanel({ pair }: { pair: Pair }) {
  const { evidence: words, teams } = useOrganizeMessages().pages;
  const { teamName, otherName, state, stateBy, stateAt, note, facts } = pair;
  const both = otherName ? [teamName, otherName] : [teamName];
  return (
    <Panel title={both.join(", ")} names={["pair"]} object={`team ${teamName}`}>
      <ActionButtons name={both.join(", ")} actions={[stateAction(pair)]} />
      <p>
        <strong>{wordFor(words.states, state)}</strong>
        {stateBy && (
          <>
            , <bdi>{stateBy}</bdi>, <Moment ms={stateAt} />
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
            {/* The page says to ask the teams: each can be written to. */}
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
  const { evidence: words, log } = useOrganizeMessages().pages;
  const whoLooks = useWhoLooks();
  return [
    { word: words.last, cell: ({ lastAt }) => <Moment ms={lastAt} /> },
    {
      word: words.pair,
      isName: true,
      cell: (pair) => (
        <>
          <ViewLink
            data-row
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
    {
      word: words.state,
      classOf: ({ state }) => (state === "new" ? "org-near" : undefined),
      cell: ({ state }) => wordFor(words.states, state),
    },
    { word: log.who, className: "org-wide", cell: ({ stateBy }) => <bdi>{stateBy}</bdi> },
  ];
}

function Filters() {
  const { evidence: words, list } = useOrganizeMessages().pages;
  return (
    <>
      <SearchFilter name="q" label={list.search} />
      <ChoiceFilter name="state" label={words.state} words={words.states} />
      <ChoiceFilter name="kind" label={words.fact} words={words.kinds} />
    </>
  );
}

export function EvidenceTab() {
  const { evidence: words, flags } = useOrganizeMessages().pages;
  const view = useView();
  const evidence = useEvidence();
  const open = view("pair");
  const columns = useColumns(open);
  const pair = evidence.data?.pairs.find((one) => pairName(one) === open);
  const rowOf = (one: Pair) => ({ className: pairName(one) === open ? "org-row-open" : undefined });
  const filter = { q: view("q"), state: view("state"), kind: view("kind") };
  return (
    <ListPage
      title={flags.title}
      tabs={<Tabs />}
      filters={<Filters />}
      panel={pair && <PairPanel pair={pair} />}
    >
      <ListState of={evidence}>
        {({ pairs, more }) => {
          const rows = leftOf(pairs, filter);
          return (
            <>
              <p className="org-note">{words.noVerdict}</p>
              {rows.length === 0 && <p role="status">{words.none}</p>}
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
