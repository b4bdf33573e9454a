import { conflict, notFound } from "../../api/errors.ts";
import type { LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import { exists, type Table, unchanged } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { licensesKey } from "../../store/keys/licenses.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { type Present, readPresent } from "../licenses/presentGeneration.ts";
import type { LicenseStores } from "../licenses/searchLicenses.ts";
import { findEntries, type RegisteredLicense, readLicenses } from "./findLicenses.ts";
import { type LinkNames, newLinkWrites, toLinkedLicense } from "./link.ts";
import { licenseDay } from "./linkStatus.ts";
import { countLinks, readLink } from "./readLinks.ts";

/** Maximum number of licenses that are linked to one CRB (docs/spec.md#limits). */
export const maxLinks = 100;

/**
 * Links a license of the present registers to a CRB. A repeated call changes nothing. If the license expires soon, one
 * transaction stores the link and `license.expiring`.
 *
 * @throws ServiceError "notFound" if no register has the license or the association of the CRB has ended; "conflict" if
 *   the CRB has the maximum number of linked licenses; "unavailable" if the table or the bucket cannot be reached
 */
export async function linkLicense(
  { table, bucket }: LicenseStores,
  names: LinkNames,
  clock: Clock = systemClock,
): Promise<LinkedLicense> {
  const { licenseId } = names;
  return retryOnConflict(clock, async () => {
    const present = await readPresent(table, { consistent: true });
    const linked = await readLink(table, names);
    if (linked) return toLinkedLicense(linked.link, linked.body, present?.days);
    if (!present) throw notFound("license");
    const entries = await findEntries(bucket, present.generation, new Set([licenseId]));
    const registered = (await readLicenses(bucket, present, entries, clock.now())).get(licenseId);
    if (!registered) throw notFound("license");
    return storeLink(table, names, { registered, present }, clock);
  });
}

/**
 * Stores the link of a license that was found in the present registers.
 *
 * @throws ServiceError "notFound" if the association of the CRB has ended; "conflict" if the CRB has the maximum number
 *   of linked licenses
 * @throws a transaction error, which `retryOnConflict` accepts, if the license is linked already or an import has ended
 */
export async function storeLink(
  table: Table,
  names: LinkNames,
  { registered, present }: { registered: RegisteredLicense; present: Present },
  clock: Clock,
): Promise<LinkedLicense> {
  const { spId, crbId } = names;
  if ((await countLinks(table, spId, crbId)) >= maxLinks) {
    throw conflict("license_limit", `A CRB can have ${maxLinks} linked licenses. Unlink one of them first.`);
  }
  table.checkClock();
  const now = clock.now();
  const { link, writes, events } = newLinkWrites(table, names, registered, { now, day: licenseDay(now) });
  const checks = [
    table.checkWrite(associationKey(spId, crbId), exists),
    // If an import ends meanwhile, the link is read from its generation. Its comparison might not find this link.
    table.checkWrite(licensesKey, unchanged("generation", present.generation)),
  ];
  try {
    await commitWithEvents(table, { writes: [...checks, ...writes], events }, clock);
  } catch (error) {
    throw isUnmet(error, 0) ? notFound("CRB") : error;
  }
  return toLinkedLicense(link, JSON.stringify(registered.license), present.days);
}
