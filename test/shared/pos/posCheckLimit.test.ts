import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { PosError } from "../../../shared/pos/connector.ts";
import { limitPosChecks } from "../../../shared/pos/posCheckLimit.ts";
import type { Table } from "../../../shared/store/client.ts";
import { posChecksKey } from "../../../shared/store/keys/credentials.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls } from "../store/orderedList/listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const minute = 60_000;
const noon = Date.parse("2026-03-02T12:00:00.000Z");
const clockAt = (ms: number) => ({ now: () => new Date(ms), sleep: async () => undefined }) as never;

/** A caller, with the number of calls to the POS. */
function createCaller() {
  const callerId = randomUUID();
  const pos = { calls: 0 };
  /** Returns "passed" if the POS was called, or the `Retry-After` of the 429 in seconds. */
  const check = (failure: "credentialsRefused" | "unreachable" | undefined, at = noon, by: Table = table) =>
    limitPosChecks(
      by,
      callerId,
      clockAt(at),
    )(async () => {
      pos.calls++;
      if (failure) throw new PosError(failure);
    }).then(
      () => "passed",
      (error) => {
        if (error instanceof PosError) return "passed";
        return error.kind === "throttled" ? (error.details.retryAfter as number) : expect.fail(error);
      },
    );
  const checkRejected = async (times: number, at = noon) => {
    for (let i = 0; i < times; i++) expect(await check("credentialsRefused", at)).toBe("passed");
  };
  const stored = () => table.get(posChecksKey(callerId, "2026-03-02"), { consistent: true });
  return { pos, check, checkRejected, stored };
}

describe("credentials that a POS rejects", () => {
  test("reach the POS 20 times in ten minutes, and after that valid ones do not either", async () => {
    const { pos, check, checkRejected } = createCaller();
    await checkRejected(20, noon + minute);
    expect(await check("credentialsRefused", noon + minute)).toBe(9 * 60);
    expect(await check(undefined, noon + 9 * minute)).toBe(60);
    expect(pos.calls).toBe(20);
    expect(await check("credentialsRefused", noon + 10 * minute)).toBe("passed");
  });

  test("reach the POS 50 times per UTC day", async () => {
    const { pos, check, checkRejected } = createCaller();
    for (const at of [noon, noon + 20 * minute]) await checkRejected(20, at);
    await checkRejected(10, noon + 40 * minute);
    expect(await check("credentialsRefused", noon + 60 * minute)).toBe(11 * 3600);
    expect(await check("credentialsRefused", noon + 12 * 60 * minute - 1)).toBe(1);
    expect(pos.calls).toBe(50);
    expect(await check("credentialsRefused", noon + 12 * 60 * minute)).toBe("passed");
  });

  test("reach the POS only 20 times if 120 are sent at once", async () => {
    const { pos, check } = createCaller();
    const results = await Promise.all(
      Array.from({ length: 120 }, () => check("credentialsRefused", noon, testTableOf(table))),
    );
    expect(results.filter((result) => result === "passed")).toHaveLength(20);
    expect(pos.calls).toBe(20);
  });

  test("count only for their caller", async () => {
    const { check, checkRejected } = createCaller();
    await checkRejected(20);
    expect(await check("credentialsRefused")).not.toBe("passed");
    await createCaller().checkRejected(20);
  });
});

describe("other credentials", () => {
  test("do not count, whether they are accepted or the POS is unreachable", async () => {
    const { check, checkRejected, stored } = createCaller();
    for (let i = 0; i < 60; i++) expect(await check(i % 2 ? undefined : "unreachable")).toBe("passed");
    expect(await stored()).toMatchObject({ in_window: 0, in_day: 0, refused_in_window: 0, refused_in_day: 0 });
    await checkRejected(20);
    expect(await stored()).toMatchObject({ in_window: 20, in_day: 20, refused_in_window: 20, refused_in_day: 20 });
  });

  test("are checked 20 at a time, and one more waits a few seconds", async () => {
    const limit = limitPosChecks(table, randomUUID(), clockAt(noon));
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const check = () => {
      calls++;
      return gate.promise;
    };
    const running = Array.from({ length: 20 }, () => limit(check));
    await expect.poll(() => calls).toBe(20);
    await expect(limit(check)).rejects.toMatchObject({ kind: "throttled", details: { retryAfter: 5 } });
    gate.resolve();
    await Promise.all(running);
    await limit(async () => undefined);
  });

  test("no longer count once they are accepted, even after the ten minutes in which they were sent", async () => {
    const callerId = randomUUID();
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const running = limitPosChecks(
      table,
      callerId,
      clockAt(noon),
    )(() => {
      started.resolve();
      return gate.promise;
    });
    await started.promise;
    const later = limitPosChecks(table, callerId, clockAt(noon + 10 * minute));
    await expect(later(() => Promise.reject(new PosError("credentialsRefused")))).rejects.toThrow(PosError);
    gate.resolve();
    await running;
    expect(await table.get(posChecksKey(callerId, "2026-03-02"), { consistent: true })).toMatchObject({
      in_window: 1,
      in_day: 1,
      refused_in_window: 1,
      refused_in_day: 1,
    });
  });
});

test("a check that a crash interrupts counts for the day", async () => {
  const { check, stored, pos } = createCaller();
  const crashing = testTableOf(table);
  let isCounted = false;
  interceptCalls(crashing).before = async (command) => {
    if (command !== "UpdateItemCommand") return;
    if (isCounted) throw new Error("killed");
    isCounted = true;
  };
  await expect(check(undefined, noon, crashing)).rejects.toThrow();
  expect(pos.calls).toBe(1);
  expect(await stored()).toMatchObject({ in_window: 1, in_day: 1 });
});
