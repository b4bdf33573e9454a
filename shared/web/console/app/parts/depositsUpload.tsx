import { useMemo, useState } from "preact/hooks";
import { ActionButton, Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { type CheckedRow, checkRows, columnOf, problemsFirst, valuesIn } from "../deposits/checkRows.ts";
import {
  keepMapping,
  type Mapping,
  type Meaning,
  matchBusinesses,
  meanings,
  readMapping,
} from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import { rejectedRows, type Sent, sendDeposits } from "../deposits/sendDeposits.ts";
import { inDollars } from "../money.ts";
import { useBusinessNames, useOverview } from "../overview.ts";
import { counted } from "../queue.ts";
import { useSession } from "../session.tsx";
import { depositNames, meaningNames } from "../texts.ts";
import { type Column, StackTable } from "./dataTable.tsx";
import { Figures, Section } from "./layout.tsx";
import { MappingTable } from "./mappingTable.tsx";
import { State } from "./mark.tsx";

interface UploadProps {
  /** The business of the file; empty if a column of the file names the businesses. */
  crbId: string;
  file: CsvFile;
  sent(): void;
}

/** A number of rows in words. */
export const rowsOf = (count: number): string => counted(count, "row", "rows");

/** A file of deposits: what its columns mean, what will be sent, and the result. */
export function DepositsUpload({ crbId, file, sent }: UploadProps) {
  const { client, explain, announce, institution } = useSession();
  const [mapping, setMapping] = useState(() => readMapping(institution.sp_id, file.columns));
  const [rejected, setRejected] = useState<ReadonlyMap<number, string>>(new Map());
  const [result, setResult] = useState<ReadonlyMap<string, Sent>>();
  const nameOf = useBusinessNames();
  const businesses = useOverview().data?.data;
  const { isBusy, problem, run } = useAction(explain);
  const matches = useMemo(() => {
    const column = columnOf(mapping, "business");
    if (crbId) return undefined;
    return matchBusinesses(column === undefined ? [] : valuesIn(file, column), mapping.businesses, businesses ?? []);
  }, [crbId, file, mapping, businesses]);
  const businessOf = ({ texts }: CheckedRow) => crbId || (matches?.get(texts.business ?? "") ?? "");
  const rows = useMemo(() => checkRows(file, mapping, Date.now(), matches), [file, mapping, matches]);
  const shown = rows.map((row): CheckedRow => {
    const reason = rejected.get(row.number);
    return reason === undefined ? row : { number: row.number, texts: row.texts, problem: reason };
  });
  const ready = shown.filter(({ deposit }) => deposit);
  const wrong = shown.filter((row) => row.problem);
  const missing = meanings
    .filter((meaning) => isMissing(mapping, meaning, crbId))
    .map((meaning) => meaningNames[meaning]);

  const change = (next: Mapping) => {
    setMapping(next);
    setRejected(new Map());
    keepMapping(institution.sp_id, next);
  };
  const send = () => {
    const stored = new Map<string, Sent>();
    return run(
      async () => {
        for (const [id, its] of Map.groupBy(ready, businessOf)) {
          const sum = { accepted: 0, unchanged: 0, replaced: 0 };
          stored.set(id, sum);
          await sendDeposits(client, id, its, sum);
        }
        setResult(stored);
        announce(`${rowsOf(ready.length)} sent.`);
        sent();
      },
      async (failure) => {
        const found = rejectedRows(failure);
        if (found) setRejected(new Map([...rejected, ...found]));
        const words = found
          ? "The service rejects some rows. They are the first ones below; send the other rows now."
          : explain(failure);
        if (crbId || !words) return words ?? "";
        const parts = [...stored].map(([id, sum]) => `${nameOf(id)} ${rowsOf(countOf(sum))}`);
        return `${nameOf([...stored.keys()].at(-1) ?? "")}: ${words} Stored so far: ${parts.join(", ")}. Rows that you send again are never counted twice.`;
      },
    );
  };

  if (result) return <Result result={result} crbId={crbId} notSent={wrong.length} />;
  const total = ready.reduce((sum, { deposit }) => sum + (deposit?.amount ?? 0), 0);
  const left = shown.filter(({ deposit, problem }) => !deposit && !problem);
  const unmatched = crbId ? 0 : left.filter((row) => !businessOf(row)).length;
  return (
    <>
      <MappingTable file={file} mapping={mapping} matches={matches} change={change} />
      <Section title="Check before sending">
        {missing.length > 0 ? (
          <div class="notice look">
            <h3>Columns are missing</h3>
            <p>Choose above which columns mean: {missing.join(", ")}.</p>
          </div>
        ) : (
          <>
            {wrong.length > 0 && (
              <div class="notice act">
                <h3>
                  {wrong.length.toLocaleString()} of {rowsOf(rows.length)} cannot be sent
                </h3>
                <p>
                  Correct them in your file and choose it again, or send the other rows now. Rows that you sent before
                  are recognized by their id and never counted twice.
                </p>
              </div>
            )}
            <Figures
              operation="storeDeposits"
              of={[
                ["In the file", rowsOf(rows.length), "below the names of the columns"],
                ["Ready", rowsOf(ready.length), inDollars(total)],
                crbId
                  ? ["Left out by their code", rowsOf(left.length), "never sent"]
                  : [
                      "Left out",
                      rowsOf(left.length),
                      `${unmatched} without a business, ${left.length - unmatched} by code`,
                    ],
                ["Cannot be sent", rowsOf(wrong.length), wrong.length > 0 ? "see below" : "all rows were checked"],
              ]}
            />
            <DepositRows
              rows={shown}
              mapping={mapping}
              nameOf={crbId ? undefined : (row) => nameOf(businessOf(row)) || row.texts.business}
            />
          </>
        )}
        {problem && <Notice kind="problem">{problem}</Notice>}
        {missing.length === 0 && ready.length > 0 && (
          <div class="bar">
            <ActionButton type="button" isBusy={isBusy} busyLabel="Sending …" onClick={send}>
              Send {rowsOf(ready.length)}
            </ActionButton>
          </div>
        )}
      </Section>
    </>
  );
}

/** Whether a file has no column of a meaning that a deposit needs. */
function isMissing(mapping: Mapping, meaning: Meaning, crbId: string): boolean {
  if (meaning === "business") return !crbId && columnOf(mapping, meaning) === undefined;
  if (meaning === "business_date" || columnOf(mapping, meaning) !== undefined) return false;
  return meaning !== "type" || mapping.type === undefined;
}

/** Rows that are shown: those with a problem, and then the first of the others. */
const [maxProblems, maxOthers] = [100, 10];

interface RowsProps {
  rows: readonly CheckedRow[];
  mapping: Mapping;
  /** The business of a row, in a file of several. */
  nameOf: ((row: CheckedRow) => string | undefined) | undefined;
}

/** The rows of a file as they will be sent. */
function DepositRows({ rows, mapping, nameOf }: RowsProps) {
  const wrong = rows.filter(({ problem }) => problem).length;
  const shown = [
    ...problemsFirst(rows).slice(0, Math.min(wrong, maxProblems)),
    ...rows.filter(({ problem }) => !problem).slice(0, maxOthers),
  ];
  const hasBusinessDay = columnOf(mapping, "business_date") !== undefined;
  const columns: Column<CheckedRow>[] = [
    { label: "Row", value: ({ number }) => String(number) },
    ...(nameOf ? [{ label: "Business", value: nameOf }] : []),
    { label: "Id", value: ({ texts }) => texts.id },
    { label: "Day posted", value: ({ texts, deposit }) => deposit?.posted_date ?? texts.posted_date },
    ...(hasBusinessDay
      ? [
          {
            label: "Business day",
            value: ({ texts, deposit }: CheckedRow) => deposit?.business_date ?? texts.business_date,
          },
        ]
      : []),
    { label: "Type", value: ({ texts, deposit }) => (deposit ? depositNames[deposit.type] : texts.type) },
    { label: "Amount", kind: "cents", value: ({ texts, deposit }) => deposit?.amount ?? texts.amount },
    { label: "Result", kind: "sentence", shown: (row) => <RowResult row={row} /> },
  ];
  return (
    <StackTable
      style="numbered"
      caption={`US dollars. Rows with a problem first, then the first of the others: ${shown.length} of ${rows.length.toLocaleString()}.`}
      columns={columns}
      rows={shown}
      keyOf={({ number }) => String(number)}
      kindOf={({ problem }) => (problem ? "act" : undefined)}
    />
  );
}

function RowResult({ row: { problem, deposit } }: { row: CheckedRow }) {
  if (!problem) return <State of={deposit ? ["good", "Ready"] : ["idle", "Left out"]} />;
  return (
    <>
      <State of={["act", "Not sent"]} /> <span class="problem-words">{problem}</span>
    </>
  );
}

const countOf = ({ accepted, replaced, unchanged }: Sent): number => accepted + replaced + unchanged;

interface ResultProps {
  /** The counts of each business, by `crb_id`. */
  result: ReadonlyMap<string, Sent>;
  crbId: string;
  notSent: number;
}

function Result({ result, crbId, notSent }: ResultProps) {
  const nameOf = useBusinessNames();
  const sumOf = (name: keyof Sent) => rowsOf([...result.values()].reduce((sum, each) => sum + each[name], 0));
  return (
    <section aria-labelledby="result">
      <div class="notice good">
        <h2 id="result">The deposits are stored</h2>
        <p>
          See the balance with them at{" "}
          {[...result].map(([id, sum], index) => (
            <>
              {index > 0 && ", "}
              <a href={`#/businesses/${id}`}>{crbId ? "the business, day by day" : nameOf(id)}</a>
              {!crbId && ` (${rowsOf(countOf(sum))})`}
            </>
          ))}
          .
        </p>
      </div>
      <Figures
        operation="storeDeposits"
        of={[
          ["Accepted", sumOf("accepted"), "new deposits"],
          ["Replaced", sumOf("replaced"), "the same id, but another day, amount or type; recorded"],
          ["Unchanged", sumOf("unchanged"), "were stored already"],
          [
            "Not sent",
            rowsOf(notSent),
            notSent > 0 ? "correct them, and choose the file again" : "no row had a problem",
          ],
        ]}
      />
    </section>
  );
}
