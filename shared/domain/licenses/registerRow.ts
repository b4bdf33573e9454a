import * as z from "zod";
import {
  type LicenseSearchState,
  licenseMedRecClassifications,
  licensingAuthorityTiers,
  uniformLicenseStatuses,
  uniformLicenseTypes,
} from "../../api/enumerations.ts";
import { parseRegisterDate, parseRegisterInstant } from "../../time/parseRegisterDate.ts";
import type { RegisterLayout } from "./layouts/registerLayout.ts";
import { licenseId } from "./licenseId.ts";
import type { RegisterLicense } from "./registerLicense.ts";
import { uniformStatus, uniformType } from "./uniformLicense.ts";

/** The field of each alternative column name that a register uses. */
const otherNames: Readonly<Record<string, string>> = {
  license_number: "license_identifier",
  license_no: "license_identifier",
  licensee_name: "licensee",
  license_holder: "licensee",
  city: "locality",
  license_type: "reported_license_type_description",
  license_sub_type: "reported_license_sub_type",
  license_status: "reported_license_status",
  status: "reported_license_status",
  issue_date: "issued_at",
  expiration_date: "expires_at",
  dba: "businesses",
  trade_name: "businesses",
  business_name: "businesses",
};

/**
 * Normalizes a column name to the name of a field (docs/spec.md#license-search). Fields of the address get the prefix
 * `address_`.
 */
export function columnName(header: string): string {
  const name = header
    .trim()
    .toLowerCase()
    .replaceAll("licence", "license")
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .replace(/^licensing_authority_address_/, "address_");
  return otherNames[name] ?? name;
}

const most = { error: "must have at most 255 characters" };
const text = z
  .string()
  .trim()
  .max(255, most)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters to reject them
  .regex(/^[^\u0000-\u001f\u007f]*$/, { error: "must not contain control characters" })
  .transform((value) => value || null)
  .optional()
  .transform((value) => value ?? null);
const required = text.pipe(z.string({ error: "is required" }));
const optionOf = <const Values extends readonly string[]>(values: Values) =>
  text
    .transform((value) => values.find((each) => each.toLowerCase() === value?.toLowerCase()) ?? value)
    .pipe(z.enum(values, { error: "is not a listed value" }).nullable());
const converted = (convert: (value: string) => string | undefined, error: string) =>
  text.transform((value, context) => {
    const date = value === null ? null : convert(value);
    if (date !== undefined) return date;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
const date = converted(parseRegisterDate, "must be a date, yyyy-MM-dd or M/d/yyyy");
const moment = converted(parseRegisterInstant, "must be a date or a date with time and zone");
/** Names in one column, separated by semicolons. */
const names = z
  .string()
  .max(10_000, { error: "must have at most 10000 characters" })
  .optional()
  .transform((value) => (value ?? "").split(";").map((name) => name.trim().replaceAll(/\s+/g, " ")))
  .transform((all) => [...new Set(all)].filter((name) => name !== "").map((name) => ({ name })));

const row = z.object({
  licensee: text,
  license_identifier: text,
  locality: text,
  med_rec_classification: optionOf(licenseMedRecClassifications),
  licensing_authority_name: text,
  licensing_authority_tier: optionOf(licensingAuthorityTiers),
  address_street: text,
  address_premise: text,
  address_sub_premise: text,
  address_box_number: text,
  address_locality: text,
  address_sub_locality: text,
  address_region: text,
  address_sub_region: text,
  address_postal_code: text,
  address_country: text,
  address_created_at: moment,
  address_updated_at: moment,
  state_license_class_description: text,
  state_license_sub_class_description: text,
  state_license_status_description: text,
  reported_license_type_description: required,
  reported_license_status: required,
  reported_license_sub_type: text,
  uniform_license_type_description: optionOf(uniformLicenseTypes),
  uniform_license_status_description: optionOf(uniformLicenseStatuses),
  status_date: date,
  issued_at: date,
  expires_at: date,
  created_at: moment,
  updated_at: moment,
  edited_at: moment,
  businesses: names,
  individuals: names,
});

/** The columns in which every row needs a value. */
export const neededColumns = ["reported_license_type_description", "reported_license_status"] as const;

export interface Register {
  state: LicenseSearchState;
  /** The licensing authority of rows that do not name an authority. */
  authority: string | undefined;
  /** The part of the register that the file holds, if the state publishes its register as several files. */
  part?: string | undefined;
  /** How the state publishes its register; undefined for a file with the columns of `columnName`. */
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
  const number = values.license_identifier?.trim();
  const authority = authorityOf(register, values.licensing_authority_name?.trim() || null);
  if (!number || authority === undefined) return undefined;
  return licenseId({ license_identifier: number, licensing_authority_name: authority });
}

/**
 * Converts a row of a state's register to a license.
 *
 * @param values by `columnName`
 * @returns the license, or the reason for the rejection: a column and its problem, never the value
 */
export function readRow(register: Register, values: Readonly<Record<string, string>>): RegisterLicense | string {
  const { data, error } = row.safeParse(values);
  if (!data) return error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
  const { state } = register;
  const isState = state !== "CAN" && state !== "NLA";
  if (isState && data.address_region !== null && data.address_region.toUpperCase() !== state) {
    return `address_region is not ${state}`;
  }
  if (data.license_identifier === null && data.licensee === null) return "license_identifier or licensee is required";
  const authority = authorityOf(register, data.licensing_authority_name);
  if (authority === undefined) return "licensing_authority_name or the option --authority is required";
  const statusDate = data.status_date ?? data.issued_at;
  if (statusDate === null && !register.layout) return "status_date or issued_at is required";
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
    uniform_license_status_description:
      data.uniform_license_status_description ?? uniformStatus(data.reported_license_status),
    status_date: statusDate,
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
