import { notFound } from "../../api/errors.ts";
import { readCrb } from "../../store/crbs.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readPresent } from "../licenses/presentGeneration.ts";
import type { LicenseStores } from "../licenses/searchLicenses.ts";
import { matchNumbers } from "./findLicenses.ts";
import { storeLink } from "./linkLicense.ts";
import { readLinks } from "./readLinks.ts";

/**
 * Links the licenses with given numbers in the register of a CRB's state, one after the other. If a call is interrupted,
 * a second call links the rest.
 *
 * @returns the numbers that match no license, or several
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB has the maximum number
 *   of linked licenses; "unavailable" if the table or the bucket cannot be reached
 */
export async function linkEnteredNumbers(
  { table, bucket }: LicenseStores,
  { spId, crbId }: { spId: string; crbId: string },
  numbers: readonly string[],
  clock: Clock = systemClock,
): Promise<string[]> {
  const crb = await readCrb(table, crbId);
  if (!crb) throw notFound("CRB");
  return retryOnConflict(clock, async () => {
    const present = await readPresent(table, { consistent: true });
    const { licenses, unmatched } = await matchNumbers(bucket, present, crb.record.state, numbers, clock.now());
    const links = await readLinks(table, spId, crbId, { consistent: true });
    const linked = new Set(links.map(({ names }) => names.licenseId));
    for (const [licenseId, registered] of licenses) {
      if (present && !linked.has(licenseId)) {
        await storeLink(table, { spId, crbId, licenseId }, { registered, present }, clock);
      }
    }
    return unmatched;
  });
}
