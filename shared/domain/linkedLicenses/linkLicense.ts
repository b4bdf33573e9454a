import { conflict, notFound } from "../../api/errors.ts";
import type { LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import { exists, type Table, unchanged } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { crbLicensesWrites, readCrbLicenses } from "../../store/crbLicenses.ts";
import { crbRetryOptions, readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import { licensesKey } from "../../store/keys/licenses.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { type Present, readPresent } from "../licenses/presentGeneration.ts";
import type { LicenseStores } from "../licenses/searchLicenses.ts";
import { findEntries, type RegisteredLicense, readLicenses } from "./findLicenses.ts";
import { licenseState } from "./licenseStates.ts";
import { type LicenseActor, type LinkNames, newLinkWrites, operator, toLinkedLicense } from "./link.ts";
import { readLink } from "./readLinks.ts";

/** Maximum number of licenses that are linked to one CRB (docs/spec.md#limits). */
export const maxLinks = 100;

/**
 * Links a license of the present registers to a CRB. A repeated call changes nothing. One transaction stores the link with
 * its events: `license.linked`, and `license.expiring` if the license expires soon.
 *
 * @param link.by who links the license
 * @throws ServiceError "notFound" if no register has the license or the association of the CRB has ended; "conflict" if
 *   the CRB has the maximum number of linked licenses; "unavailable" if the table or the bucket cannot be reached
 */
export async function linkLicense(
  { table, bucket }: LicenseStores,
  { by = operator, ...names }: LinkNames & { by?: LicenseActor },
  clock: Clock = systemClock,
): Promise<LinkedLicense> {
  const { crbId, licenseId } = names;
  return retryOnConflict(
    clock,
    async () => {
      const present = await readPresent(table, { consistent: true });
      const business = (await readCrb(table, crbId, { consistent: true }))?.record;
      if (!business) throw notFound("CRB");
      const linked = await readLink(table, names);
      if (linked) return toLinkedLicense(linked, present?.days, business);
      if (!present) throw notFound("license");
      const entries = await findEntries(bucket, present.generation, new Set([licenseId]));
      const registered = (await readLicenses(bucket, present, entries, clock.now())).get(licenseId);
      if (!registered) throw notFound("license");
      return storeLink(table, names, { registered, present, linkedBy: by }, clock);
    },
    crbRetryOptions,
  );
}

/**
 * Stores the link of a license that was found in the present registers.
 *
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB has the maximum number
 *   of linked licenses
 * @throws a transaction error, which `retryOnConflict` accepts, if the license is linked already, an import has ended, or the
 *   CRB or another of its links has changed
 */
export async function storeLink(
  table: Table,
  names: LinkNames,
  { registered, present, linkedBy }: { registered: RegisteredLicense; present: Present; linkedBy: LicenseActor },
  clock: Clock,
): Promise<LinkedLicense> {
  const { spId, crbId, licenseId } = names;
  const [crb, stored] = await Promise.all([
    table.get(crbKey(crbId), { consistent: true }),
    readCrbLicenses(table, { spId, crbId }),
  ]);
  if (!crb) throw notFound("CRB");
  const business = toCrb(crb).record;
  if (!(licenseId in stored.licenses) && Object.keys(stored.licenses).length >= maxLinks) {
    throw conflict("license_limit", `A CRB can have ${maxLinks} linked licenses. Unlink one of them first.`);
  }
  table.checkClock();
  const now = clock.now();
  const { link, writes, events } = newLinkWrites(table, names, registered, { linkedBy, business, now });
  const licenses = { ...stored.licenses, [licenseId]: licenseState(link, business) };
  const checks = [
    table.checkWrite(associationKey(spId, crbId), exists),
    // If an import ends meanwhile, the link is read from its generation. Its comparison might not find this link.
    table.checkWrite(licensesKey, unchanged("generation", present.generation)),
    // The holder was compared with the names in this version.
    table.checkWrite(crbKey(crbId), unchanged("version", crb.version)),
  ];
  const lists = await crbLicensesWrites(table, names, stored, licenses, now);
  try {
    await commitWithEvents(table, { writes: [...checks, ...writes, ...lists], events }, clock);
  } catch (error) {
    throw isUnmet(error, 0) ? notFound("CRB") : error;
  }
  return toLinkedLicense(link, present.days, business);
}
