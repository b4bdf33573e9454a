import { useMemo, useState } from "preact/hooks";
import { ActionButton, Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { type CheckedRow, checkRows, columnOf } from "../deposits/checkRows.ts";
import { keepMapping, type Mapping, meanings, readMapping } from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import { rejectedRows, type Sent, sendDeposits } from "../deposits/sendDeposits.ts";
import { inDollars } from "../money.ts";
import { useSession } from "../session.tsx";
import { meaningNames } from "../texts.ts";
import { DepositRows } from "./depositRows.tsx";
import { Figure, Figures } from "./figures.tsx";
import { MappingTable } from "./mappingTable.tsx";

interface UploadProps {
  crbId: string;
  file: CsvFile;
  sent(): void;
}

const counted = (count: number): string => `${count.toLocaleString()} ${count === 1 ? "row" : "rows"}`;

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
        announce(`${counted(ready.length)} sent.`);
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
  return (
    <>
      <MappingTable file={file} mapping={mapping} change={change} />
      <section aria-labelledby="check">
        <div class="section-head">
          <h2 id="check">Check before sending</h2>
        </div>
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
                  {wrong.length.toLocaleString()} of {counted(rows.length)} cannot be sent
                </h3>
                <p>
                  Correct them in your file and choose it again, or send the other rows now. Rows that you sent before
                  are recognized by their id and never counted twice.
                </p>
              </div>
            )}
            <Figures>
              <Figure
                label="In the file"
                value={counted(rows.length)}
                completeness="below the names of the columns"
                operation="storeDeposits"
              />
              <Figure
                label="Ready"
                value={counted(ready.length)}
                completeness={inDollars(ready.reduce((sum, { deposit }) => sum + (deposit?.amount ?? 0), 0))}
                operation="storeDeposits"
              />
              <Figure
                label="Left out by their code"
                value={counted(rows.length - ready.length - wrong.length)}
                completeness="never sent"
                operation="storeDeposits"
              />
              <Figure
                label="Cannot be sent"
                value={counted(wrong.length)}
                completeness={wrong.length > 0 ? "see below" : "all rows were checked"}
                operation="storeDeposits"
              />
            </Figures>
            <DepositRows rows={shown} mapping={mapping} />
          </>
        )}
        {problem && <Notice kind="problem">{problem}</Notice>}
        {missing.length === 0 && ready.length > 0 && (
          <div class="bar">
            <ActionButton type="button" isBusy={isBusy} busyLabel="Sending …" onClick={send}>
              Send {counted(ready.length)}
            </ActionButton>
          </div>
        )}
      </section>
    </>
  );
}

/** Whether a file has no column of a meaning that a deposit needs. */
function isMissing(mapping: Mapping, meaning: (typeof meanings)[number]): boolean {
  if (meaning === "business_date" || columnOf(mapping, meaning) !== undefined) return false;
  return meaning !== "type" || mapping.type === undefined;
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
      <Figures>
        <Figure label="Accepted" value={counted(accepted)} completeness="new deposits" operation="storeDeposits" />
        <Figure
          label="Replaced"
          value={counted(replaced)}
          completeness="the same id, but another day, amount or type; recorded"
          operation="storeDeposits"
        />
        <Figure
          label="Unchanged"
          value={counted(unchanged)}
          completeness="were stored already"
          operation="storeDeposits"
        />
        <Figure
          label="Not sent"
          value={counted(notSent)}
          completeness={notSent > 0 ? "correct them, and choose the file again" : "no row had a problem"}
          operation="storeDeposits"
        />
      </Figures>
    </section>
  );
}
