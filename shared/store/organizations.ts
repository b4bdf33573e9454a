import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Crb as CrbRecord } from "../api/schemas/crb.ts";
import { itemId, type Table, tryConditionalWrite } from "./client.ts";
import type { Crb } from "./crb.ts";
import { einKey, organizationNameKey } from "./keys/crbs.ts";
import type { Key } from "./keys/key.ts";

// An item for each EIN of a service provider, and for each combination of name and state, has the ids of its CRBs. Every
// transaction that stores a CRB updates these items, so that it can depend on whether another CRB is the same organization.

type Organization = Pick<CrbRecord, "ein" | "name" | "state">;

/** The keys of the items that contain a CRB's id. CRBs that share any of these items are the same organization. */
const organizationKeys = (serviceProviderId: string, { ein, name, state }: Organization): Key[] => [
  ...(ein ? [einKey(serviceProviderId, ein)] : []),
  organizationNameKey(serviceProviderId, name, state),
];

/** The ids of the CRBs that are the same organization, by the index item that names them. */
export type SameOrganization = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds the CRBs with the same EIN, or the same name and state, in a service provider's CRBs other than `except`. */
export async function findOrganization(
  table: Table,
  serviceProviderId: string,
  organization: Organization,
  except?: string,
): Promise<SameOrganization> {
  const keys = organizationKeys(serviceProviderId, organization);
  const items = await table.batchGet(keys, { consistent: true });
  return new Map(
    keys.map((key) => {
      const crbs = items.get(itemId(key))?.crbs as Set<string> | undefined;
      return [itemId(key), new Set([...(crbs ?? [])].filter((id) => id !== except).sort())] as const;
    }),
  );
}

/** The ids of the found CRBs, those with the same EIN first. */
export const idsOf = (same: SameOrganization): string[] => [...new Set([...same.values()].flatMap((ids) => [...ids]))];

/**
 * The writes that update the index by organization when a CRB is created or changed, or its association ends.
 *
 * @param before the CRB as stored; undefined for a new CRB
 * @param after the CRB after the change; undefined if its association ends
 * @param options.same the other CRBs of the organization of `after`, as they were read: the transaction is rejected if they
 *   have changed. If it is absent, any others are permitted
 */
export function organizationWrites(
  table: Table,
  before: Crb | undefined,
  after: Crb | undefined,
  { same }: { same?: SameOrganization } = {},
): TransactWriteItem[] {
  const keysOf = (crb: Crb | undefined) => (crb ? organizationKeys(crb.serviceProviderId, crb.record) : []);
  const [had, has] = [keysOf(before), keysOf(after)];
  const without = (keys: Key[], others: Key[]) =>
    keys.filter((key) => !others.some((other) => itemId(other) === itemId(key)));
  const crbs = (id = "") => ({ names: { "#crbs": "crbs" }, values: { ":crb": new Set([id]) } });
  const add = { expression: "ADD #crbs :crb", ...crbs(after?.record.id) };
  const remove = { expression: "DELETE #crbs :crb", ...crbs(before?.record.id) };
  const addUnlessChanged = (key: Key, others: ReadonlySet<string>) => {
    if (others.size === 0) return table.updateWrite(key, add, "attribute_not_exists(#crbs) OR #crbs = :crb");
    const values = { ...add.values, ":others": others, ":all": new Set([...others, ...add.values[":crb"]]) };
    return table.updateWrite(key, { ...add, values }, "#crbs = :others OR #crbs = :all");
  };
  return [
    ...without(had, has).map((key) => table.updateWrite(key, remove)),
    ...(same
      ? has.map((key) => addUnlessChanged(key, same.get(itemId(key)) ?? new Set()))
      : without(has, had).map((key) => table.updateWrite(key, add))),
  ];
}

/**
 * Removes a purged CRB from the index by organization. Returns the number of deleted items: those without another CRB,
 * because their keys contain an EIN or a digest of a name.
 */
export async function removeMentions(table: Table, serviceProviderId: string, crbId: string): Promise<number> {
  const names = { "#crbs": "crbs" };
  const query = { attributes: ["pk", "sk", "crbs"], consistent: true };
  let removed = 0;
  for (const { pk, sk, crbs } of await table.queryPartition(einKey(serviceProviderId, "").pk, query)) {
    if (crbs) {
      if (!(crbs as Set<string>).has(crbId)) continue;
      const mention = { expression: "DELETE #crbs :crb", names, values: { ":crb": new Set([crbId]) } };
      await table.change({ pk, sk }, mention, "attribute_exists(pk)");
    }
    // The item stays if another CRB is the same organization. Such a CRB may have been added since the query.
    const unmentioned = { expression: "attribute_not_exists(#crbs)", names };
    if (await tryConditionalWrite(table.delete({ pk, sk }, unmentioned))) removed++;
  }
  return removed;
}
