import * as z from "zod";
import {
  type LicenseSearchState,
  licenseMedRecClassifications,
  licensingAuthorityTiers,
  uniformLicenseStatuses,
  uniformLicenseTypes,
} from "../../api/enumerations.ts";
import {
  type CellFault,
  codeUpTo,
  createFieldError,
  dateText,
  day,
  idUpTo,
  lineUpTo,
  read,
} from "../../cells/cellFields.ts";
import { parseRegisterInstant } from "../../time/parseRegisterDate.ts";
import type { RegisterLayout } from "./layouts/registerLayout.ts";
import { licenseId } from "./licenseId.ts";
import { readStatus } from "./readStatus.ts";
import type { RegisterLicense } from "./registerLicense.ts";
import { uniformType } from "./uniformLicense.ts";

/** Maximum of characters in a cell of names. Any other cell has at most 255. */
const maxNames = 10_000;

const line = lineUpTo(255);
const code = codeUpTo(255);
const required = line.pipe(z.string(createFieldError()));
const optionOf = <const Values extends readonly string[]>(values: Values) =>
  line
    .transform((value) => values.find((each) => each.toLowerCase() === value?.toLowerCase()) ?? value)
    .pipe(z.enum(values, { error: "not_listed" }).nullable());
const moment = dateText.transform(read("not_an_instant", parseRegisterInstant));
/** Names in one column, separated by semicolons. */
const names = lineUpTo(maxNames)
  .transform((value) => (value ?? "").split(";").map((name) => name.trim().replaceAll(/\s+/g, " ")))
  .transform((all) => [...new Set(all)].filter((name) => name !== "").map((name) => ({ name })));

/** The rest of the sentence that begins with the column, for each reason for which a cell is rejected. */
const problems: Readonly<Record<CellFault | "not_listed", string>> = {
  required: "is required",
  wrong_type: "must be text",
  spreadsheet_error: "is an error of a spreadsheet, such as #REF! or ####",
  too_long: "must have at most 255 characters",
  unreadable_character: "has bytes that are not UTF-8, or control characters; save the file as UTF-8",
  line_break: "must not contain line breaks or tabs",
  rounded_number: "is a number that a spreadsheet has rounded, such as 1.23E+11; format the column as text",
  changed_to_date: "is a number that a spreadsheet has changed to a date, such as 2-Jan; format the column as text",
  report_line: "is the label of a total or another line of a report, not a license",
  not_a_date: "must be a date, yyyy-MM-dd or M/d/yyyy",
  not_an_instant: "must be a date or a date with time and zone",
  not_listed: "is not a listed value",
};

function problemOf({ path, message }: z.core.$ZodIssue): string {
  const [column] = path;
  const isNames = message === "too_long" && (column === "businesses" || column === "individuals");
  const problem = isNames ? `must have at most ${maxNames} characters` : problems[message as keyof typeof problems];
  return `${path.join(".")} ${problem}`;
}

const row = z.object({
  licensee: line,
  license_identifier: idUpTo(255),
  locality: line,
  med_rec_classification: optionOf(licenseMedRecClassifications),
  licensing_authority_name: line,
  licensing_authority_tier: optionOf(licensingAuthorityTiers),
  address_street: line,
  address_premise: line,
  address_sub_premise: line,
  address_box_number: line,
  address_locality: line,
  address_sub_locality: line,
  address_region: line,
  address_sub_region: line,
  address_postal_code: code,
  address_country: line,
  address_created_at: moment,
  address_updated_at: moment,
  state_license_class_description: line,
  state_license_sub_class_description: line,
  state_license_status_description: line,
  reported_license_type_description: required,
  reported_license_status: required,
  reported_license_sub_type: line,
  uniform_license_type_description: optionOf(uniformLicenseTypes),
  uniform_license_status_description: optionOf(uniformLicenseStatuses),
  status_date: day,
  issued_at: day,
  expires_at: day,
  created_at: moment,
  updated_at: moment,
  edited_at: moment,
  businesses: names,
  individuals: names,
});

/** The columns that identify a license. */
const identity = row.pick({ license_identifier: true, licensing_authority_name: true });

/** The fields that a row can have. Those of the authority's address have the prefix `address_`. */
export const registerFields: readonly string[] = Object.keys(row.shape);

/** The columns in which every row needs a value. */
export const neededColumns = ["reported_license_type_description", "reported_license_status"] as const;

