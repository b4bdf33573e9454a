import type { Table } from "../table/client.ts";
import { outboxPartition } from "../table/keys.ts";
import type { Clock } from "../time/clock.ts";
import { LocationLists } from "./locationLists.ts";
import { cutOffOf } from "./runContext.ts";
import { tryUnderLease } from "./underLease.ts";

/**
 * Brings the inventory of each location up to date with what runs have stored and none may go on with, since the
 * connection has ended, or rests. It needs no POS. Where somebody has the lease that one does it, or leaves it to its
 * message.
 *
 * @throws OutOfTimeError at the deadline, but never before something was followed
 */
export async function followLeft(
  table: Table,
  business: { crbId: string; timezone: string },
  clock: Clock,
  deadline: Date | undefined,
): Promise<void> {
  const { crbId } = business;
  const first = await table.query({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": outboxPartition(crbId) },
    ConsistentRead: true,
    Limit: 1,
  });
  // Of a CRB that was purged not even a lease may come back.
  if (first.length === 0) return;
  const time = { clock, deadline, cutOff: cutOffOf(deadline) };
  await tryUnderLease(table, crbId, "inventory", clock, ({ fence }) =>
    new LocationLists({ table, connection: business, fence, ...time }).follow(),
  );
}
