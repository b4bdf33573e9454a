import { depositTypes } from "../../../../api/enumerations.ts";
import { Choice, Select } from "../../../browser/parts.tsx";
import { columnOf, typeOf, valuesIn } from "../deposits/checkRows.ts";
import { isAccountColumn, type Mapping, type Meaning, meanings, withMeaning } from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import { depositNames, meaningNames, type StateWords } from "../texts.ts";
import { StackTable } from "./dataTable.tsx";
import { Section } from "./layout.tsx";
import { State } from "./mark.tsx";

interface TableProps {
  file: CsvFile;
  mapping: Mapping;
  change(mapping: Mapping): void;
}

/** Codes that are shown at most. A column with more of them is no column of types. */
const maxCodes = 30;

const notSent = ["", "Do not send"] as const;
const meaningOptions = [notSent, ...meanings.map((meaning) => [meaning, meaningNames[meaning]] as const)];
const typeOptions = [["", "Choose"], ...depositTypes.map((type) => [type, depositNames[type]])] as [string, string][];

const meaningOf = (mapping: Mapping, column: string): Meaning | undefined =>
  Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;

/** What the columns of a file mean, and what the codes in its column of types mean. */
export function MappingTable({ file, mapping, change }: TableProps) {
  return (
    <Section title="Match columns">
      <StackTable
        style="form-rows"
        caption="Kept in this browser for your bank’s next file. Columns set to “Do not send” never leave this browser."
        columns={[
          { label: "Column of your file", value: (column: string) => column },
          { label: "First value", shown: (column) => <span class="code">{firstValue(file, column)}</span> },
          {
            label: "Means",
            shown: (column) =>
              isAccountColumn(column) ? (
                notSent[1]
              ) : (
                <Select
                  aria-label={`Meaning of ${column}`}
                  value={meaningOf(mapping, column) ?? ""}
                  options={meaningOptions}
                  changed={(meaning) => change(withMeaning(mapping, column, (meaning || undefined) as Meaning))}
                />
              ),
          },
          { label: "Found", shown: (column) => <State of={foundIn(file, mapping, column)} /> },
        ]}
        rows={file.columns}
        keyOf={(column) => column}
      />
      <Types file={file} mapping={mapping} change={change} />
    </Section>
  );
}

/** The first value of a column. Values of columns with account numbers are not shown. */
const firstValue = (file: CsvFile, column: string): string =>
  isAccountColumn(column) ? "····" : (valuesIn(file, column).find(Boolean) ?? "").slice(0, 40);

function foundIn(file: CsvFile, mapping: Mapping, column: string): StateWords {
  if (isAccountColumn(column)) return ["idle", "Account numbers are never sent"];
  const meaning = meaningOf(mapping, column);
  if (meaning === undefined) return ["idle", "Not sent"];
  const values = valuesIn(file, column);
  if (meaning === "id")
    return values.length === file.rows.length ? ["good", "No id twice"] : ["act", "The same id in several rows"];
  if (meaning !== "type") return ["good", "Checked below, row by row"];
  const open = values.filter((code) => typeOf(mapping, code) === undefined).length;
  return open > 0
    ? ["look", `${open} of ${values.length} codes have no type`]
    : ["good", `${values.length} codes matched`];
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
          id="type-of-all"
          label="Type of all rows"
          value={mapping.type ?? ""}
          options={typeOptions}
          changed={(type) => change({ ...mapping, type: depositTypes.find((each) => each === type) })}
        />
      )}
      {codes.map((code, index) => (
        <Choice
          key={code}
          id={`code-${index}`}
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
