// biome-ignore-all lint/a11y/noRedundantRoles: they keep rows a table for screen readers when the style shows them as blocks
import type { ComponentChildren } from "preact";

/** A column of a table. The first column names the row. */
export interface ShownColumn<Row> {
  label: string;
  isNumber?: boolean;
  /** Whether the cell takes a whole line where rows are blocks. */
  isWhole?: boolean;
  cell(row: Row): ComponentChildren;
}

interface TableProps<Row> {
  /** The units and what the table includes. */
  caption: ComponentChildren;
  columns: readonly ShownColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Whether a row needs a decision or a look. */
  kindOf?: ((row: Row) => "act" | "look" | undefined) | undefined;
  /** The number of rows that narrow windows show; all if absent. */
  narrowRows?: number | undefined;
  /** Classes of the table, such as `tight`. */
  style?: string;
}

/** A table. On narrow windows, each row becomes a block whose cells name their column. */
export function StackTable<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, kindOf, narrowRows = rows.length, style = "" } = props;
  const classOf = (row: Row, place: number) =>
    [kindOf?.(row), place >= narrowRows && "later"].filter(Boolean).join(" ");
  return (
    <div class="panel">
      <table role="table" class={`stack ${style}`}>
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label, isNumber }) => (
              <th key={label} role="columnheader" scope="col" class={isNumber ? "n" : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, place) => (
            <tr key={keyOf(row)} role="row" class={classOf(row, place) || undefined}>
              {columns.map(({ label, isNumber, isWhole, cell }, index) =>
                index === 0 ? (
                  <th key={label} role="rowheader" scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={label} role="cell" class={isNumber ? "n" : isWhole ? "whole" : undefined} data-label={label}>
                    <span class="v">{cell(row)}</span>
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
