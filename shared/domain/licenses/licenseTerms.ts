import { type LicenseSearchState, states, type UniformLicenseType } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";

/** The search parameters of licenses (docs/spec.md#license-search); a license must match all given parameters. */
export interface LicenseTerms {
  licenseNumber?: string | undefined;
  name?: string | undefined;
  state?: LicenseSearchState | undefined;
  licenseType?: UniformLicenseType | undefined;
}

/**
 * The terms of a search. A license matches if it has every exact term and, for each prefix in `beginnings`, a term with
 * that prefix.
 */
export interface WantedTerms {
  exact: string[];
  beginnings: string[];
}

const numberTerm = (number: string) => `N${number.toLowerCase()}`;
const stateTerm = (state: string) => `S${state}`;
const typeTerm = (type: string) => `T${type}`;
const wordTerm = (word: string) => `W${word}`;

/** The words of a name: letters and digits in lower case. An apostrophe does not separate words. */
function wordsOf(name: string): string[] {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word !== ""))];
}

/** The values of `state` that match a license (docs/spec.md#license-search). */
function statesOf({ licensing_authority_name: authority, licensing_authority_address: address }: License): string[] {
  return [
    ...states.filter((state) => state === address.region),
    ...(address.country === "Canada" ? ["CAN"] : []),
    ...(authority === "" ? ["NLA"] : []),
  ];
}

/** The terms of a license, without repetition. The first letter of a term names its kind. */
export function termsOf(license: License): string[] {
  const { license_identifier: number, licensee, businesses } = license;
  return [
    ...(number === null ? [] : [numberTerm(number)]),
    ...statesOf(license).map(stateTerm),
    typeTerm(license.uniform_license_type_description),
    ...wordsOf([licensee ?? "", ...businesses.map(({ name }) => name)].join(" ")).map(wordTerm),
  ];
}

/**
 * The terms of a search.
 *
 * @returns undefined if no license can match
 */
export function wantedTerms({ licenseNumber, name, state, licenseType }: LicenseTerms): WantedTerms | undefined {
  const words = wordsOf(name ?? "");
  // A search text without letters and digits matches no name.
  if (name !== undefined && words.length === 0) return undefined;
  return {
    exact: [
      ...(licenseNumber === undefined ? [] : [numberTerm(licenseNumber)]),
      ...(state === undefined ? [] : [stateTerm(state)]),
      ...(licenseType === undefined ? [] : [typeTerm(licenseType)]),
    ],
    // A search word that is a prefix of another search word is dropped: every name that matches "green" also matches
    // "g". Afterwards no term begins with two of the search words.
    beginnings: words.filter((word) => !words.some((other) => other !== word && other.startsWith(word))).map(wordTerm),
  };
}
