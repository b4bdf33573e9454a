import { isDeepStrictEqual } from "node:util";
import { linkedLicenseStatuses } from "../../api/enumerations.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { correctCrbLicenses, listedStatuses, toStoredLicenses } from "../../store/crbLicenses.ts";
import { readCrb } from "../../store/crbs.ts";
import { associationKey, crbKey } from "../../store/keys/crbs.ts";
import {
  crbLicensesPartition,
  linkedLicensePrefix,
  linkedLicensesPartition,
  parseLinkedLicenseKey,
} from "../../store/keys/licenses.ts";
import { licenseStatusList } from "../../store/keys/orderedLists.ts";
import type { Clock } from "../../time/clock.ts";
import { readLicenseStates, toLicenseStates } from "./licenseStates.ts";

/**
 * Compares the lists of a service provider's CRBs by the status of their licenses with the links, and corrects them unless
 * `isCheck` is set. They can differ in a restored table. The positions of the lists must be correct (`rebuildList`).
 *
 * @returns the number of CRBs with a difference
 */
export async function correctLicenseLists(
  table: Table,
  spId: string,
  { clock, isCheck }: { clock: Clock; isCheck: boolean },
): Promise<number> {
  const { links, stored, members } = await readAll(table, spId);
  const crbIds = [...new Set([...links.keys(), ...stored.keys(), ...members.keys()])].sort();
  const crbs = await table.batchGet(crbIds.map(crbKey), { consistent: true });
  const associations = await table.batchGet(
    crbIds.map((id) => associationKey(spId, id)),
    { consistent: true, attributes: [] },
  );
  const isRight = (crbId: string): boolean => {
    const crb = crbs.get(itemId(crbKey(crbId)));
    const isListed = crb !== undefined && associations.has(itemId(associationKey(spId, crbId)));
    const states = isListed ? toLicenseStates(links.get(crbId) ?? [], toCrb(crb).record) : {};
    return (
      isDeepStrictEqual(toStoredLicenses(stored.get(crbId)).licenses, states) &&
      isDeepStrictEqual(new Set(members.get(crbId)), listedStatuses(states))
    );
  };
  const wrong = crbIds.filter((crbId) => !isRight(crbId));
  if (!isCheck) for (const crbId of wrong) await correctCrb(table, { spId, crbId }, clock);
  return wrong.length;
}

async function readAll(table: Table, spId: string) {
  const consistent = { consistent: true };
  const range = { prefix: linkedLicensePrefix(), ...consistent };
  const links = await table.queryPartition(linkedLicensesPartition(spId), range);
  const stored = await table.queryPartition(crbLicensesPartition(spId), consistent);
  const listed: { crbId: string; status: (typeof linkedLicenseStatuses)[number] }[] = [];
  for (const status of linkedLicenseStatuses) {
    const items = await table.queryPartition(licenseStatusList(spId, status).pk, consistent);
    listed.push(...items.map(({ sk }) => ({ crbId: sk, status })));
  }
  return {
    links: Map.groupBy(links, ({ sk }) => parseLinkedLicenseKey(sk).crbId),
    stored: new Map<string, Item>(stored.map((item) => [item.sk, item])),
    members: new Map(
      [...Map.groupBy(listed, ({ crbId }) => crbId)].map(([id, some]) => [id, some.map(({ status }) => status)]),
    ),
  };
}

function correctCrb(table: Table, names: { spId: string; crbId: string }, clock: Clock): Promise<void> {
  const { spId, crbId } = names;
  return correctCrbLicenses(table, names, clock, async () => {
    const association = await table.get(associationKey(spId, crbId), { consistent: true });
    const crb = await readCrb(table, crbId, { consistent: true });
    return crb && association ? readLicenseStates(table, names, crb.record) : {};
  });
}
