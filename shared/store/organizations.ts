import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Crb as CrbRecord } from "../api/schemas/crb.ts";
import { itemId, type Table, tryConditionalWrite } from "./client.ts";
import type { Crb } from "./crb.ts";
import { einKey, organizationNameKey } from "./keys/crbs.ts";
import type { Key } from "./keys/key.ts";

// Index of a service provider's CRBs by organization. The index has an item for each EIN, and an item for each
// combination of name and state. Each item contains the ids of its CRBs. Every transaction that stores a CRB updates
// these items, so that a transaction can depend on whether another CRB is the same organization.

/** The fields that identify an organization (docs/spec.md#same-organization). */
type Organization = Pick<CrbRecord, "ein" | "name" | "state">;

/** The keys of the items that contain a CRB's id. CRBs that share any of these items are the same organization. */
const organizationKeys = (serviceProviderId: string, { ein, name, state }: Organization): Key[] => [
  ...(ein ? [einKey(serviceProviderId, ein)] : []),
  organizationNameKey(serviceProviderId, name, state),
];

/**
 * Finds a CRB of the service provider that is the same organization: both have the same EIN, or the same name and
 * state.
 *
 * @param except id of a CRB that the search ignores
 * @returns the id of the found CRB; undefined if there is none
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
 * The writes that update the index by organization. They belong to the transaction in which a CRB is created or
 * changed, or its association is ended.
 *
 * @param before the CRB as stored; undefined for a new CRB
 * @param after the CRB after the change; undefined if its association ends
 * @param options.unlessConnected rejects the transaction if another CRB is the same organization as `after`
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
 * Removes a purged CRB from the index by organization. Deletes items that no longer contain a CRB, because the keys of
 * these items contain an EIN or a digest of a name.
 *
 * @returns the number of deleted items
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
    // The item stays if another CRB is the same organization. Such a CRB may have been added since the query.
    const unmentioned = { expression: "attribute_not_exists(#crbs)", names };
    if (await tryConditionalWrite(table.delete({ pk, sk }, unmentioned))) removed++;
  }
  return removed;
}
