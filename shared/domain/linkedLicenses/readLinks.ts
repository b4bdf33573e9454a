import { notFound } from "../../api/errors.ts";
import type { CrbLicense, LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import type { Table } from "../../store/client.ts";
import type { LicenseStates } from "../../store/crbLicenses.ts";
import { readCrb } from "../../store/crbs.ts";
import {
  crbLicensesPartition,
  linkedLicenseKey,
  linkedLicensePrefix,
  linkedLicensesPartition,
} from "../../store/keys/licenses.ts";
import { readPresent } from "../licenses/presentGeneration.ts";
import { type Link, type LinkNames, toLink, toLinkedLicense } from "./link.ts";

/** Reads one link consistently. */
export async function readLink(table: Table, { spId, crbId, licenseId }: LinkNames): Promise<Link | undefined> {
  const [item] = (await table.batchGet([linkedLicenseKey(spId, crbId, licenseId)], { consistent: true })).values();
  return item && toLink(spId, item);
}

/** Reads the links of a CRB; without a CRB, all links of the service provider, sorted by CRB. */
export async function readLinks(
  table: Table,
  spId: string,
  crbId?: string,
  options?: { consistent: boolean },
): Promise<Link[]> {
  const range = { prefix: linkedLicensePrefix(crbId), ...options };
  const items = await table.queryPartition(linkedLicensesPartition(spId), range);
  return items.map((item) => toLink(spId, item));
}

/**
 * Reads a page of the licenses that are linked to a CRB, the license that was linked last first.
 *
 * @returns the number of all linked licenses, and the page's licenses
 * @throws ServiceError "notFound" if the CRB is gone
 */
export async function listLinkedLicenses(
  table: Table,
  spId: string,
  crbId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; licenses: LinkedLicense[] }> {
  const consistent = { consistent: true };
  const [links, present, crb] = await Promise.all([
    readLinks(table, spId, crbId, consistent),
    readPresent(table),
    readCrb(table, crbId, consistent),
  ]);
  if (!crb) throw notFound("CRB");
  const sortKey = ({ linkedDate, names }: Link) => `${linkedDate} ${names.licenseId}`;
  const page = links.sort((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1)).slice(offset, offset + limit);
  const licenses = page.map((link) => toLinkedLicense(link, present?.days, crb.record));
  return { total: links.length, licenses };
}

/**
 * Adds to each license the other CRBs of the service provider that it is linked to. Reads the item of the licenses of every CRB,
 * about 7,000 in a MB. The users of a CRB must not get the result.
 */
export async function addOtherCrbs(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  licenses: readonly LinkedLicense[],
): Promise<CrbLicense[]> {
  const items = licenses.length > 0 ? await table.queryPartition(crbLicensesPartition(spId)) : [];
  const others = items.filter(({ sk }) => sk !== crbId);
  return licenses.map((license) => {
    const having = others.filter(({ licenses: states }) => license.id in (states as LicenseStates));
    return { ...license, also_linked_to: having.map(({ sk }) => sk).sort() };
  });
}
