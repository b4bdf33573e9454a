import { notFound } from "../../api/errors.ts";
import type { FoundLicense } from "../../api/schemas/onboarding.ts";
import { crbRetryOptions, readCrb } from "../../store/crbs.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { compareHolder, type NamedBusiness } from "../../text/compareHolder.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readPresent } from "../licenses/presentGeneration.ts";
import type { LicenseStores } from "../licenses/searchLicenses.ts";
import { matchNumbers, type RegisteredLicense } from "./findLicenses.ts";
import { holderOf } from "./link.ts";
import { storeLink } from "./linkLicense.ts";
import { readLinks } from "./readLinks.ts";

/** License numbers that an invited user enters, and the ids of the licenses that the user has confirmed. */
interface EnteredNumbers {
  license_numbers: readonly string[];
  confirmed_licenses?: readonly string[];
}

/**
 * Links the licenses with given numbers in the register of a CRB's state, one after the other. If a call is interrupted,
 * a second call links the rest. With `confirmed_licenses`, only the confirmed licenses are linked.
 *
 * @param user.by the id of the user's invitation
 * @returns the numbers that match no license, or several; and the licenses that are neither linked nor confirmed
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB has the maximum number
 *   of linked licenses; "unavailable" if the table or the bucket cannot be reached
 */
export async function linkEnteredNumbers(
  { table, bucket }: LicenseStores,
  { spId, crbId, by }: { spId: string; crbId: string; by: string },
  { license_numbers: numbers, confirmed_licenses: confirmed }: EnteredNumbers,
  clock: Clock = systemClock,
): Promise<{ unmatched: string[]; unconfirmed: FoundLicense[] }> {
  const linkedBy = { kind: "invited_user", id: by } as const;
  return retryOnConflict(
    clock,
    async () => {
      const crb = await readCrb(table, crbId, { consistent: true });
      if (!crb) throw notFound("CRB");
      const business = crb.record;
      const present = await readPresent(table, { consistent: true });
      const { licenses, unmatched } = await matchNumbers(bucket, present, business.state, numbers, clock.now());
      const links = await readLinks(table, spId, crbId, { consistent: true });
      const linked = new Set(links.map(({ names }) => names.licenseId));
      const unconfirmed: FoundLicense[] = [];
      for (const [licenseId, registered] of licenses) {
        if (!present || linked.has(licenseId)) continue;
        if (confirmed && !confirmed.includes(licenseId)) unconfirmed.push(toFoundLicense(registered, business));
        else await storeLink(table, { spId, crbId, licenseId }, { registered, present, linkedBy }, clock);
      }
      return { unmatched, unconfirmed };
    },
    crbRetryOptions,
  );
}

function toFoundLicense({ license }: RegisteredLicense, business: NamedBusiness): FoundLicense {
  const { id, license_identifier, licensee, licensing_authority_name } = license;
  const holder = holderOf(license);
  return {
    id,
    license_identifier,
    licensee,
    trade_names: [...holder.tradeNames],
    licensing_authority_name,
    holder_matches: compareHolder(holder, business),
  };
}
