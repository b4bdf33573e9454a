import { useMemo, useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { ActionButton, Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { parseCents } from "../deposits/amount.ts";
import { type CheckedRow, checkRows, columnOf, valuesIn } from "../deposits/checkRows.ts";
import {
  keepMapping,
  type Mapping,
  type Meaning,
  matchBusinesses,
  meanings,
  readMapping,
} from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import {
  type ComparedRow,
  compareRow,
  EndedUpload,
  firstCompared,
  readStoredDeposits,
  type Sent,
  sendDeposits,
} from "../deposits/sendDeposits.ts";
import { csvOf, saveFile } from "../files.ts";
import { counted, inDollars } from "../format.ts";
import { useBusinessNames, useLoad, useOverview, useSession } from "../session.tsx";
import { depositName, meaningName, type StateWords } from "../texts.ts";
import { ApiLink, Figures, Links, Loaded, Section } from "./layout.tsx";
import { MappingTable } from "./mappingTable.tsx";
import { State } from "./marks.tsx";
import { type Column, number, StackTable, text } from "./table.tsx";

interface UploadProps {
  /** The business of the file; empty if a column of the file names the businesses. */
  crbId: string;
  file: CsvFile;
  sent(): void;
}

const isOfAnother = (name: string): string =>
  `The row names ${name}. Choose “Several, named in a column” to send each row to its business.`;

const rowsOf = (count: number): string => counted(count, "row");

/** A file of deposits: what its columns mean, what will be sent, and the result. */
export function DepositsUpload({ crbId, file, sent }: UploadProps) {
  const { client, explain, announce, institution } = useSession();
  const [mapping, setMapping] = useState(() => readMapping(institution.sp_id, file.columns));
  const [rejected, setRejected] = useState<ReadonlyMap<number, string>>(new Map());
  const [result, setResult] = useState<ReadonlyMap<string, Sent>>();
  const [storedRows, setStoredRows] = useState(0);
  const nameOf = useBusinessNames();
  const businesses = useOverview().data?.data;
  const { isBusy, problem, run } = useAction(explain);
  /** The businesses that the file names. */
  const named = useMemo(() => {
    const column = columnOf(mapping, "business");
    return matchBusinesses(column === undefined ? [] : valuesIn(file, column), mapping.businesses, businesses ?? []);
  }, [file, mapping, businesses]);
  const matches = crbId ? undefined : named;
  const businessOf = ({ texts }: CheckedRow) => crbId || (matches?.get(texts.business ?? "") ?? "");
  const checked = useMemo(() => checkRows(file, mapping, Date.now(), matches), [file, mapping, matches]);
  const rows = checked.map((row): CheckedRow => {
    const other = crbId && named.get(row.texts.business ?? "");
    const reason = other && other !== crbId ? isOfAnother(nameOf(other)) : rejected.get(row.number);
    return reason === undefined ? row : { number: row.number, texts: row.texts, problem: reason };
  });
  const ready = rows.filter(({ deposit }) => deposit);
  const wrong = rows.filter((row) => row.problem);
  const missing = meanings
    .filter((meaning) => isMissing(mapping, meaning, crbId))
    .map((meaning) => meaningName(meaning));
  const isComplete = missing.length === 0 && ready.length > 0;
  const ids = [...new Set(ready.map(businessOf))];
  const since = isComplete ? firstCompared(ready) : "";
  const stored = useLoad(
    JSON.stringify([ids, since]),
    isComplete ? () => readStoredDeposits(client, ids, since) : undefined,
  );
  const compare = (row: CheckedRow): ComparedRow[] =>
    row.deposit ? [compareRow(row, row.deposit, stored.data?.get(businessOf(row))?.get(row.deposit.id))] : [];
  const compared = stored.data && new Map(ready.flatMap(compare).map((row) => [row.number, row]));

  const change = (next: Mapping) => {
    setMapping(next);
    setRejected(new Map());
    keepMapping(institution.sp_id, next);
  };
  const send = () => {
    const sums = new Map<string, Sent>();
    const look = () => setStoredRows([...sums.values()].reduce((all, sum) => all + countOf(sum), 0));
    return run(
      async () => {
        for (const [id, its] of Map.groupBy(ready, businessOf)) {
          const sum = { accepted: 0, unchanged: 0, replaced: 0 };
          sums.set(id, sum);
          look();
          await sendDeposits(client, id, its.flatMap(compare), sum, look);
        }
        setResult(sums);
        announce(`${rowsOf(ready.length)} sent.`);
        sent();
      },
      async (failure) => {
        // A part may be stored, so the rows are compared again.
        stored.reload();
        const isEnded = failure instanceof EndedUpload;
        if (isEnded) setRejected(new Map([...rejected, ...failure.reasons]));
        const words = isEnded ? failure.message : explain(failure);
        if (crbId || !words) return words ?? "";
        const parts = [...sums].map(([id, sum]) => `${nameOf(id)} ${rowsOf(countOf(sum))}`);
        return `${nameOf([...sums.keys()].at(-1) ?? "")}: ${words} Stored so far: ${parts.join(", ")}. Rows that you send again are never counted twice.`;
      },
    );
  };
  /** Saves the rows with a problem, with the reasons, to be corrected and sent later. */
  const download = () => {
    const cells = new Map(file.rows.map((row) => [row.number, row.cells]));
    const lines = wrong.map((row) => [...(cells.get(row.number) ?? []), row.problem ?? ""]);
    saveFile("rows-not-sent.csv", csvOf([[...file.columns, "Problem"], ...lines]));
  };

  if (result) return <Result result={result} crbId={crbId} notSent={wrong.length} />;
  const total = ready.reduce((sum, { deposit }) => sum + (deposit?.amount ?? 0), 0);
  const left = rows.filter(({ deposit, problem }) => !deposit && !problem);
  const unmatched = crbId ? 0 : left.filter((row) => !businessOf(row)).length;
  const countOfState = (...states: ComparedRow["state"][]) =>
    [...(compared?.values() ?? [])].filter(({ state }) => states.includes(state)).length;
  const moved = countOfState("moved");
  const newSince = since && `not stored since ${formatShortDay(since)}; `;
  const countAs = (...states: ComparedRow["state"][]) => (compared ? rowsOf(countOfState(...states)) : "not known yet");
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
                <button type="button" onClick={download}>
                  Download the {rowsOf(wrong.length)}
                </button>
              </div>
            )}
            {moved > 0 && (
              <div class="notice act">
                <h3>{rowsOf(moved)} would replace a posting of another day</h3>
                <p>
                  A posting with the same id is stored on another day. If your system begins its ids again, choose a
                  column whose ids never repeat. Otherwise the stored postings are lost.
                </p>
              </div>
            )}
            <Figures
              operation="listDeposits"
              of={[
                ["New", countAs("new"), `${newSince}${inDollars(total)} in all that will be sent`],
                ["Changed", countAs("changed", "moved"), "other than stored; the earlier values are not kept"],
                ["Unchanged", countAs("unchanged"), "stored already"],
                [
                  "Not sent",
                  rowsOf(wrong.length + left.length),
                  `${wrong.length} with a problem, ${unmatched} without a business, ${left.length - unmatched} left out by their code`,
                ],
              ]}
            />
            <DepositRows
              rows={rows}
              mapping={mapping}
              compared={compared}
              nameOf={crbId ? undefined : (row) => nameOf(businessOf(row)) || row.texts.business}
            />
          </>
        )}
        {problem && <Notice kind="problem">{problem}</Notice>}
        {isComplete && (
          <Loaded of={stored} name="The stored postings">
            {() => (
              <>
                <p class="hint">A posting can be removed again on the page of its business, at its day.</p>
                <div class="bar">
                  <ActionButton
                    type="button"
                    isBusy={isBusy}
                    busyLabel={`Sending … ${storedRows.toLocaleString()} of ${rowsOf(ready.length)} stored`}
                    onClick={send}
                  >
                    Send {rowsOf(ready.length)}
                  </ActionButton>
                </div>
              </>
            )}
          </Loaded>
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

/** Rows that are shown at first: those that cannot be sent or replace another day, and then the first of the others. */
const [maxProblems, maxOthers] = [100, 10];

interface RowsProps {
  rows: readonly CheckedRow[];
  mapping: Mapping;
  /** The rows next to the stored deposits, by their numbers. */
  compared: ReadonlyMap<number, ComparedRow> | undefined;
  /** The business of a row, in a file of several. */
  nameOf: ((row: CheckedRow) => string | undefined) | undefined;
}

const comparedStates: Readonly<Record<ComparedRow["state"], StateWords>> = {
  new: ["good", "Ready"],
  changed: ["look", "Changes"],
  moved: ["act", "Replaces another day"],
  unchanged: ["good", "Stored already"],
};

/** The rows of a file as they will be sent. */
function DepositRows({ rows, mapping, compared, nameOf }: RowsProps) {
  const stateOf = ({ deposit, problem, number }: CheckedRow): StateWords => {
    if (problem) return ["act", "Not sent"];
    if (!deposit) return ["idle", "Left out"];
    const row = compared?.get(number);
    return row ? comparedStates[row.state] : ["idle", "Not compared"];
  };
  const rankOf = (row: CheckedRow): number => {
    const [mark] = stateOf(row);
    return row.problem ? 0 : mark === "act" ? 1 : mark === "look" ? 2 : 3;
  };
  const columns: Column<CheckedRow>[] = [
    text("Row", ({ number }) => String(number)),
    ...(nameOf ? [text("Business", nameOf)] : []),
    text("Id", ({ texts }) => texts.id),
    text("Day posted", ({ texts, deposit }) => (deposit ? formatShortDay(deposit.posted_date) : texts.posted_date)),
    ...(columnOf(mapping, "business_date") === undefined
      ? []
      : [
          text<CheckedRow>("Business day", ({ texts, deposit }) =>
            deposit?.business_date ? formatShortDay(deposit.business_date) : texts.business_date,
          ),
        ]),
    text("Type", ({ texts, deposit }) => (deposit ? depositName(deposit.type) : texts.type)),
    {
      ...number("Amount", ({ deposit, texts }) => deposit?.amount ?? parseCents(texts.amount ?? ""), "cents"),
      none: "no amount",
    },
    {
      label: "Result",
      kind: "sentence",
      shown: (row) => (
        <>
          <State of={stateOf(row)} /> <span class="problem-words">{row.problem}</span>{" "}
          <span class="faint">{compared?.get(row.number)?.words}</span>
        </>
      ),
    },
  ];
  return (
    <StackTable
      style="numbered"
      caption="US dollars. Rows with a problem first, then changes, then the others."
      columns={columns}
      rows={rows.toSorted((one, other) => rankOf(one) - rankOf(other))}
      kindOf={(row) => (["act", "act", "look"] as const)[rankOf(row)]}
      firstRows={Math.min(rows.filter((row) => rankOf(row) < 2).length, maxProblems) + maxOthers}
    />
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
  const places = [...result].map(([id, sum]) => {
    const words = crbId ? "the business, day by day" : `${nameOf(id)} (${rowsOf(countOf(sum))})`;
    return [`#/businesses/${id}`, words] as const;
  });
  return (
    <Notice kind="good">
      <h2>
        The deposits are stored <ApiLink operation="storeDeposits" />
      </h2>
      <p>
        New: {sumOf("accepted")}. Changed: {sumOf("replaced")}. Stored already: {sumOf("unchanged")}.
        {notSent > 0 && ` Not sent: ${rowsOf(notSent)}. Correct the file, and choose it again.`}
      </p>
      <p>
        See the balance with them at <Links of={places} />.
      </p>
    </Notice>
  );
}
