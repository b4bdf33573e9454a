import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { messagesAtOnce } from "../../../infra/stacks/background.ts";
import { createEndpoint } from "../../../shared/domain/webhooks/createEndpoint.ts";
import type { Endpoint } from "../../../shared/domain/webhooks/endpoint.ts";
import { processMessage } from "../../../shared/domain/webhooks/processMessage.ts";
import { hastenDeliveries } from "../../../shared/domain/webhooks/requestDeliveries.ts";
import { webhookMessage } from "../../../shared/domain/webhooks/webhookMessage.ts";
import { dice } from "../../../shared/pos/sandbox/dice.ts";
import { putServiceProvider } from "../../../shared/store/crbs.ts";
import { commitWithEvents } from "../../../shared/store/eventLog/commitWithEvents.ts";
import { shardNumbers } from "../../../shared/store/eventLog/shards.ts";
import { retryOnConflict } from "../../../shared/store/retryOnConflict.ts";
import { crbOfShard, type ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";
import { useTestSealingKey } from "../../testServiceKey.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { useQueues } from "../../useQueues.ts";
import { MessageQueue } from "./messageQueue.ts";
import { RealRules } from "./realRules.ts";

useTestSealingKey();
useQueues();

const second = 1_000;

/**
 * Simulates, in virtual time, workers that deliver events to service providers with one endpoint each.
 *
 * @param setting.answersAfter milliseconds until the receiver of a url responds; ten seconds mean failure
 * @param setting.backlog number of initial events in each of an endpoint's shards
 * @returns by url: the milliseconds from storage to delivery of each event, and the attempts of each
 */
async function deliveries(setting: {
  endpoints: number;
  perSecond: number;
  seconds: number;
  workers: number;
  answersAfter: (url: string) => number;
  backlog?: (url: string) => number;
}) {
  const bare = await createTestTable();
  const world = new RealRules({ seed: 1, stalls: 0, skew: 0 });
  const table = testTableOf(bare, world.clock);
  world.attach(table);
  const queue = new MessageQueue(dice("webhooks at once"));
  queue.isCalm = true;
  const took = new Map<string, number[]>();
  const attempts = new Map<string, number>();
  const now = () => world.clock.now().getTime();
  const sendTo = async ({ url, body }: { url: string; body: string }) => {
    attempts.set(url, (attempts.get(url) ?? 0) + 1);
    const answersAfter = setting.answersAfter(url);
    await world.clock.sleep(answersAfter);
    if (answersAfter >= 10 * second) return { statusCode: null, error: "timeout" } as const;
    took.set(url, [...(took.get(url) ?? []), now() - Date.parse((JSON.parse(body) as ReceivedEvent).date)]);
    return { statusCode: 200, error: null };
  };
  const providers = Array.from({ length: setting.endpoints }, () => randomUUID());
  await queue.during(world, async () => {
    const calm = testTableOf(bare, world.clock);
    const waiting: Endpoint[] = [];
    for (const [i, spId] of providers.entries()) {
      const sent = { url: `https://receiver-${i}.example.com/`, description: "", eventTypes: [] };
      await putServiceProvider(calm, { ...demoServiceProvider, id: spId });
      const { endpoint } = await createEndpoint(calm, spId, sent);
      for (let left = setting.backlog?.(sent.url) ?? 0; left > 0; left--) {
        const event = { type: "crb.updated", spId, data: {} } as const;
        const events = shardNumbers.map((shard) => ({ ...event, crbId: crbOfShard(shard) }));
        await commitWithEvents(calm, { writes: [], events }, world.clock);
      }
      if (setting.backlog?.(sent.url)) waiting.push(endpoint);
    }
    // As after an outage: each shard has one message.
    for (let message = queue.receive(); message; message = queue.receive()) queue.done(message);
    for (const endpoint of waiting) await hastenDeliveries(endpoint);
    const end = now() + (setting.seconds + 20) * second;
    const writers = Array.from({ length: setting.perSecond * setting.seconds }, (_, i) => ({
      name: `writer ${i}`,
      work: async () => {
        await world.clock.sleep((i * second) / setting.perSecond);
        const spId = providers[i % providers.length] as string;
        const event = { type: "crb.updated", spId, crbId: randomUUID(), data: {} } as const;
        await retryOnConflict(world.clock, () => commitWithEvents(table, { writes: [], events: [event] }, world.clock));
      },
    }));
    const workers = Array.from({ length: setting.workers }, (_, i) => ({
      name: `worker ${i}`,
      work: async () => {
        while (now() < end) {
          const batch = Array.from({ length: messagesAtOnce }, () => queue.receive()).filter(
            (one) => one !== undefined,
          );
          if (batch.length === 0) await world.clock.sleep(20);
          const deadline = new Date(now() + 35 * second);
          await Promise.all(
            batch.map(async (message) => {
              await processMessage(table, webhookMessage.parse(JSON.parse(message.body)), { deadline, sendTo });
              queue.done(message);
            }),
          );
        }
      },
    }));
    const outcomes = await world.run([...writers, ...workers]);
    expect(outcomes.filter(({ error }) => error)).toEqual([]);
  });
  return { took, attempts };
}

/** The time that most receivers take, in milliseconds. */
const quick = 150;

const highest = (times: Iterable<number>) => Math.max(...times);

test("one endpoint of fifty that hangs does not delay the others", async () => {
  const hangs = "https://receiver-7.example.com/";
  const answersAfter = (url: string) => (url === hangs ? 10 * second : quick);
  const setting = { endpoints: 50, perSecond: 20, seconds: 15, workers: 24, answersAfter };
  const { took, attempts } = await deliveries(setting);
  expect(took.size).toBe(49);
  expect([...took.values()].flat()).toHaveLength((setting.perSecond * setting.seconds * 49) / 50);
  expect(highest([...took.values()].flat())).toBeLessThan(3 * second);
  // Four before the first failure, then one at a time, ten seconds each.
  expect(attempts.get(hangs)).toBeLessThan(8);
}, 240_000);

test("slow endpoints, more than there are workers, delay the others by at most one time slice", async () => {
  const isSlow = (url: string) => Number(/\d+/.exec(url)) < 8;
  const setting = {
    endpoints: 24,
    perSecond: 16,
    seconds: 15,
    workers: 12,
    answersAfter: (url: string) => (isSlow(url) ? 4 * second : quick),
    backlog: (url: string) => (isSlow(url) ? 8 : 0),
  };
  const { took } = await deliveries(setting);
  const others = [...took].filter(([url]) => !isSlow(url)).flatMap(([, times]) => times);
  expect(others.length).toBeGreaterThan((setting.perSecond * setting.seconds * 15) / 24);
  expect(highest(others)).toBeLessThan(8 * second);
}, 240_000);

test("an endpoint that takes 150 ms keeps up with the 32 events a second of 5,000 CRBs", async () => {
  const setting = { endpoints: 1, perSecond: 32, seconds: 20, workers: 24, answersAfter: () => quick };
  const { took } = await deliveries(setting);
  const times = [...took.values()].flat().sort((one, other) => one - other);
  expect(times).toHaveLength(setting.perSecond * setting.seconds);
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(second);
  expect(times.at(-1)).toBeLessThan(5 * second);
}, 240_000);
