import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { createEndpoint } from "../../../../shared/domain/webhooks/createEndpoint.ts";
import { sweepEndpoints } from "../../../../shared/domain/webhooks/sweepEndpoints.ts";
import { webhookMessage } from "../../../../shared/domain/webhooks/webhookMessage.ts";
import { dice } from "../../../../shared/pos/sandbox/dice.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { commitWithEvents } from "../../../../shared/store/eventLog/commitWithEvents.ts";
import { eventKey, eventsPartition } from "../../../../shared/store/keys/events.ts";
import { MessageQueue } from "../../../system/realRules/messageQueue.ts";
import { RealRules } from "../../../system/realRules/realRules.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { crbOfShard } from "../../store/eventLog/eventsUnderTest.ts";

useTestSealingKey();
useQueues();

const minute = 60_000;

test("a shard whose events cannot be read delays no delivery, and counts as a failure", async () => {
  const bare = await createTestTable();
  const world = new RealRules({ seed: 1, stalls: 0, skew: 0, readUnits: 20 });
  const table = testTableOf(bare, world.clock);
  world.attach(table);
  const unthrottled = testTableOf(bare, world.clock);
  const queue = new MessageQueue(dice("sweep"));
  queue.isCalm = true;
  const [spId, throttledShard] = [randomUUID(), 9];
  const receiveShards = () => {
    const shards: number[] = [];
    for (let message = queue.receive(); message; message = queue.receive()) {
      shards.push(webhookMessage.parse(JSON.parse(message.body)).shard);
      queue.done(message);
    }
    return shards;
  };
  const sweep = async () => {
    const { failures } = await sweepEndpoints(table, { deadline: new Date(world.clock.now().getTime() + minute) });
    return { failures, shards: receiveShards() };
  };
  await queue.during(world, async () => {
    const sent = { url: "https://receiver.example.com/", description: "", eventTypes: [] };
    await putServiceProvider(unthrottled, { ...demoServiceProvider, id: spId });
    await createEndpoint(unthrottled, spId, sent);
    for (const [shard, bytes] of [
      [3, 10],
      [throttledShard, 300_000],
    ] as const) {
      const data = { kind: "sales", cursor_before: "x".repeat(bytes) } as const;
      const event = { type: "records.changed", spId, crbId: crbOfShard(shard), data } as const;
      await commitWithEvents(unthrottled, { writes: [], events: [event] }, world.clock);
    }
    // All these messages are lost.
    expect(receiveShards()).toEqual([3, throttledShard]);
    // Reading one large item uses up the partition's units for seconds.
    await table.get(eventKey(eventsPartition(spId, throttledShard), 1), { consistent: true });
    expect(await sweep()).toEqual({ failures: 1, shards: [3, throttledShard] });
    await world.clock.sleep(minute);
    expect(await sweep()).toEqual({ failures: 0, shards: [3, throttledShard] });
  });
});
