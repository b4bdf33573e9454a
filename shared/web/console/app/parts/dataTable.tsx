// biome-ignore-all lint/a11y/noRedundantRoles: they keep rows a table for screen readers when the style shows them as blocks
import type { ComponentChildren } from "preact";
import { type Cell, csvOf } from "../csv.ts";
import type { OperationId } from "../operations.ts";
import { saveFile } from "../saveFile.ts";
import { ApiLink } from "./apiLink.tsx";

/** A column of a table. The first column names the row. */
export interface Column<Row> {
  label: string;
  isNumber?: boolean;
  cell(row: Row): ComponentChildren;
  /** The value in the file; an amount as a number of dollars. */
  csv(row: Row): Cell;
}

interface TableProps<Row> {
  title: string;
  /** The units and what the table includes. */
  caption: ComponentChildren;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  operation: OperationId;
  /** The name of the CSV file, without its extension. */
  file: string;
  /** The number of rows that narrow windows show; all if absent. */
  narrowRows?: number;
  /** Whether cells have sentences, which break into lines. */
  isWrapped?: boolean;
  /** Fields that choose the rows. */
  filters?: ComponentChildren;
}

/** A table with a CSV file of the same rows. On narrow windows, each row becomes a block whose cells name their column. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { title, caption, columns, rows, keyOf, operation, file, isWrapped, filters } = props;
  const { narrowRows = rows.length } = props;
  const id = `table-${file}`;
  const download = () => {
    const cells = [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ csv }) => csv(row)))];
    saveFile(`${file}.csv`, new Blob([csvOf(cells)], { type: "text/csv" }));
  };
  return (
    <section aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>
          {title} <ApiLink operation={operation} />
        </h2>
        <search class="bar">
          {filters}
          <button type="button" class="push" onClick={download}>
            <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
              <path d="M8 3v10M3.6 8.6 8 13l4.4-4.4" />
            </svg>
            Download CSV<span class="unseen">: {title}</span>
          </button>
        </search>
      </div>
      <div class="panel">
        <table role="table" class={isWrapped ? "stack" : "stack tight"}>
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
              <tr key={keyOf(row)} role="row" class={place < narrowRows ? undefined : "later"}>
                {columns.map(({ label, isNumber, cell }, index) =>
                  index === 0 ? (
                    <th key={label} role="rowheader" scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={label} role="cell" class={isNumber ? "n" : undefined} data-label={label}>
                      <span class="v">{cell(row)}</span>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
