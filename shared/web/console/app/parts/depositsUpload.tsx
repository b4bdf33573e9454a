import { useMemo, useState } from "preact/hooks";
import { ActionButton, Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { type CheckedRow, checkRows, columnOf, problemsFirst } from "../deposits/checkRows.ts";
import { keepMapping, type Mapping, type Meaning, meanings, readMapping } from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import { rejectedRows, type Sent, sendDeposits } from "../deposits/sendDeposits.ts";
import { inDollars } from "../money.ts";
import { counted } from "../queue.ts";
import { useSession } from "../session.tsx";
import { depositNames, meaningNames } from "../texts.ts";
import { type Column, StackTable } from "./dataTable.tsx";
import { Figures, Section } from "./layout.tsx";
import { MappingTable } from "./mappingTable.tsx";
import { State } from "./mark.tsx";

interface UploadProps {
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
  const [result, setResult] = useState<Sent>();
  const { isBusy, problem, run } = useAction(explain);
  const rows = useMemo(() => checkRows(file, mapping, Date.now()), [file, mapping]);
  const shown = rows.map((row): CheckedRow => {
    const reason = rejected.get(row.number);
    return reason === undefined ? row : { number: row.number, texts: row.texts, problem: reason };
  });
  const ready = shown.filter(({ deposit }) => deposit);
  const wrong = shown.filter((row) => row.problem);
  const missing = meanings.filter((meaning) => isMissing(mapping, meaning)).map((meaning) => meaningNames[meaning]);

  const change = (next: Mapping) => {
    setMapping(next);
    setRejected(new Map());
    keepMapping(institution.sp_id, next);
  };
  const send = () =>
    run(
      async () => {
        const answer = await sendDeposits(client, crbId, ready);
        setResult(answer);
        announce(`${rowsOf(ready.length)} sent.`);
        sent();
      },
      async (failure) => {
        const found = rejectedRows(failure);
        if (!found) return undefined;
        setRejected(new Map([...rejected, ...found]));
        return "The service rejects some rows. They are the first ones below; send the other rows now.";
      },
    );

  if (result) return <Result result={result} crbId={crbId} notSent={wrong.length} />;
  const total = ready.reduce((sum, { deposit }) => sum + (deposit?.amount ?? 0), 0);
  const left = rows.length - ready.length - wrong.length;
  return (
    <>
      <MappingTable file={file} mapping={mapping} change={change} />
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
                ["Left out by their code", rowsOf(left), "never sent"],
                ["Cannot be sent", rowsOf(wrong.length), wrong.length > 0 ? "see below" : "all rows were checked"],
              ]}
            />
            <DepositRows rows={shown} mapping={mapping} />
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
function isMissing(mapping: Mapping, meaning: Meaning): boolean {
  if (meaning === "business_date" || columnOf(mapping, meaning) !== undefined) return false;
  return meaning !== "type" || mapping.type === undefined;
}

/** Rows that are shown: those with a problem, and then the first of the others. */
const [maxProblems, maxOthers] = [100, 10];

/** The rows of a file as they will be sent. */
function DepositRows({ rows, mapping }: { rows: readonly CheckedRow[]; mapping: Mapping }) {
  const wrong = rows.filter(({ problem }) => problem).length;
  const shown = [
    ...problemsFirst(rows).slice(0, Math.min(wrong, maxProblems)),
    ...rows.filter(({ problem }) => !problem).slice(0, maxOthers),
  ];
  const hasBusinessDay = columnOf(mapping, "business_date") !== undefined;
  const columns: Column<CheckedRow>[] = [
    { label: "Row", value: ({ number }) => String(number) },
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

function Result({ result, crbId, notSent }: { result: Sent; crbId: string; notSent: number }) {
  const { accepted, replaced, unchanged } = result;
  return (
    <section aria-labelledby="result">
      <div class="notice good">
        <h2 id="result">The deposits are stored</h2>
        <p>
          See the balance with them at <a href={`#/businesses/${crbId}`}>the business, day by day</a>.
        </p>
      </div>
      <Figures
        operation="storeDeposits"
        of={[
          ["Accepted", rowsOf(accepted), "new deposits"],
          ["Replaced", rowsOf(replaced), "the same id, but another day, amount or type; recorded"],
          ["Unchanged", rowsOf(unchanged), "were stored already"],
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
