/** What pairs of teams have in common: dated facts, and beside each why it may mean nothing. */
import type { Fact, Pair } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { type Action, ActionButtons } from "../change/action-buttons";
import { LooksBadge, useWhoLooks } from "../frame/channel";
import { ChoiceFilter, ListPage, ListState, Panel, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useEvidence } from "../frame/reading";
import { pageAddress, useView, useWhose, ViewLink } from "../frame/view";
import { Tabs } from "./tabs";

/** Names a pair in the address. */
export function pairName({ teamName, otherName }: Pair): string {
  return JSON.stringify(otherName ? [teamName, otherName] : [teamName]);
}

/** Those that the filters of the address leave. */
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
  return { kind: "action", action: "evidence.state", fixed, object, initial: { state }, key: "s" };
}

function FactItem({ fact, other }: { fact: Fact; other: string }) {
  const { evidence: words } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const whose = useWhose();
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
            <a href={pageAddress("/organize/flags", whose, { network })}>{network}</a>
          </p>
        )}
        {challenges.map(({ challengeId, at, otherAt }) => (
          <p key={`${challengeId} ${at}`} className="org-note">
            <a href={pageAddress("/organize/challenges", whose, { open: challengeId })}>
              <bdi>{names[challengeId] ?? challengeId}</bdi>
            </a>
            : <Moment ms={at} />
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

/** The page says to ask the teams: each can be written to. */
function messageTo(team: string): Action {
  return { kind: "action", action: "team.message", fixed: { team }, object: team };
}

function PairPanel({ pair }: { pair: Pair }) {
  const { evidence: words, teams } = useOrganizeMessages().pages;
  const whose = useWhose();
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
            <a href={pageAddress("/organize/teams", whose, { team })}>
              {teams.team}: <bdi>{team}</bdi>
            </a>
            <ActionButtons name={team} actions={[messageTo(team)]} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PairRow({ pair, isOpen }: { pair: Pair; isOpen: boolean }) {
  const { evidence: words } = useOrganizeMessages().pages;
  const { teamName, otherName, state, stateBy, facts } = pair;
  const kinds = [...new Set(facts.map(({ kind }) => kind))];
  const looks = useWhoLooks()(`team ${teamName}`);
  return (
    <tr className={isOpen ? "org-row-open" : undefined}>
      <td>
        <Moment ms={pair.lastAt} />
      </td>
      <th scope="row">
        <ViewLink data-row changes={{ pair: pairName(pair) }} aria-current={isOpen}>
          <bdi>{teamName}</bdi>
          {otherName && (
            <>
              , <bdi>{otherName}</bdi>
            </>
          )}
        </ViewLink>{" "}
        <LooksBadge names={looks} />
      </th>
      <td>{kinds.map((kind) => wordFor(words.kinds, kind)).join(", ")}</td>
      <td className={state === "new" ? "org-near" : undefined}>{wordFor(words.states, state)}</td>
      <td className="org-wide">
        <bdi>{stateBy}</bdi>
      </td>
    </tr>
  );
}

function Table({ rows, open }: { rows: readonly Pair[]; open: string }) {
  const { evidence: words, log } = useOrganizeMessages().pages;
  return (
    <table className="org-table">
      <thead>
        <tr>
          <th scope="col">{words.last}</th>
          <th scope="col">{words.pair}</th>
          <th scope="col">{words.facts}</th>
          <th scope="col">{words.state}</th>
          <th scope="col" className="org-wide">
            {log.who}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((pair) => (
          <PairRow key={pairName(pair)} pair={pair} isOpen={pairName(pair) === open} />
        ))}
      </tbody>
    </table>
  );
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
  const pair = evidence.data?.pairs.find((one) => pairName(one) === open);
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
              {rows.length > 0 && <Table rows={rows} open={open} />}
              {more > 0 && <p className="org-note">{words.more(more)}</p>}
            </>
          );
        }}
      </ListState>
    </ListPage>
  );
}
