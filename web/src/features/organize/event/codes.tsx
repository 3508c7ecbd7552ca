/** The signup codes: a list with their uses, and buttons that make and revoke them. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useOpenAction } from "../change/action-dialog";
import { CopyButton } from "../copy-button";
import { useMay, useSignupCodes } from "../frame/queries";
import { type Column, Table } from "../frame/table";
import { QueryContent } from "../query-content";
import { useEventTimeText } from "../time-field";
import styles from "./event.module.css";
import { CODES } from "./settings-form";

type Code = NonNullable<ReturnType<typeof useSignupCodes>["data"]>["codes"][number];

const isLeft = ({ uses, used, revokedAt }: Code) => revokedAt == null && used < uses;

function useColumns(): readonly Column<Code>[] {
  const { codes: words } = useOrganizeMessages().manage;
  const ask = useOpenAction();
  const mayRevoke = useMay()("code.revoke");
  const time = useEventTimeText();
  return [
    { word: words.code, isName: true, cell: ({ code }) => <code>{code}</code> },
    { word: words.label, cell: ({ label }) => <bdi>{label}</bdi> },
    { word: words.uses, cell: ({ used, uses }) => words.usesOf(used, uses) },
    { word: words.made, cell: ({ madeAt }) => time(madeAt) },
    {
      cell({ code, revokedAt }) {
        if (revokedAt != null) return <span className="org-note">{words.revoked}</span>;
        if (!mayRevoke) return null;
        return (
          <button
            type="button"
            aria-label={words.revokeOf(code)}
            onClick={() => ask({ action: "code.revoke", fixed: { code }, object: code })}
          >
            {words.revoke}
          </button>
        );
      },
    },
  ];
}

export function SignupCodes() {
  const { codes: words } = useOrganizeMessages().manage;
  const { list } = useOrganizeMessages().pages;
  const ask = useOpenAction();
  const mayMake = useMay()("code.make");
  const columns = useColumns();
  const initial = { count: "10", uses: "1" };
  return (
    <section id={CODES} aria-labelledby={`${CODES}-title`} className={styles.more}>
      <div className={styles.heading}>
        <h2 id={`${CODES}-title`} tabIndex={-1}>
          {words.title}
        </h2>
        {mayMake && (
          <button
            type="button"
            onClick={() => ask({ action: "code.make", fixed: {}, initial, object: words.object })}
          >
            {words.make}
          </button>
        )}
      </div>
      <p className="org-note">{words.note}</p>
      <QueryContent of={useSignupCodes()} label={list.loading}>
        {({ codes }) => {
          const left = codes.filter(isLeft).map(({ code }) => code);
          if (codes.length === 0) return <p className="org-note">{words.none}</p>;
          return (
            <>
              {left.length > 0 && (
                <CopyButton text={left.join("\n")} label={words.copy(left.length)} />
              )}
              <Table columns={columns} rows={codes} keyOf={({ code }) => code} />
            </>
          );
        }}
      </QueryContent>
    </section>
  );
}
