import type { LicenseSearchState, UniformLicenseStatus, UniformLicenseType } from "../../../api/enumerations.ts";

/** How a state publishes its register: the columns, and the words in them. */
export interface RegisterLayout {
  /** The publisher and the file, for the output of the import. */
  name: string;
  /** Where the state publishes the file. */
  source: string;
  state: LicenseSearchState;
  /** The licensing authority. The state's files do not name it. */
  authority: string;
  /** The fields by column. Of other columns, only statuses and dates are read, by their general names (`RegisterColumns`). */
  columns: Readonly<Record<string, LayoutField>>;
  /** Columns that have the general name of a status or a date, and another meaning. */
  otherColumns?: readonly string[];
  /** The columns by which a file is recognized. */
  recognizedBy: readonly string[];
  /** Fields that the register does not have, with the value that the publication implies. A column of the field replaces it. */
  constants?: Partial<Record<LayoutField, string>>;
  /** Texts that the state writes for an absent value, in lower case. */
  absentTexts?: readonly string[];
  /** The uniform status by the state's word, in lower case. `readStatus` reads words that are not listed. */
  statuses: Readonly<Record<string, UniformLicenseStatus>>;
  /** The uniform type by the state's word, in lower case. The general rules apply to words that are not listed. */
  types?: Readonly<Record<string, UniformLicenseType>>;
  /** The classification by the state's word, in lower case. */
  classifications?: Readonly<Record<string, "both" | "hemp" | "medical" | "recreational">>;
  /** The suffix that the import removes from each license type. */
  typeSuffix?: string;
  /** The format of the dates, if `parseRegisterDate` does not read it. */
  dateForm?: "MM-dd-yyyy";
  /** Whether the state publishes a file for each license type. A file then says nothing about other types. */
  hasFilePerType?: true;
}

/** The fields that a layout can fill (`registerRow.ts`). */
type LayoutField =
  | "license_identifier"
  | "licensee"
  | "businesses"
  | "locality"
  | "med_rec_classification"
  | "reported_license_type_description"
  | "reported_license_sub_type"
  | "reported_license_status"
  | "state_license_class_description"
  | "status_date"
  | "issued_at"
  | "expires_at";

/** The letters and digits of a column's name. States change letter case, blanks and punctuation between publications. */
export const compactName = (header: string): string =>
  header
    .toLowerCase()
    .replaceAll("licence", "license")
    .replaceAll(/[^a-z0-9]/g, "");

/** Finds the layout of a state's file by the file's first line; undefined if none fits. */
export function findLayout(
  layouts: readonly RegisterLayout[],
  state: LicenseSearchState,
  header: readonly string[],
): RegisterLayout | undefined {
  const keys = new Set(header.map(compactName));
  return layouts.find(
    (layout) => layout.state === state && layout.recognizedBy.every((column) => keys.has(compactName(column))),
  );
}

/**
 * Converts a row of a state's file to the values that `readRow` reads.
 *
 * @param values by field, an empty text if the field's column has no value
 */
export function readLayoutRow(
  layout: RegisterLayout,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const { absentTexts = [], constants = {}, typeSuffix, types = {}, classifications = {}, statuses } = layout;
  const present = Object.entries(values)
    .map(([field, value]) => [field, value.trim()] as const)
    .filter(([, value]) => value !== "" && !absentTexts.includes(value.toLowerCase()));
  const implied = Object.entries(constants).filter(([field]) => values[field] === undefined);
  const row: Record<string, string> = Object.fromEntries([...implied, ...present]);
  const type = row.reported_license_type_description;
  if (type !== undefined && typeSuffix !== undefined && type.endsWith(typeSuffix)) {
    row.reported_license_type_description = type.slice(0, -typeSuffix.length).trim();
  }
  for (const field of ["status_date", "issued_at", "expires_at"] as const) {
    const text = row[field];
    if (text !== undefined) row[field] = toIsoDate(layout, text);
  }
  const uniformType = types[(row.reported_license_type_description ?? "").toLowerCase()];
  const classification = row.med_rec_classification;
  const status = statuses[(row.reported_license_status ?? "").toLowerCase()];
  return {
    ...row,
    licensing_authority_name: layout.authority,
    ...(status &&
      row.uniform_license_status_description === undefined && { uniform_license_status_description: status }),
    ...(uniformType && { uniform_license_type_description: uniformType }),
    med_rec_classification: (classification && classifications[classification.toLowerCase()]) ?? "",
  };
}

function toIsoDate({ dateForm }: RegisterLayout, text: string): string {
  const [, month, day, year] = (dateForm && /^(\d{2})-(\d{2})-(\d{4})$/.exec(text)) || [];
  return year === undefined ? text : `${year}-${month}-${day}`;
}
