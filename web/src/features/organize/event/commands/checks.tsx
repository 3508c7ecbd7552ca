/** Checks of the running event, which `flagship doctor` and `journal verify` do in a shell. */
import { useQuery } from "@tanstack/react-query";
import { type Check, getChecks } from "../../../../api/organize";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { useSentence } from "../../fault";
import { useMay } from "../../frame/queries";
import { type Mark, Status } from "../../frame/status";
import { useGate } from "../../second-factor-gate";
import { useEventTimeText } from "../../time-field";
import styles from "./commands.module.css";

const MARKS: Readonly<Record<Check["state"], Mark>> = {
  ok: "good",
  warning: "warn",
  problem: "bad",
};

/** Codes whose detail is a time. */
const TIMES = new Set(["backup_made", "certificate_valid", "certificate_fails"]);

function useFound(): (check: Check) => string {
  const { commands: words } = useOrganizeMessages().manage;
  const text = useEventTimeText();
  return ({ code, detail }) => {
    const said = detail && TIMES.has(code) ? text(Number(detail)) : (detail ?? "");
    return words.found[code]?.(said) ?? [code, said].join(" ").trim();
  };
}

function Found({ checks }: { checks: readonly Check[] }) {
  const { commands: words } = useOrganizeMessages().manage;
  const found = useFound();
  return (
    <ul className={styles.checks}>
      {checks.map((check) => (
        <li key={check.code}>
          <Status mark={MARKS[check.state]}>{wordFor(words.states, check.state)}</Status>
          <span>{found(check)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Number of problems; of warnings if there are none. */
function useSum(): (checks: readonly Check[]) => string {
  const { commands: words } = useOrganizeMessages().manage;
  return (checks) => {
    const count = (of: Check["state"]) => checks.filter(({ state }) => state === of).length;
    if (count("problem") > 0) return words.problems(count("problem"));
    return count("warning") > 0 ? words.warnings(count("warning")) : words.sound;
  };
}

export function Checks() {
  const { commands: words } = useOrganizeMessages().manage;
  const may = useMay();
  const run = useGate();
  const sentence = useSentence();
  const sum = useSum();
  // Runs on request only, because it reads the whole journal.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["organize", "checks"],
    queryFn: () => run(getChecks),
    enabled: false,
    gcTime: 0,
  });
  if (!may("event.check")) return null;
  return (
    <section className={styles.part} aria-labelledby="checks">
      <div className={styles.head}>
        <div>
          <h2 id="checks">{words.checks}</h2>
          <p className="org-note">{words.checksNote}</p>
        </div>
        <button
          type="button"
          className="button-primary"
          aria-disabled={isFetching}
          onClick={() => !isFetching && void refetch()}
        >
          {data ? words.runAgain : words.run}
        </button>
      </div>
      <p role="status" className={styles.sum}>
        {isFetching && words.running}
        {!isFetching && data && sum(data)}
      </p>
      <div role="alert" className={styles.fault}>
        {error && <p className="org-fault">{sentence(error)}</p>}
      </div>
      {data && <Found checks={data} />}
    </section>
  );
}
