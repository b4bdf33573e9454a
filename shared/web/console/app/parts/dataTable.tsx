// biome-ignore-all lint/a11y/noRedundantRoles: they keep rows a table for screen readers when the style shows them as blocks
import type { ComponentChildren } from "preact";
import { type Cell, csvOf } from "../csv.ts";
import { dollars } from "../money.ts";
import type { OperationId } from "../operations.ts";
import { saveFile } from "../saveFile.ts";
import { Section } from "./layout.tsx";

/** A column of a table and of its CSV file. The first column names the row. */
export interface Column<Row> {
  label: string;
  /** Amounts are in cents. A `count` of 0 is faint. A `sentence` takes a whole line where rows are blocks. */
  kind?: "number" | "count" | "dollars" | "cents" | "sentence";
  /** The value, which is also in the file; an amount as a number of dollars. A column without it is not in the file. */
  value?(row: Row): Cell | undefined;
  /** The end of a range that begins with the value. */
  high?(row: Row): number | null | undefined;
  /** How a value is shown, if not as it is. */
  shown?(row: Row): ComponentChildren;
  /** A line below the value. */
  under?(row: Row): ComponentChildren;
  /** The words for no value. */
  none?: string;
}

interface TableProps<Row> {
  /** The units and what the table includes. */
  caption: ComponentChildren;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Whether a row needs a decision or a look. */
  kindOf?: ((row: Row) => "act" | "look" | undefined) | undefined;
  /** The number of rows that narrow windows show; all if absent. */
  narrowRows?: number | undefined;
  /** Classes of the table, such as `tight`. */
  style?: string;
}

const isAmount = ({ kind }: Column<never>) => kind === "dollars" || kind === "cents";
const classOf = ({ kind }: Column<never>) => (kind === undefined ? undefined : kind === "sentence" ? "whole" : "n");

/** The content of a cell. A range is never shown as the value in its middle. */
function Content<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { kind, value, high, shown, under, none } = column;
  const low = value?.(row);
  if (value && low == null && none) return <span class="faint">{none}</span>;
  const [below, end] = [under?.(row), high?.(row)];
  const amount = (cents: number) => dollars(cents, kind === "dollars" ? 0 : 2);
  function text() {
    if (typeof low !== "number") return low;
    if (kind === "count") return low === 0 ? <span class="zero">0</span> : <strong>{low.toLocaleString()}</strong>;
    if (!isAmount(column)) return low.toLocaleString();
    return end == null || end === low ? amount(low) : [amount(low), <i> to </i>, amount(end)];
  }
  return (
    <>
      {shown ? shown(row) : high ? <span class="range">{text()}</span> : text()}
      {below && <span class="under">{below}</span>}
    </>
  );
}

/** A table. On narrow windows, each row becomes a block whose cells name their column. */
export function StackTable<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, kindOf, narrowRows = rows.length, style } = props;
  const styleOf = (row: Row, place: number) =>
    [kindOf?.(row), place >= narrowRows && "later"].filter(Boolean).join(" ") || undefined;
  return (
    <div class="panel">
      <table role="table" class={style}>
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.label} role="columnheader" scope="col" class={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, place) => (
            <tr key={keyOf(row)} role="row" class={styleOf(row, place)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} role="rowheader" scope="row">
                    <Content column={column} row={row} />
                  </th>
                ) : (
                  <td key={column.label} role="cell" class={classOf(column)} data-label={column.label}>
                    <span>
                      <Content column={column} row={row} />
                    </span>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DataTableProps<Row> extends Omit<TableProps<Row>, "style"> {
  title: string;
  operation: OperationId;
  /** The name of the CSV file, without its extension. */
  file: string;
  /** Whether cells have sentences, which break into lines. */
  isWrapped?: boolean;
  /** Fields that choose the rows. */
  filters?: ComponentChildren;
}

/** A table with a CSV file of the same rows. */
export function DataTable<Row>({ title, operation, file, isWrapped, filters, ...table }: DataTableProps<Row>) {
  const download = () => {
    const fields = table.columns.flatMap((column) => {
      const { label, value, high } = column;
      if (!value) return [];
      const scale = isAmount(column) ? 100 : 1;
      const field = (name: string, read: (row: Row) => Cell | undefined) => ({ name, read, scale });
      if (!high) return [field(label, value)];
      return [field(`${label}, at least`, value), field(`${label}, at most`, (row) => high(row) ?? value(row))];
    });
    const cells = table.rows.map((row) =>
      fields.map(({ read, scale }): Cell => {
        const cell = read(row) ?? null;
        return typeof cell === "number" ? cell / scale : cell;
      }),
    );
    const text = csvOf([fields.map(({ name }) => name), ...cells]);
    saveFile(`${file}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const bar = (
    <search class="bar">
      {filters}
      <button type="button" onClick={download}>
        <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 3v10M3.6 8.6 8 13l4.4-4.4" />
        </svg>
        Download CSV<span class="unseen">: {title}</span>
      </button>
    </search>
  );
  return (
    <Section title={title} operation={operation} side={bar}>
      <StackTable style={isWrapped ? "" : "tight"} {...table} />
    </Section>
  );
}
