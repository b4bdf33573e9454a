// biome-ignore-all lint/a11y/noRedundantRoles: they keep rows a table for screen readers when the style shows them as blocks
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { type Cell, csvOf, saveFile } from "../files.ts";
import { dollars, formatTime } from "../format.ts";
import type { OperationId } from "../operations.ts";
import type { StateWords } from "../texts.ts";
import { Section } from "./layout.tsx";
import { State } from "./marks.tsx";

/** A column of a table and of its CSV file. The first column names the row. */
export interface Column<Row> {
  label: string;
  /** Amounts are in cents. A `count` of 0 is faint. A `sentence` takes a whole line where rows are blocks. */
  kind?: "number" | "count" | "dollars" | "cents" | "sentence";
  /** The value, which is also in the file; an amount as a number of dollars. A column without it is not in the file. */
  value?(row: Row): Cell | undefined;
  /** Whether the table shows the value in another column. */
  isInFileOnly?: boolean;
  /** The end of a range that begins with the value; nothing if it is not known. */
  high?(row: Row): number | null | undefined;
  /** How a value is shown, if not as it is. */
  shown?(row: Row): ComponentChildren;
  /** A line below the value. */
  under?(row: Row): ComponentChildren;
  /** The words for no value. */
  none?: string;
  /** What the last row of the table has of all rows. */
  total?(rows: readonly Row[]): ComponentChildren;
}

/** The parts of a column that its kind does not give. */
type More<Row> = Omit<Partial<Column<Row>>, "label" | "value" | "kind">;
type Of<Row, Value> = (row: Row) => Value | null | undefined;

/** A column of texts. */
export const text = <Row,>(label: string, value: Of<Row, string>, more?: More<Row>): Column<Row> => ({
  ...{ label, value, ...more },
});

/** A column of numbers or of amounts in cents. */
export const number = <Row,>(
  label: string,
  value: Of<Row, number>,
  kind: "number" | "count" | "dollars" | "cents" = "number",
  more?: More<Row>,
): Column<Row> => ({ label, value, kind, ...more });

/** A column of days (yyyy-MM-dd). */
export const day = <Row,>(label: string, value: Of<Row, string>, more?: More<Row>): Column<Row> => ({
  ...{ label, value, shown: (row: Row) => formatShortDay(value(row) ?? ""), ...more },
});

/** A column of instants (ISO 8601). */
export const time = <Row,>(label: string, value: Of<Row, string>, more?: More<Row>): Column<Row> => ({
  ...{ label, value, shown: (row: Row) => formatTime(value(row) ?? ""), ...more },
});

/** A column of states, in words also in the file. */
export const state = <Row,>(label: string, of: Of<Row, StateWords>, more?: More<Row>): Column<Row> => ({
  ...{ label, value: (row: Row) => of(row)?.[1], shown: (row: Row) => <State of={of(row) ?? ["idle", ""]} />, ...more },
});

/** Rows with an `id` are known by it, all others by their place. */
interface TableProps<Row> {
  /** The units and what the table includes. */
  caption: ComponentChildren;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Whether a row needs a decision or a look. */
  kindOf?: ((row: Row) => "act" | "look" | undefined) | undefined;
  /** The number of rows that are shown at first, in any window and in a narrow one; all if absent. */
  firstRows?: number | undefined;
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
  const [below, end] = [under?.(row), high?.(row)];
  const absent = value && low == null ? none : undefined;
  const amount = (cents: number) => dollars(cents, kind === "dollars" ? 0 : 2);
  function words() {
    if (absent) return <span class="faint">{absent}</span>;
    if (typeof low !== "number") return low;
    if (kind === "count") return low === 0 ? <span class="faint">0</span> : <strong>{low.toLocaleString()}</strong>;
    if (!isAmount(column)) return low.toLocaleString();
    return end == null || end === low ? amount(low) : [amount(low), <i> to </i>, amount(end)];
  }
  return (
    <>
      {shown && !absent ? shown(row) : high ? <span class="range">{words()}</span> : words()}
      {below ? <span class="under">{below}</span> : null}
    </>
  );
}

