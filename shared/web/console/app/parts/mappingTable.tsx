import { depositTypes } from "../../../../api/enumerations.ts";
import { columnOf, typeOf, valuesIn } from "../deposits/checkRows.ts";
import {
  type DepositType,
  isAccountColumn,
  type Mapping,
  type Meaning,
  meanings,
  withMeaning,
} from "../deposits/mapping.ts";
import type { CsvFile } from "../deposits/readCsv.ts";
import { depositNames, meaningNames, type StateWords } from "../texts.ts";
import { State } from "./mark.tsx";
import { StackTable } from "./stackTable.tsx";

interface TableProps {
  file: CsvFile;
  mapping: Mapping;
  change(mapping: Mapping): void;
}

/** Codes that are shown at most. A column with more of them is no column of types. */
const maxCodes = 30;

/** What the columns of a file mean, and what the codes in its column of types mean. */
export function MappingTable({ file, mapping, change }: TableProps) {
  const typeColumn = columnOf(mapping, "type");
  return (
    <section aria-labelledby="map">
      <div class="section-head">
        <h2 id="map">Match columns</h2>
      </div>
      <StackTable
        style="form-rows"
        caption="Kept in this browser for your bank’s next file. Columns set to “Do not send” never leave this browser."
        columns={[
          { label: "Column of your file", cell: (column: string) => column },
          { label: "First value", cell: (column) => <FirstValue file={file} column={column} /> },
          {
            label: "Means",
            cell: (column) => <MeaningChoice column={column} mapping={mapping} change={change} />,
          },
          { label: "Found", cell: (column) => <State of={foundIn(file, mapping, column)} /> },
        ]}
        rows={file.columns}
        keyOf={(column) => column}
      />
      {typeColumn === undefined ? (
        <TypeOfAll mapping={mapping} change={change} />
      ) : (
        <Codes file={file} column={typeColumn} mapping={mapping} change={change} />
      )}
    </section>
  );
}

/** The first value of a column. Values of columns with account numbers are not shown. */
function FirstValue({ file, column }: { file: CsvFile; column: string }) {
  const value = valuesIn(file, column).find(Boolean) ?? "";
  return <span class="code">{isAccountColumn(column) ? "····" : value.slice(0, 40)}</span>;
}

interface ChoiceProps extends Omit<TableProps, "file"> {
  column: string;
}

function MeaningChoice({ column, mapping, change }: ChoiceProps) {
  if (isAccountColumn(column)) return <>Do not send</>;
  const value = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : "";
  return (
    <select
      aria-label={`Meaning of ${column}`}
      value={value}
      onChange={({ currentTarget }) =>
        change(withMeaning(mapping, column, (currentTarget.value || undefined) as Meaning | undefined))
      }
    >
      <option value="">Do not send</option>
      {meanings.map((meaning) => (
        <option key={meaning} value={meaning}>
          {meaningNames[meaning]}
        </option>
      ))}
    </select>
  );
}

function foundIn(file: CsvFile, mapping: Mapping, column: string): StateWords {
  if (isAccountColumn(column)) return ["idle", "Account numbers are never sent"];
  const meaning = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
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

function Codes({ file, column, mapping, change }: TableProps & { column: string }) {
  const codes = valuesIn(file, column);
  if (codes.length > maxCodes)
    return (
      <p class="problem-words">
        {column} has {codes.length} different values, so it cannot be the type of a posting. Choose another column.
      </p>
    );
  return (
    <div class="bar panel pad">
      {codes.map((code, index) => (
        <TypeChoice
          key={code}
          id={`code-${index}`}
          label={code || "no code"}
          value={typeOf(mapping, code)}
          canSkip
          changed={(type) => type && change({ ...mapping, codes: { ...mapping.codes, [code]: type } })}
        />
      ))}
    </div>
  );
}

function TypeOfAll({ mapping, change }: Omit<TableProps, "file">) {
  return (
    <div class="bar panel pad">
      <TypeChoice
        id="type-of-all"
        label="Type of all rows"
        value={mapping.type}
        changed={(type) => change({ ...mapping, type: type === "skipped" ? undefined : type })}
      />
    </div>
  );
}

interface TypeProps {
  id: string;
  label: string;
  value: DepositType | "skipped" | undefined;
  canSkip?: boolean;
  changed(type: DepositType | "skipped" | undefined): void;
}

function TypeChoice({ id, label, value, canSkip, changed }: TypeProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value ?? ""}
        onChange={({ currentTarget }) => changed((currentTarget.value || undefined) as DepositType | undefined)}
      >
        <option value="">Choose</option>
        {depositTypes.map((type) => (
          <option key={type} value={type}>
            {depositNames[type]}
          </option>
        ))}
        {canSkip && <option value="skipped">Do not send</option>}
      </select>
    </div>
  );
}
