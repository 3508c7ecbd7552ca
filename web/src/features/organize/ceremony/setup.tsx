/** Preparation of the ceremony: which ranking, its options, and a check list. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Ceremony } from "../../../api/organize-ceremony";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { useSentence } from "../fault";
import { useOverview } from "../frame/queries";
import { KeyList } from "./key-list";
import { type Mode, useLoader } from "./loader";
import { preload } from "./preload";
import type { Options, Saved } from "./saved";
import { isProven, type Scope, scopeOf, startOf, teamsOf } from "./script";
import styles from "./setup.module.css";

const EVENT = "/organize/event";

type Blocked = "notEnded" | "notFrozen" | "notFrozenYet" | "revealed";

/** Reason why the real ceremony cannot be held now. */
function blockedBy({ status, isFrozen, isRevealed, freeze }: Overview): Blocked | null {
  if (isRevealed) return "revealed";
  if (status !== "ended") return "notEnded";
  if (isFrozen) return null;
  return freeze === null ? "notFrozen" : "revealed";
}

function BlockedNote({ by }: { by: Blocked }) {
  const { mode: words } = useOrganizeMessages().ceremony;
  return (
    <span className={styles.blocked}>
      {words.blocked[by]}{" "}
      {by === "revealed" ? (
        <a href="/scoreboard">{words.scoreboard}</a>
      ) : (
        <a href={EVENT}>{words.times}</a>
      )}
    </span>
  );
}

interface ChoiceProps {
  name: string;
  isOn: boolean;
  isOff?: boolean;
  title: string;
  note?: ReactNode;
  onChoose: () => void;
}

function Choice({ name, isOn, isOff = false, title, note, onChoose }: ChoiceProps) {
  return (
    <label className={styles.choice} data-on={isOn} data-off={isOff}>
      <input type="radio" name={name} checked={isOn} disabled={isOff} onChange={onChoose} />
      <span>
        <strong>{title}</strong>
        {note && <small>{note}</small>}
      </span>
    </label>
  );
}

const readSize = () => ({ width: window.innerWidth, height: window.innerHeight });

function useScreenSize(): { width: number; height: number } {
  const [size, setSize] = useState(readSize);
  useEffect(() => {
    const onResize = () => setSize(readSize());
    window.addEventListener("resize", onResize);
    return () => window.removeEventListener("resize", onResize);
  }, []);
  return size;
}

/** Time after which a failed preload is tried again. */
const RETRY_MS = 3000;

function useIsPreloaded(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = async () => {
      const isLoaded = await preload();
      if (isOver) return;
      setReady(isLoaded);
      if (!isLoaded) timer = setTimeout(() => void load(), RETRY_MS);
    };
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return isReady;
}

function Check({ state, children }: { state: "done" | "open" | "bad"; children: ReactNode }) {
  return (
    <li data-state={state}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="8" cy="8" r="6.5" />
        {state === "done" && <path d="M5 8.2 7.2 10.4 11.2 5.8" />}
        {state === "bad" && <path d="M8 4.6v4.2M8 11v.4" />}
      </svg>
      <span>{children}</span>
    </li>
  );
}

interface CheckListProps {
  ceremony: Ceremony | null;
  isSound: boolean;
  isPreloaded: boolean;
}

function CheckList({ ceremony, isSound, isPreloaded }: CheckListProps) {
  const { check: words } = useOrganizeMessages().ceremony;
  const { width, height } = useScreenSize();
  const teams = ceremony?.teams ?? [];
  const solves = teams.reduce((sum, team) => sum + team.solves.length, 0);
  const isOffline = ceremony !== null && isPreloaded;
  return (
    <section className={styles.checks} aria-labelledby="ceremony-checks">
      <h2 id="ceremony-checks">{words.legend}</h2>
      <ul>
        <Check state={ceremony ? "done" : "open"}>
          {ceremony ? words.loaded(teams.length, solves) : words.notLoaded}
        </Check>
        {ceremony && (
          <Check state={isSound ? "done" : "bad"}>{isSound ? words.proven : words.notProven}</Check>
        )}
        <Check state={isOffline ? "done" : "open"}>
          {isPreloaded || !ceremony ? words.offline : words.notOffline}
        </Check>
        <Check state={width >= 1280 ? "done" : "open"}>
          {words.screen(width, height)}. {words.small}
        </Check>
        <Check state="open">{words.keep}</Check>
      </ul>
      <KeyList />
    </section>
  );
}

