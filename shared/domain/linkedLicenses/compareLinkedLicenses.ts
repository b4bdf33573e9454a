import { describeError, log } from "../../platform/aws/log.ts";
import { exists, type Table, unchanged } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { crbLicensesWrites, readCrbLicenses } from "../../store/crbLicenses.ts";
import { listServiceProviders } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import { comparedLicensesKey, licensesKey } from "../../store/keys/licenses.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { type Present, readPresent } from "../licenses/presentGeneration.ts";
import { registerName } from "../licenses/registerRow.ts";
import type { LicenseStores } from "../licenses/searchLicenses.ts";
import { findEntries, type PlacedEntry, type RegisteredLicense, readLicenses } from "./findLicenses.ts";
import { licenseState } from "./licenseStates.ts";
import { changedLinkWrites, type Link } from "./link.ts";
import { licenseDay } from "./linkStatus.ts";
import { readLink, readLinks } from "./readLinks.ts";

/** The result of a comparison. */
export interface LicenseComparison {
  /** The compared links; 0 if the same generation was compared on the same day before. */
  links: number;
  /** The links whose status changed. */
  changed: number;
  /** The events that the comparison stored. */
  events: number;
  /** The links that could not be compared. The next comparison tries them again. */
  failures: number;
}

/** Thrown if an import ends during the comparison. The comparison must begin again with its generation. */
class GenerationReplacedError extends Error {
  override readonly name = "GenerationReplacedError";
}

/** Maximum number of comparisons in one call. Each repetition follows an import that ended meanwhile. */
const maxAttempts = 5;

/** Maximum number of licenses whose records are read at once. */
const readAtOnce = 500;

/**
 * Compares all linked licenses with the present registers and the present day. Stores changed statuses together with
 * their events (docs/spec.md#linked-licenses), each in one transaction on condition of the old status. So each occasion
 * has exactly one event, even if this call is interrupted, runs twice at once, or is overtaken by an import or an unlink.
 * Does nothing if the same generation was compared on the same day before.
 *
 * @throws OutOfTimeError after the deadline; the next call continues with the links that are not compared yet
 * @throws ServiceError "unavailable" if the table or the bucket cannot be reached
 */
export async function compareLinkedLicenses(
  stores: LicenseStores,
  { clock = systemClock, deadline }: { clock?: Clock; deadline?: Date } = {},
): Promise<LicenseComparison> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await compareOnce(stores, clock, deadline);
    } catch (error) {
      if (!(error instanceof GenerationReplacedError) || attempt === maxAttempts) throw error;
    }
  }
}

async function compareOnce(
  { table, bucket }: LicenseStores,
  clock: Clock,
  deadline: Date | undefined,
): Promise<LicenseComparison> {
  const result = { links: 0, changed: 0, events: 0, failures: 0 };
  const present = await readPresent(table, { consistent: true });
  if (!present) return result;
  table.checkClock();
  const now = clock.now();
  const [{ generation }, day] = [present, licenseDay(now)];
  const compared = await table.get(comparedLicensesKey, { consistent: true });
  if (compared?.generation === generation && compared.day === day) return result;

  const links: Link[] = [];
  for (const { id } of await listServiceProviders(table)) {
    checkDeadline(clock, deadline);
    links.push(...(await readLinks(table, id, undefined, { consistent: true })));
  }
  const entries = await findEntries(bucket, generation, new Set(links.map(({ names }) => names.licenseId)));
  for (let start = 0; start < links.length; start += readAtOnce) {
    const part = links.slice(start, start + readAtOnce);
    const registered = await readChanged(bucket, present, part, entries, now);
    for (const link of part) {
      checkDeadline(clock, deadline);
      result.links++;
      try {
        const change = await compareLink(table, link, registered.get(link.names.licenseId), { generation, day, clock });
        if (change.isChanged) result.changed++;
        result.events += change.events;
      } catch (error) {
        if (error instanceof GenerationReplacedError) throw error;
        // One link must not keep the others from being compared.
        result.failures++;
        log.warn("a linked license was not compared", { crb_id: link.names.crbId, error: describeError(error) });
      }
    }
  }
  if (result.failures === 0) await table.put({ ...comparedLicensesKey, generation, day });
  return result;
}

/** Reads the licenses whose rows or presence have changed since their links were written. */
function readChanged(
  bucket: LicenseStores["bucket"],
  present: Present,
  links: readonly Link[],
  entries: ReadonlyMap<string, PlacedEntry>,
  now: Date,
): Promise<Map<string, RegisteredLicense>> {
  const changed = links.flatMap((link) => {
    const placed = entries.get(link.names.licenseId);
    return placed && isChanged(link, placed) ? [[link.names.licenseId, placed] as const] : [];
  });
  return readLicenses(bucket, present, new Map(changed), now);
}

const isChanged = ({ hash, missingSince, readOn, register }: Link, { entry }: PlacedEntry): boolean =>
  entry.hash !== hash ||
  (entry.missingSince ?? null) !== missingSince ||
  (entry.readOn ?? null) !== readOn ||
  registerName(entry) !== register;

async function compareLink(
  table: Table,
  link: Link,
  registered: RegisteredLicense | undefined,
  { generation, day, clock }: { generation: string; day: string; clock: Clock },
): Promise<{ isChanged: boolean; events: number }> {
  const nothing = { isChanged: false, events: 0 };
  let known: Link | undefined = link;
  return retryOnConflict(clock, async () => {
    const before: Link | undefined = known ?? (await readLink(table, link.names));
    known = undefined;
    const change = before && changedLinkWrites(table, before, registered, day);
    if (!before || !change) return nothing;
    const { spId, crbId } = before.names;
    const crb = await table.get(crbKey(crbId), { consistent: true });
    if (!crb) return nothing;
    const checks = [
      // A comparison with an older generation must not undo a newer one.
      table.checkWrite(licensesKey, unchanged("generation", generation)),
      table.checkWrite(associationKey(spId, crbId), exists),
      // The holder is compared with the names in this version.
      table.checkWrite(crbKey(crbId), unchanged("version", crb.version)),
    ];
    const stored = await readCrbLicenses(table, before.names);
    const state = licenseState(change.link, toCrb(crb).record);
    const licenses = { ...stored.licenses, [before.names.licenseId]: state };
    const lists = await crbLicensesWrites(table, before.names, stored, licenses, clock.now());
    try {
      await commitWithEvents(table, { writes: [...checks, ...change.writes, ...lists], events: change.events }, clock);
    } catch (error) {
      if (isUnmet(error, 0)) throw new GenerationReplacedError("An import ended during the comparison of licenses.");
      // The end of the association deletes the link.
      if (isUnmet(error, 1)) return nothing;
      throw error;
    }
    return { isChanged: change.link.status !== before.status, events: change.events.length };
  });
}
