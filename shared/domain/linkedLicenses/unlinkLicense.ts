import { conflict, notFound } from "../../api/errors.ts";
import type { LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import type { Table } from "../../store/client.ts";
import { correctCrbLicenses, crbLicensesWrites, readCrbLicenses } from "../../store/crbLicenses.ts";
import { crbRetryOptions, readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { linkedLicensePrefix, linkedLicensesPartition } from "../../store/keys/licenses.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readPresent } from "../licenses/presentGeneration.ts";
import { deletionWrites, type LicenseActor, type Link, type LinkNames, operator, toLinkedLicense } from "./link.ts";
import { readLink } from "./readLinks.ts";

/**
 * Deletes the link of a license to a CRB. One transaction deletes the link and stores `license.unlinked`.
 *
 * @param link.by who unlinks the license
 * @param permit throws if the caller may not delete the link
 * @returns the license as it was linked last
 * @throws ServiceError "notFound" if the license is not linked
 */
export async function unlinkLicense(
  table: Table,
  { by = operator, ...names }: LinkNames & { by?: LicenseActor },
  clock: Clock = systemClock,
  permit: (link: Link) => void = () => undefined,
): Promise<LinkedLicense> {
  return retryOnConflict(
    clock,
    async () => {
      const linked = await readLink(table, names);
      const business = (await readCrb(table, names.crbId))?.record;
      if (!linked || !business) throw notFound("linked license");
      permit(linked);
      const present = await readPresent(table);
      const stored = await readCrbLicenses(table, names);
      const { [names.licenseId]: _unlinked, ...licenses } = stored.licenses;
      table.checkClock();
      const lists = await crbLicensesWrites(table, names, stored, licenses, clock.now());
      const { writes, events } = deletionWrites(table, linked, by, clock.now());
      await commitWithEvents(table, { writes: [...writes, ...lists], events }, clock);
      return toLinkedLicense(linked, present?.days, business);
    },
    crbRetryOptions,
  );
}

/**
 * Deletes the link of a license as an invited user. A user may delete only links that users of the CRB made.
 *
 * @param user.by the id of the user's invitation
 * @throws ServiceError "notFound" if the license is not linked; "conflict" if no user linked it
 */
export async function unlinkByUser(
  table: Table,
  { by, ...names }: LinkNames & { by: string },
  clock: Clock = systemClock,
): Promise<void> {
  await unlinkLicense(table, { ...names, by: { kind: "invited_user", id: by } }, clock, ({ linkedBy }) => {
    if (linkedBy.kind === "invited_user") return;
    throw conflict("license_of_provider", "Invited users can unlink only licenses that invited users linked.");
  });
}

/**
 * Deletes all links of a CRB whose association has ended, and removes the CRB from the lists by status. A second call finishes
 * an interrupted one.
 */
export async function removeLinks(
  table: Table,
  spId: string,
  crbId: string,
  clock: Clock = systemClock,
): Promise<number> {
  await correctCrbLicenses(table, { spId, crbId }, clock, async () => ({}));
  const items = await table.queryPartition(linkedLicensesPartition(spId), {
    prefix: linkedLicensePrefix(crbId),
    consistent: true,
  });
  await table.batchDelete(items);
  return items.length;
}