interface SetupProps {
  left: Saved | null;
  onBegin: (held: { options: Options; ceremony: Ceremony; step: number }) => void;
}

function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
}

/** The loaded ranking of the chosen mode. The rehearsal loads on its own. */
function useRanking(mode: Mode) {
  const load = useLoader();
  const sentence = useSentence();
  const [seed] = useState(newSeed);
  const [loaded, setLoaded] = useState<{ mode: Mode; ceremony: Ceremony } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const wished = useRef(mode);
  wished.current = mode;
  async function read() {
    if (!load) return;
    setFault(null);
    setLoading(true);
    try {
      const ceremony = await load(mode, seed);
      if (wished.current === mode) setLoaded({ mode, ceremony });
    } catch (error) {
      setFault(sentence(error));
    } finally {
      setLoading(false);
    }
  }
  const isWaiting = mode === "rehearsal" && load !== null && loaded?.mode !== mode;
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (isWaiting) void latest.current();
  }, [isWaiting]);
  const ceremony = loaded?.mode === mode ? loaded.ceremony : null;
  return { ceremony, fault, isLoading, seed, read };
}

/** State of the preparation: the choices, the loaded ranking and the faults. */
function useSetup({ left, onBegin }: SetupProps) {
  const words = useOrganizeMessages().ceremony;
  const overview = useOverview().data;
  const blocked = overview ? blockedBy(overview) : "notEnded";
  const [chosen, choose] = useState<Mode | null>(left?.options.mode ?? null);
  const mode = chosen ?? (blocked ? "rehearsal" : "real");
  const ranking = useRanking(mode);
  const { ceremony, seed } = ranking;
  const [scope, setScope] = useState<Scope>(left?.options.scope ?? "all");
  const [typedFrom, typeFrom] = useState<string | null>(null);
  const [showsPoints, showPoints] = useState(left?.options.showsPoints ?? true);
  const [showsSolves, showSolves] = useState(left?.options.showsSolves ?? true);
  const [name, setName] = useState("");
  const [nameFault, setNameFault] = useState<string | null>(null);
  const isPreloaded = useIsPreloaded();
  const teams = ceremony ? teamsOf(ceremony, scope).length : 0;
  const from = typedFrom ?? (ceremony ? String(startOf(ceremony, scope)) : "");
  const isSound = ceremony !== null && isProven(ceremony);
  const isReal = mode === "real";
  const isReady = isSound && teams > 0 && isPreloaded;
  function begin(event: FormEvent) {
    event.preventDefault();
    if (!ceremony || !isReady) return;
    if (isReal && name !== ceremony.name) {
      setNameFault(words.nameFault);
      return;
    }
    const options = { mode, scope, from: Number(from), showsPoints, showsSolves, seed, name };
    const isSame = left?.options.mode === mode && left.options.scope === scope;
    const step = isReal && isSame && left.options.from === options.from ? left.step : 0;
    onBegin({ options: { ...options, name: isReal ? name : "" }, ceremony, step });
  }
  return {
    ...ranking,
    blocked,
    isReal,
    choose,
    scope,
    setScope,
    from,
    typeFrom,
    showsPoints,
    showPoints,
    showsSolves,
    showSolves,
    name,
    setName,
    nameFault,
    setNameFault,
    teams,
    isSound,
    isReady,
    isPreloaded,
    begin,
  };
}

type SetupState = ReturnType<typeof useSetup>;

function ModeChoice({ state }: { state: SetupState }) {
  const { mode: words } = useOrganizeMessages().ceremony;
  const { blocked, isReal, choose } = state;
  return (
    <fieldset>
      <legend>{words.legend}</legend>
      <Choice
        name="mode"
        title={words.rehearsal}
        note={words.rehearsalNote}
        isOn={!isReal}
        onChoose={() => choose("rehearsal")}
      />
      <Choice
        name="mode"
        title={words.real}
        note={blocked ? <BlockedNote by={blocked} /> : words.realNote}
        isOn={isReal}
        isOff={blocked !== null}
        onChoose={() => choose("real")}
      />
    </fieldset>
  );
}