/** A table. On narrow windows, each row becomes a block whose cells name their column. */
export function StackTable<Row>(props: TableProps<Row>) {
  const { caption, rows, kindOf, firstRows = rows.length, narrowRows = rows.length, style } = props;
  const columns = props.columns.filter(({ isInFileOnly }) => !isInFileOnly);
  const [isWhole, setWhole] = useState(false);
  const styleOf = (row: Row, place: number) =>
    [kindOf?.(row), place >= narrowRows && !isWhole && "later"].filter(Boolean).join(" ") || undefined;
  const cells = (contentOf: (column: Column<Row>) => ComponentChildren) =>
    columns.map((column, index) =>
      index === 0 ? (
        <th key={column.label} role="rowheader" scope="row">
          {contentOf(column)}
        </th>
      ) : (
        <td key={column.label} role="cell" class={classOf(column)} data-label={column.label}>
          <span>{contentOf(column)}</span>
        </td>
      ),
    );
  if (rows.length === 0) return <p class="panel pad faint">None.</p>;
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
          {rows.slice(0, isWhole ? rows.length : firstRows).map((row, place) => (
            <tr key={(row as { id?: string }).id ?? place} role="row" class={styleOf(row, place)}>
              {cells((column) => (
                <Content column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
        {columns.some(({ total }) => total) && (
          <tfoot role="rowgroup">
            <tr role="row">{cells(({ total }) => total?.(rows))}</tr>
          </tfoot>
        )}
      </table>
      {!isWhole && rows.length > Math.min(firstRows, narrowRows) && (
        <button
          type="button"
          class={rows.length > firstRows ? "link more" : "link more narrow"}
          onClick={() => setWhole(true)}
        >
          Show all {rows.length.toLocaleString()}
        </button>
      )}
    </div>
  );
}

interface DataTableProps<Row> extends Omit<TableProps<Row>, "style"> {
  title: string;
  operation: OperationId;
  /** What the name of the CSV file begins with, if it is not the title. */
  file?: string;
  /** Whether cells have sentences, which break into lines. */
  isWrapped?: boolean;
  /** Fields that choose the rows. */
  filters?: ComponentChildren;
}

/** A table with a CSV file of the same rows. */
export function DataTable<Row>({ title, operation, file = title, isWrapped, filters, ...table }: DataTableProps<Row>) {
  return (
    <Section
      title={title}
      operation={operation}
      side={
        <search class="bar">
          {filters}
          <button type="button" onClick={() => saveFile(`${file}.csv`, csvOf(cellsOf(table)))}>
            <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M8 3v10M3.6 8.6 8 13l4.4-4.4" />
            </svg>
            Download CSV<span class="unseen">: {title}</span>
          </button>
        </search>
      }
    >
      <StackTable style={isWrapped ? "" : "tight"} {...table} />
    </Section>
  );
}

/** The rows of a table for a file, after a row with the names of their columns. */
function cellsOf<Row>({ columns, rows }: Pick<TableProps<Row>, "columns" | "rows">): Cell[][] {
  const fields = columns.flatMap((column) => {
    const { label, value, high } = column;
    if (!value) return [];
    const scale = isAmount(column) ? 100 : 1;
    const unit = isAmount(column) ? " (US dollars)" : "";
    const field = (name: string, read: Of<Row, Cell>) => ({ name: name + unit, read, scale });
    if (!high) return [field(label, value)];
    return [field(`${label}, at least`, value), field(`${label}, at most`, high)];
  });
  const cellIn = (row: Row, { read, scale }: (typeof fields)[number]): Cell => {
    const cell = read(row) ?? null;
    return typeof cell === "number" ? cell / scale : cell;
  };
  return [fields.map(({ name }) => name), ...rows.map((row) => fields.map((field) => cellIn(row, field)))];
}