export interface Register {
  state: LicenseSearchState;
  /** The licensing authority of rows that do not name an authority. */
  authority: string | undefined;
  /** The part of the register that the file holds, if the state publishes its register as several files. */
  part?: string | undefined;
  /** How the state publishes its register; undefined for a file with columns of general names (`fieldOfColumn`). */
  layout?: RegisterLayout | undefined;
}

/** The part of the register that a license belongs to. It has no braces, which end the entries of a generation. */
export function partOfLicense({ part, layout }: Register, content: RegisterLicense["content"]): string | undefined {
  if (part !== undefined || !layout?.hasFilePerType) return part;
  return content.reported_license_type_description.replaceAll(/[{}]/g, " ").slice(0, 60);
}

/**
 * The name under which the day of a register's last import is stored. A license that a file lacks is missing only if
 * its last file had the same name.
 */
export const registerName = ({ state, part }: { state: string; part?: string | undefined }): string =>
  part === undefined ? state : `${state} ${part}`;

const authorityOf = ({ state, authority }: Register, named: string | null): string | undefined =>
  state === "NLA" ? "" : (named ?? authority);

/**
 * The id of the license in a row, even if other values of the row are invalid.
 *
 * @returns undefined if the row has no number or no authority
 */
export function idInRow(register: Register, values: Readonly<Record<string, string>>): string | undefined {
  const { data } = identity.safeParse(values);
  const number = data?.license_identifier;
  const authority = authorityOf(register, data?.licensing_authority_name ?? null);
  if (!number || authority === undefined) return undefined;
  return licenseId({ license_identifier: number, licensing_authority_name: authority });
}

/**
 * Converts a row of a state's register to a license.
 *
 * @param values by field
 * @returns the license, or the reason for the rejection: a column and its problem, never the value
 */
export function readRow(register: Register, values: Readonly<Record<string, string>>): RegisterLicense | string {
  const { data, error } = row.safeParse(values);
  if (!data) return error.issues.map(problemOf).join("; ");
  const { state } = register;
  const isState = state !== "CAN" && state !== "NLA";
  if (isState && data.address_region !== null && data.address_region.toUpperCase() !== state) {
    return `address_region is not ${state}`;
  }
  if (data.license_identifier === null && data.licensee === null) return "license_identifier or licensee is required";
  const authority = authorityOf(register, data.licensing_authority_name);
  if (authority === undefined) return "licensing_authority_name or the option --authority is required";
  if (data.status_date === null && data.issued_at === null && !register.layout)
    return "status_date or issued_at is required";
  const uniformStatus = data.uniform_license_status_description ?? readStatus(data.reported_license_status).uniform;
  const content: RegisterLicense["content"] = {
    licensee: data.licensee,
    license_identifier: data.license_identifier,
    locality: data.locality,
    med_rec_classification: data.med_rec_classification,
    licensing_authority_name: authority,
    licensing_authority_tier: data.licensing_authority_tier ?? "region",
    licensing_authority_address: {
      street: data.address_street,
      premise: data.address_premise,
      sub_premise: data.address_sub_premise,
      box_number: data.address_box_number,
      locality: data.address_locality,
      sub_locality: data.address_sub_locality,
      region: isState ? state : data.address_region,
      sub_region: data.address_sub_region,
      postal_code: data.address_postal_code,
      country: state === "CAN" ? "Canada" : (data.address_country ?? (isState ? "United States" : null)),
      created_at: data.address_created_at,
      updated_at: data.address_updated_at,
    },
    state_license_class_description: data.state_license_class_description,
    state_license_sub_class_description: data.state_license_sub_class_description,
    state_license_status_description: data.state_license_status_description,
    reported_license_type_description: data.reported_license_type_description,
    reported_license_status: data.reported_license_status,
    reported_license_sub_type: data.reported_license_sub_type,
    uniform_license_type_description:
      data.uniform_license_type_description ?? uniformType(data.reported_license_type_description),
    uniform_license_status_description: uniformStatus,
    // An issue date is no date on which a license ended.
    status_date: data.status_date ?? (uniformStatus === "Active" ? data.issued_at : null),
    issued_at: data.issued_at,
    expires_at: data.expires_at,
    created_at: data.created_at,
    updated_at: data.updated_at,
    edited_at: data.edited_at,
    businesses: data.businesses,
    individuals: data.individuals,
  };
  return { id: licenseId(content), content };
}
