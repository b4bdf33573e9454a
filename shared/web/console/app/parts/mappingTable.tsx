import { depositTypes } from "../../../../api/enumerations.ts";
import { Choice, Select } from "../../../browser/parts.tsx";
import { columnOf, typeOf, valuesIn } from "../deposits/checkRows.ts";
import {
  isAccountColumn,
  type Mapping,
  type Meaning,
  matchBusinesses,
  meanings,
  withMeaning,
} from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import { counted } from "../format.ts";
import { useOverview } from "../session.tsx";
import { depositName, meaningName, type StateWords } from "../texts.ts";
import { optionsOf } from "./businessFrame.tsx";
import { Section } from "./layout.tsx";
import { number, StackTable, state, text } from "./table.tsx";

interface TableProps {
  file: CsvFile;
  mapping: Mapping;
  /** The `crb_id` of each value in the column of businesses; undefined if the file is of one business. */
  matches?: ReadonlyMap<string, string> | undefined;
  change(mapping: Mapping): void;
}

/** Codes that are shown at most. A column with more of them is no column of types. */
const maxCodes = 30;

/** Values of businesses that are shown at most; those that are no name of a business come first. */
const maxValues = 100;

const notSent = ["", "Do not send"] as const;
const meaningOptions = [notSent, ...meanings.map((meaning) => [meaning, meaningName(meaning)] as const)];
/** The meanings in a file of one business. */
const ownOptions = meaningOptions.filter(([meaning]) => meaning !== "business");
const typeOptions = [["", "Choose"], ...depositTypes.map((type) => [type, depositName(type)])] as [string, string][];

const meaningOf = (mapping: Mapping, column: string): Meaning | undefined =>
  Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;

/** What the columns of a file mean, and what the codes in its column of types mean. */
export function MappingTable({ file, mapping, matches, change }: TableProps) {
  const options = matches ? meaningOptions : ownOptions;
  return (
    <Section title="Match columns">
      <StackTable
        style="form-rows"
        caption="Kept in this browser for your bank’s next file. Columns set to “Do not send” never leave this browser."
        columns={[
          text("Column of your file", (column: string) => column),
          { label: "First value", shown: (column: string) => <span class="code">{firstValue(file, column)}</span> },
          {
            label: "Means",
            shown: (column: string) =>
              isAccountColumn(column) ? (
                notSent[1]
              ) : (
                <Select
                  aria-label={`Meaning of ${column}`}
                  value={options.find(([meaning]) => meaning === meaningOf(mapping, column))?.[0] ?? ""}
                  options={options}
                  changed={(meaning) => change(withMeaning(mapping, column, (meaning || undefined) as Meaning))}
                />
              ),
          },
          state("Found", (column: string) => foundIn(file, mapping, matches, column)),
        ]}
        rows={file.columns}
      />
      <Types file={file} mapping={mapping} change={change} />
      {matches && matches.size > 0 && <Businesses {...{ file, mapping, matches, change }} />}
    </Section>
  );
}

/** The first value of a column. Values of columns with account numbers are not shown. */
const firstValue = (file: CsvFile, column: string): string =>
  isAccountColumn(column) ? "····" : (valuesIn(file, column).find(Boolean) ?? "").slice(0, 40);

function foundIn(file: CsvFile, mapping: Mapping, matches: TableProps["matches"], column: string): StateWords {
  if (isAccountColumn(column)) return ["idle", "Account numbers are never sent"];
  const meaning = meaningOf(mapping, column);
  if (meaning === undefined || (meaning === "business" && !matches)) return ["idle", "Not sent"];
  const values = valuesIn(file, column);
  if (meaning === "id")
    return values.length === file.rows.length ? ["good", "No id twice"] : ["act", "The same id in several rows"];
  if (meaning === "business") {
    const open = [...(matches?.values() ?? [])].filter((crbId) => !crbId).length;
    if (open > 0) return ["look", `${open} of ${values.length} values have no business`];
    return ["good", `${counted(values.length, "value")} matched; the texts are never sent`];
  }
  if (meaning !== "type") return ["good", "Checked below, row by row"];
  const open = values.filter((code) => typeOf(mapping, code) === undefined).length;
  return open > 0
    ? ["look", `${open} of ${values.length} codes have no type`]
    : ["good", `${counted(values.length, "code")} matched`];
}

/** The type of each code; of all rows, if the file has no column of types. */
function Types({ file, mapping, change }: TableProps) {
  const column = columnOf(mapping, "type");
  const codes = column === undefined ? [] : valuesIn(file, column);
  if (codes.length > maxCodes)
    return (
      <p class="problem-words">
        {column} has {codes.length} different values, so it cannot be the type of a posting. Choose another column.
      </p>
    );
  return (
    <div class="bar panel pad">
      {column === undefined && (
        <Choice
          label="Type of all rows"
          value={mapping.type ?? ""}
          options={typeOptions}
          changed={(type) => change({ ...mapping, type: depositTypes.find((each) => each === type) })}
        />
      )}
      {codes.map((code) => (
        <Choice
          key={code}
          label={code || "no code"}
          value={typeOf(mapping, code) ?? ""}
          options={[...typeOptions, ["skipped", notSent[1]]]}
          changed={(chosen) => {
            const type = chosen === "skipped" ? chosen : depositTypes.find((each) => each === chosen);
            if (type) change({ ...mapping, codes: { ...mapping.codes, [code]: type } });
          }}
        />
      ))}
    </div>
  );
}

/** A value in the column of businesses, with its `crb_id`. */
type Value = [value: string, crbId: string];

/** The business of each value. */
function Businesses({ file, mapping, matches, change }: TableProps & { matches: ReadonlyMap<string, string> }) {
  const businesses = useOverview().data?.data ?? [];
  const column = columnOf(mapping, "business") ?? "";
  const rowsOfValue = Map.groupBy(file.rows, ({ cells }) => cells[file.columns.indexOf(column)]?.trim() ?? "");
  // A choice must not move its row, so the order is that of the file's names.
  const values = [...matchBusinesses([...matches.keys()], {}, businesses)];
  const shown = [...values.filter(([, named]) => !named), ...values.filter(([, named]) => named)].slice(0, maxValues);
  return (
    <StackTable
      style="form-rows"
      caption={`Businesses in ${column}, kept in this browser: ${shown.length} of ${values.length.toLocaleString()}. Rows without a business are not sent.`}
      columns={[
        text<Value>("Value in your file", ([value]) => value || "no value"),
        number<Value>("Rows", ([value]) => rowsOfValue.get(value)?.length),
        {
          label: "Business",
          shown: ([value]: Value) => (
            <Select
              aria-label={`Business of ${value || "no value"}`}
              value={matches.get(value) ?? ""}
              options={[notSent, ...optionsOf(businesses)]}
              changed={(crbId) => change({ ...mapping, businesses: { ...mapping.businesses, [value]: crbId } })}
            />
          ),
        },
      ]}
      rows={shown}
    />
  );
}