function BoardChoice({ state }: { state: SetupState }) {
  const { board: words } = useOrganizeMessages().ceremony;
  const { ceremony, scope, setScope } = state;
  return (
    <fieldset className={styles.short}>
      <legend>{words.legend}</legend>
      <Choice
        name="scope"
        title={words.all}
        isOn={scope === "all"}
        onChoose={() => setScope("all")}
      />
      <Choice
        name="scope"
        title={words.students}
        isOn={scope === "students"}
        isOff={ceremony !== null && teamsOf(ceremony, "students").length === 0}
        onChoose={() => setScope("students")}
      />
      {ceremony?.divisions.map(({ id, name }) => (
        <Choice
          key={id}
          name="scope"
          title={name}
          isOn={scope === scopeOf(id)}
          isOff={teamsOf(ceremony, scopeOf(id)).length === 0}
          onChoose={() => setScope(scopeOf(id))}
        />
      ))}
    </fieldset>
  );
}

/** The first place to announce, and the contents of the rows. */
function Extent({ state }: { state: SetupState }) {
  const words = useOrganizeMessages().ceremony;
  const { from, typeFrom, teams, showsPoints, showPoints, showsSolves, showSolves } = state;
  return (
    <div className={styles.fields}>
      <Field
        label={words.from}
        hint={words.fromNote(teams)}
        value={from}
        type="number"
        min={1}
        max={Math.max(1, teams)}
        onChange={(event) => typeFrom(event.currentTarget.value)}
      />
      <fieldset className={styles.ticks}>
        <legend>{words.show.legend}</legend>
        <label>
          <input
            type="checkbox"
            checked={showsPoints}
            onChange={(event) => showPoints(event.currentTarget.checked)}
          />
          {words.show.points}
        </label>
        <label>
          <input
            type="checkbox"
            checked={showsSolves}
            onChange={(event) => showSolves(event.currentTarget.checked)}
          />
          {words.show.solves}
        </label>
      </fieldset>
    </div>
  );
}

function Buttons({ state }: { state: SetupState }) {
  const words = useOrganizeMessages().ceremony;
  const { ceremony, isReal, isLoading, isReady, read } = state;
  return (
    <p className={styles.row}>
      {isReal && (
        <button
          type="button"
          className={ceremony ? undefined : "button-primary"}
          disabled={isLoading}
          onClick={() => void read()}
        >
          {ceremony ? words.loadAgain : words.load}
        </button>
      )}
      {(ceremony !== null || !isReal) && (
        <button type="submit" disabled={!isReady}>
          {words.begin}
        </button>
      )}
    </p>
  );
}

export function Setup(props: SetupProps) {
  const words = useOrganizeMessages().ceremony;
  const state = useSetup(props);
  const { ceremony, isReal, teams, fault, isSound, isPreloaded } = state;
  const { name, setName, nameFault, setNameFault } = state;
  return (
    <div className={styles.page}>
      <div className={styles.sheet}>
        <header className={styles.head}>
          <a href={EVENT}>← {words.back}</a>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
        </header>
        <form className={styles.form} onSubmit={state.begin} noValidate>
          <ModeChoice state={state} />
          <BoardChoice state={state} />
          <Extent state={state} />
          {isReal && ceremony && (
            <Field
              announced
              label={words.name}
              hint={ceremony.name}
              value={name}
              autoComplete="off"
              fault={nameFault}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setNameFault(null);
              }}
            />
          )}
          {fault !== null && <p role="alert">{fault}</p>}
          {ceremony !== null && teams === 0 && <p role="status">{words.check.noTeams}</p>}
          <Buttons state={state} />
        </form>
        <CheckList ceremony={ceremony} isSound={isSound} isPreloaded={isPreloaded} />
      </div>
    </div>
  );
}
