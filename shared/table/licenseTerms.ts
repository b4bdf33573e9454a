import { type LicenseSearchState, states, type UniformLicenseType } from "../api/enumerations.ts";
import type { License } from "../api/schemas/license.ts";
import { licenseList } from "./keys.ts";

/** What licences can be searched by (contract 4.2, LICENCE); all that are given must match. */
export interface LicenseTerms {
  licenseNumber?: string | undefined;
  name?: string | undefined;
  state?: LicenseSearchState | undefined;
  licenseType?: UniformLicenseType | undefined;
}

/** Beginnings of words are kept up to this length; longer ones are rare enough to be compared. */
const longestBeginning = 24;
/** A search looks for its longest words, which are the rarest, and compares the others. */
const wordsLookedUp = 8;

/** The words of a name: letters and digits without letter case; an apostrophe parts no word. */
function wordsOf(name: string): string[] {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word !== ""))];
}

function wordsOfLicense({ licensee, businesses }: License): string[] {
  return wordsOf([licensee ?? "", ...businesses.map(({ name }) => name)].join(" "));
}

/** The values of `state` that a licence is found by (contract 4.3). */
function statesOf({ licensing_authority_name: authority, licensing_authority_address: address }: License): string[] {
  return [
    ...states.filter((state) => state === address.region),
    ...(address.country === "Canada" ? ["CAN"] : []),
    ...(authority === "" ? ["NLA"] : []),
  ];
}

const beginningOf = (text: string, length: number): string => Array.from(text).slice(0, length).join("");

/** The lists (by their partitions) that a licence stands in. */
export function listsOf(license: License): string[] {
  const type = license.uniform_license_type_description;
  const number = license.license_identifier;
  const beginnings = wordsOfLicense(license).flatMap((word) => {
    const most = Math.min(longestBeginning, Array.from(word).length);
    return Array.from({ length: most }, (_, i) => beginningOf(word, i + 1));
  });
  return [
    licenseList("ALL"),
    ...statesOf(license).flatMap((state) => [licenseList("STATE", state), stateAndType(state, type)]),
    licenseList("TYPE", type),
    ...(number === null ? [] : [licenseList("NUMBER", number.toLowerCase())]),
    ...new Set(beginnings.map((beginning) => licenseList("WORD", beginning))),
  ];
}

function stateAndType(state: string, type: string): string {
  return licenseList("STATE_TYPE", `${state}/${type}`);
}

/**
 * The lists that hold what a search asks for: what they have in common is the answer, or holds it unless `complete`.
 *
 * @returns undefined when no licence can match
 */
export function listsFor({
  licenseNumber,
  name,
  state,
  licenseType,
}: LicenseTerms): { pks: string[]; complete: boolean } | undefined {
  const pks: string[] = [];
  let complete = true;
  if (licenseNumber !== undefined) pks.push(licenseList("NUMBER", licenseNumber.toLowerCase()));
  if (state && licenseType) pks.push(stateAndType(state, licenseType));
  else if (state) pks.push(licenseList("STATE", state));
  else if (licenseType) pks.push(licenseList("TYPE", licenseType));
  if (name !== undefined) {
    const words = wordsOf(name);
    // Neither a letter nor a digit: nobody is called that.
    if (words.length === 0) return undefined;
    const wanted = words
      .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
      .sort((a, b) => b.length - a.length);
    const beginnings = wanted.slice(0, wordsLookedUp).map((word) => beginningOf(word, longestBeginning));
    complete = wanted.length <= wordsLookedUp && wanted.every((word) => beginnings.includes(word));
    pks.push(...beginnings.map((beginning) => licenseList("WORD", beginning)));
  }
  return { pks: pks.length > 0 ? pks : [licenseList("ALL")], complete };
}

/** Whether a licence is what a search asks for (contract 4.3). */
export function matches(license: License, { licenseNumber, name, state, licenseType }: LicenseTerms): boolean {
  const words = name === undefined ? [] : wordsOfLicense(license);
  return (
    (licenseNumber === undefined || license.license_identifier?.toLowerCase() === licenseNumber.toLowerCase()) &&
    (state === undefined || statesOf(license).includes(state)) &&
    (licenseType === undefined || license.uniform_license_type_description === licenseType) &&
    (name === undefined || wordsOf(name).every((wanted) => words.some((word) => word.startsWith(wanted))))
  );
}
