import { type LicenseSearchState, states, type UniformLicenseType } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";

/** What licenses can be searched by (docs/spec.md#license-search); all that are given must match. */
export interface LicenseTerms {
  licenseNumber?: string | undefined;
  name?: string | undefined;
  state?: LicenseSearchState | undefined;
  licenseType?: UniformLicenseType | undefined;
}

/** What a license must have to be found: each of these terms, and for each beginning a term that begins with it. */
export interface WantedTerms {
  exact: string[];
  beginnings: string[];
}

const numberTerm = (number: string) => `N${number.toLowerCase()}`;
const stateTerm = (state: string) => `S${state}`;
const typeTerm = (type: string) => `T${type}`;
const wordTerm = (word: string) => `W${word}`;

/** The words of a name: letters and digits without letter case; an apostrophe parts no word. */
function wordsOf(name: string): string[] {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word !== ""))];
}

/** The values of `state` that a license is found by (docs/spec.md#license-search). */
function statesOf({ licensing_authority_name: authority, licensing_authority_address: address }: License): string[] {
  return [
    ...states.filter((state) => state === address.region),
    ...(address.country === "Canada" ? ["CAN"] : []),
    ...(authority === "" ? ["NLA"] : []),
  ];
}

/** The terms that a license is found by, each once; the first letter keeps one kind from being taken for another. */
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
 * What a search asks for, as terms.
 *
 * @returns undefined when no license can match
 */
export function wantedTerms({ licenseNumber, name, state, licenseType }: LicenseTerms): WantedTerms | undefined {
  const words = wordsOf(name ?? "");
  // Neither a letter nor a digit: nobody is called that.
  if (name !== undefined && words.length === 0) return undefined;
  return {
    exact: [
      ...(licenseNumber === undefined ? [] : [numberTerm(licenseNumber)]),
      ...(state === undefined ? [] : [stateTerm(state)]),
      ...(licenseType === undefined ? [] : [typeTerm(licenseType)]),
    ],
    // Who has "green" has "g": so no two of the beginnings have terms in common, however many there are.
    beginnings: words.filter((word) => !words.some((other) => other !== word && other.startsWith(word))).map(wordTerm),
  };
}
