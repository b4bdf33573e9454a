import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Crb as CrbRecord } from "../api/schemas/crb.ts";
import { itemId, type Table, tryConditionalWrite } from "./client.ts";
import type { Crb } from "./crb.ts";
import { einKey, organizationNameKey } from "./keys/crbs.ts";
import type { Key } from "./keys/key.ts";

// Which CRBs of a service provider are which organization: an item for each EIN and for each name and state, holding
// the set of their ids. Every transaction that stores a CRB keeps them, so that a connection can be conditional on them.

/** By what an organization is told apart (docs/spec.md#same-organization). */
type Organization = Pick<CrbRecord, "ein" | "name" | "state">;

/** The items that name a CRB: another one that has any of them is the same organization. */
const organizationKeys = (serviceProviderId: string, { ein, name, state }: Organization): Key[] => [
  ...(ein ? [einKey(serviceProviderId, ein)] : []),
  organizationNameKey(serviceProviderId, name, state),
];

/**
 * A CRB of the service provider that is the same organization: of the same EIN, where there is one to compare by, or of
 * the same name and state.
 *
 * @param except id of a CRB that does not count: the one in question
 * @returns its id
 */
export async function findOrganization(
  table: Table,
  serviceProviderId: string,
  organization: Organization,
  except?: string,
): Promise<string | undefined> {
  const keys = organizationKeys(serviceProviderId, organization);
  const items = await table.batchGet(keys, { consistent: true });
  const crbs = keys.flatMap((key) => [...((items.get(itemId(key))?.crbs as Set<string> | undefined) ?? [])].sort());
  return crbs.find((id) => id !== except);
}

/**
 * What keeps the items when a CRB comes, changes or goes, for its transaction.
 *
 * @param before the CRB as stored; undefined for a new one
 * @param after undefined for one whose association ends
 * @param options.unlessConnected refuses the transaction when another CRB is the same organization as `after`
 */
export function organizationWrites(
  table: Table,
  before: Crb | undefined,
  after: Crb | undefined,
  { unlessConnected = false }: { unlessConnected?: boolean } = {},
): TransactWriteItem[] {
  const keysOf = (crb: Crb | undefined) => (crb ? organizationKeys(crb.serviceProviderId, crb.record) : []);
  const [had, has] = [keysOf(before), keysOf(after)];
  const without = (keys: Key[], others: Key[]) =>
    keys.filter((key) => !others.some((other) => itemId(other) === itemId(key)));
  const crbs = (id = "") => ({ names: { "#crbs": "crbs" }, values: { ":crb": new Set([id]) } });
  const alone = "attribute_not_exists(#crbs) OR #crbs = :crb";
  return [
    ...without(had, has).map((key) =>
      table.updateWrite(key, { expression: "DELETE #crbs :crb", ...crbs(before?.record.id) }),
    ),
    ...(unlessConnected ? has : without(has, had)).map((key) =>
      table.updateWrite(
        key,
        { expression: "ADD #crbs :crb", ...crbs(after?.record.id) },
        unlessConnected ? alone : undefined,
      ),
    ),
  ];
}

/**
 * Takes a CRB that is gone out of the items of a service provider's organizations, and away what names no CRB any more, since
 * its key still tells an EIN or a name.
 *
 * @returns how many items went
 */
export async function removeMentions(table: Table, serviceProviderId: string, crbId: string): Promise<number> {
  const names = { "#crbs": "crbs" };
  const found = await table.query({
    KeyConditionExpression: "pk = :pk",
    FilterExpression: "attribute_not_exists(#crbs) OR contains(#crbs, :crb)",
    ProjectionExpression: "pk, sk, #crbs",
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ":pk": einKey(serviceProviderId, "").pk, ":crb": crbId },
    ConsistentRead: true,
  });
  let removed = 0;
  for (const { pk, sk, crbs } of found) {
    if (crbs) {
      const mention = { expression: "DELETE #crbs :crb", names, values: { ":crb": new Set([crbId]) } };
      await table.change({ pk, sk }, mention, "attribute_exists(pk)");
    }
    // It stays where another CRB is of the same organization, perhaps since a moment ago.
    const unmentioned = { expression: "attribute_not_exists(#crbs)", names };
    if (await tryConditionalWrite(table.delete({ pk, sk }, unmentioned))) removed++;
  }
  return removed;
}
