import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { dice } from "../../shared/pos/sandbox/dice.ts";
import { commit } from "../../shared/table/events/commit.ts";
import { untilCommitted } from "../../shared/table/untilCommitted.ts";
import { createEndpoint } from "../../shared/webhooks/endpointsOfProvider.ts";
import { webhookMessage } from "../../shared/webhooks/message.ts";
import { workOff } from "../../shared/webhooks/workOff.ts";
import type { ToldEvent } from "../shared/table/events/eventsUnderTest.ts";
import { useTestSealingKey } from "../testServiceKey.ts";
import { createTestTable, testTableOf } from "../testTable.ts";
import { useQueues } from "../useQueues.ts";
import { MessageQueue } from "./messageQueue.ts";
import { RealRules } from "./realRules.ts";

useTestSealingKey();
useQueues();

const second = 1_000;

/**
 * Events of service providers with an endpoint each, delivered by so many workers, by virtual time.
 *
 * @param setting.hanging urls that hang
 * @returns how long each event took from its storing to its receiver, in milliseconds, by url; and the attempts of each
 */
async function deliveries(setting: {
  endpoints: number;
  perSecond: number;
  seconds: number;
  workers: number;
  hanging: (url: string) => boolean;
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
    const isHanging = setting.hanging(url);
    await world.clock.sleep(isHanging ? 10 * second : 150);
    if (isHanging) return { statusCode: null, error: "timeout" } as const;
    took.set(url, [...(took.get(url) ?? []), now() - Date.parse((JSON.parse(body) as ToldEvent).date)]);
    return { statusCode: 200, error: null };
  };
  const providers = Array.from({ length: setting.endpoints }, () => randomUUID());
  await queue.during(world, async () => {
    for (const [i, spId] of providers.entries()) {
      const sent = { url: `https://receiver-${i}.example.com/`, description: "", eventTypes: [] };
      await createEndpoint(testTableOf(bare, world.clock), spId, sent);
    }
    const end = now() + (setting.seconds + 20) * second;
    const writers = Array.from({ length: setting.perSecond * setting.seconds }, (_, i) => ({
      name: `writer ${i}`,
      work: async () => {
        await world.clock.sleep((i * second) / setting.perSecond);
        const spId = providers[i % providers.length] as string;
        const event = { type: "crb.updated", spId, crbId: randomUUID(), data: {} } as const;
        await untilCommitted(world.clock, () => commit(table, { writes: [], events: [event] }, world.clock));
      },
    }));
    const workers = Array.from({ length: setting.workers }, (_, i) => ({
      name: `worker ${i}`,
      work: async () => {
        while (now() < end) {
          const message = queue.receive();
          if (!message) {
            await world.clock.sleep(20);
            continue;
          }
          const deadline = new Date(now() + 35 * second);
          await workOff(table, webhookMessage.parse(JSON.parse(message.body)), { deadline, sendTo });
          queue.done(message);
        }
      },
    }));
    const outcomes = await world.run([...writers, ...workers]);
    expect(outcomes.filter(({ error }) => error)).toEqual([]);
  });
  return { took, attempts };
}

const highest = (times: Iterable<number>) => Math.max(...times);

test("of fifty endpoints one that hangs holds up none of the others", async () => {
  const hangs = "https://receiver-7.example.com/";
  const setting = { endpoints: 50, perSecond: 20, seconds: 15, workers: 24, hanging: (url: string) => url === hangs };
  const { took, attempts } = await deliveries(setting);
  expect(took.size).toBe(49);
  expect([...took.values()].flat()).toHaveLength((setting.perSecond * setting.seconds * 49) / 50);
  expect(highest([...took.values()].flat())).toBeLessThan(3 * second);
  // Four before the first has failed, then one after the other, of ten seconds each.
  expect(attempts.get(hangs)).toBeLessThan(8);
}, 240_000);

test("an endpoint keeps up with the 32 events a second of 5,000 CRBs, at 150 ms for each", async () => {
  const setting = { endpoints: 1, perSecond: 32, seconds: 20, workers: 24, hanging: () => false };
  const { took } = await deliveries(setting);
  const times = [...took.values()].flat().sort((one, other) => one - other);
  expect(times).toHaveLength(setting.perSecond * setting.seconds);
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(second);
  expect(times.at(-1)).toBeLessThan(5 * second);
}, 240_000);
