import type { License } from "../../../../shared/api/schemas/license.ts";
import type { LicenseTerms } from "../../../../shared/domain/licenses/licenseTerms.ts";

const words = (text: string): readonly string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The specification's rules of a search, written a second time in another way. */
export function expectedLicenses(all: readonly License[], terms: LicenseTerms): License[] {
  const requiredWords = words(terms.name ?? "");
  return all
    .filter((one) => {
      const licenseWords = words([one.licensee, ...one.businesses.map(({ name }) => name)].join(" "));
      const { region, country } = one.licensing_authority_address;
      const state = { CAN: country === "Canada", NLA: one.licensing_authority_name === "" } as Record<string, boolean>;
      return (
        (terms.licenseNumber === undefined ||
          one.license_identifier?.toLowerCase() === terms.licenseNumber.toLowerCase()) &&
        (!terms.licenseType || one.uniform_license_type_description === terms.licenseType) &&
        (!terms.state || (state[terms.state] ?? region === terms.state)) &&
        (terms.name === undefined ||
          (requiredWords.length > 0 &&
            requiredWords.every((word) => licenseWords.some((each) => each.indexOf(word) === 0))))
      );
    })
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
}
