import { compactName } from "./layouts/registerLayout.ts";
import { registerFields } from "./registerRow.ts";

/** Other names of fields, compared by `compactName`. They are headers of published registers. */
const otherNames: Readonly<Record<string, string>> = {
  license_number: "license_identifier",
  license_no: "license_identifier",
  licensee_name: "licensee",
  license_holder: "licensee",
  license_holder_name: "licensee",
  licensee_legal_name: "licensee",
  legal_name: "licensee",
  legal_business_name: "licensee",
  business_legal_name: "licensee",
  legal_entity_name: "licensee",
  entity_name: "licensee",
  city: "locality",
  license_type: "reported_license_type_description",
  license_sub_type: "reported_license_sub_type",
  dba: "businesses",
  dba_name: "businesses",
  doing_business_as: "businesses",
  trade_name: "businesses",
  business_name: "businesses",
};

const fieldsByName = new Map<string, string>([
  ...registerFields.map((field) => [compactName(field), field] as const),
  ...registerFields
    .filter((field) => field.startsWith("address_"))
    .map((field) => [compactName(`licensing_authority_${field}`), field] as const),
  ...Object.entries(otherNames).map(([name, field]) => [compactName(name), field] as const),
]);

/** Words that do not change which status or date a column has. */
const plainWords = new Set(
  "license licence lic permit record current reported description desc the of on at".split(" "),
);
const dateWords = new Set(["date", "dt", "day"]);

/**
 * The field of a column with a general name. The columns of statuses and dates have many names, so their words decide:
 * "License Expiration Date", "ExpDate" and "Date of Expiry" are `expires_at`. A word with another meaning, as in
 * "Lease Expiration Date" or "Application Status", leaves the column without a field.
 *
 * @returns undefined if no field has this name
 */
export function fieldOfColumn(header: string): string | undefined {
  const named = fieldsByName.get(compactName(header));
  if (named !== undefined) return named;
  const words = header
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replaceAll(/(exp|issued?|expiration|status|expiry)(date|dt)\b/g, "$1 $2")
    .match(/[\p{L}\p{N}]+/gu);
  if (!words) return undefined;
  const isOfLicense = words.some((word) => /^(licen[cs]e|lic|permit)$/.test(word));
  const isDate = words.some((word) => dateWords.has(word)) || words.includes("on") || words.includes("at");
  const rest = words.filter((word) => !plainWords.has(word) && !dateWords.has(word)).join(" ");
  if (/^(expiration|expiry|expires|exp)$/.test(rest)) return "expires_at";
  if (/^(expire|expired)$/.test(rest) && isDate) return "expires_at";
  if (/^(valid|good) (until|through|thru|to|till)$/.test(rest)) return "expires_at";
  if (/^ends?$/.test(rest) && isOfLicense && isDate) return "expires_at";
  if (/^(issue|issued|issuance)$/.test(rest) && isDate) return "issued_at";
  if (/^starts?$/.test(rest) && isOfLicense && isDate) return "issued_at";
  if (/^status (since|as|effective|changed?|updated?)$/.test(rest) || (rest === "status" && isDate))
    return "status_date";
  return rest === "status" ? "reported_license_status" : undefined;
}
