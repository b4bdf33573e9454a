import type { ComponentChildren } from "preact";
import { type Cell, csvOf } from "../csv.ts";
import type { OperationId } from "../operations.ts";
import { saveFile } from "../saveFile.ts";
import { ApiLink } from "./apiLink.tsx";
import { type ShownColumn, StackTable } from "./stackTable.tsx";

/** A column of a table that is also in its CSV file. */
export interface Column<Row> extends ShownColumn<Row> {
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
  /** Whether a row needs a decision or a look. */
  kindOf?(row: Row): "act" | "look" | undefined;
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
  const { title, caption, columns, rows, keyOf, kindOf, operation, file, isWrapped, narrowRows, filters } = props;
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
      <StackTable style={isWrapped ? "" : "tight"} {...{ caption, columns, rows, keyOf, kindOf, narrowRows }} />
    </section>
  );
}
