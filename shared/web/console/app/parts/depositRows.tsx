import { type CheckedRow, columnOf, problemsFirst } from "../deposits/checkRows.ts";
import type { Mapping } from "../deposits/mapping.ts";
import { dollars } from "../money.ts";
import { depositNames } from "../texts.ts";
import { State } from "./mark.tsx";
import { type ShownColumn, StackTable } from "./stackTable.tsx";

/** Rows that are shown: those with a problem, and then the first of the others. */
const [maxProblems, maxOthers] = [100, 10];

function Result({ row: { problem, deposit } }: { row: CheckedRow }) {
  if (problem)
    return (
      <>
        <State of={["act", "Not sent"]} /> <span class="wrong-words">{problem}</span>
      </>
    );
  return <State of={deposit ? ["good", "Ready"] : ["idle", "Left out"]} />;
}

/** The rows of a file as they will be sent. */
export function DepositRows({ rows, mapping }: { rows: readonly CheckedRow[]; mapping: Mapping }) {
  const wrong = rows.filter(({ problem }) => problem).length;
  const shown = [
    ...problemsFirst(rows).slice(0, Math.min(wrong, maxProblems)),
    ...rows.filter(({ problem }) => !problem).slice(0, maxOthers),
  ];
  const columns: ShownColumn<CheckedRow>[] = [
    { label: "Row", cell: ({ number }) => number },
    { label: "Id", cell: ({ texts }) => texts.id ?? "" },
    { label: "Day posted", cell: ({ texts, deposit }) => deposit?.posted_date ?? texts.posted_date ?? "" },
    {
      label: "Type",
      cell: ({ texts, deposit }) => (deposit ? depositNames[deposit.type] : (texts.type ?? "")),
    },
    {
      label: "Amount",
      isNumber: true,
      cell: ({ texts, deposit }) => (deposit ? dollars(deposit.amount) : (texts.amount ?? "")),
    },
    { label: "Result", isWhole: true, cell: (row) => <Result row={row} /> },
  ];
  if (columnOf(mapping, "business_date") !== undefined)
    columns.splice(3, 0, {
      label: "Business day",
      cell: ({ texts, deposit }) => deposit?.business_date ?? texts.business_date ?? "",
    });
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
