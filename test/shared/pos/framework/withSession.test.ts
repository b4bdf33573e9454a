import { describe, expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { AsyncCache } from "../../../../shared/pos/framework/asyncCache.ts";
import { type SignIn, withSession } from "../../../../shared/pos/framework/withSession.ts";

const rejected = () => new PosError("credentialsRefused", { code: "401" });

/** Sign-ins that return 1, 2 and so on, and a request that succeeds from the first valid one on. */
function createRequester(firstGood: number, more: Partial<SignIn<number>> = {}, failure = rejected) {
  const kept = new AsyncCache<number>(5, 60_000);
  const counts = { signIns: 0, questions: 0 };
  const ask = () =>
    withSession({ cache: kept, key: "one", signIn: async () => ++counts.signIns, ...more }, async (given) => {
      counts.questions++;
      if (given < firstGood) throw failure();
      return given;
    });
  return { ask, counts };
}

describe("the result of a sign-in", () => {
  test("is reused, even by simultaneous requests", async () => {
    const { ask, counts } = createRequester(1);
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(1);
    expect(counts).toEqual({ signIns: 1, questions: 3 });
  });

  test("is replaced once if it is rejected", async () => {
    const { ask, counts } = createRequester(2);
    expect([await ask(), await ask()]).toEqual([2, 2]);
    expect(counts).toEqual({ signIns: 2, questions: 3 });
    const never = createRequester(9);
    await expect(never.ask()).rejects.toMatchObject({ failure: "credentialsRefused" });
    expect(never.counts).toEqual({ signIns: 2, questions: 2 });
  });

  test("is kept after other failures, unless they may mean a rejection", async () => {
    const outage = () => new PosError("unreachable", { code: "503" });
    const { ask, counts } = createRequester(2, {}, outage);
    for (let times = 0; times < 2; times++) await expect(ask()).rejects.toMatchObject({ failure: "unreachable" });
    expect(counts).toEqual({ signIns: 1, questions: 2 });
    expect(await createRequester(2, { isSessionRejected: ({ code }) => code === "503" }, outage).ask()).toBe(2);
  });

  test("is not requested a second time if the sign-in itself is rejected", async () => {
    let signIns = 0;
    const signIn = async (): Promise<number> => {
      signIns++;
      throw rejected();
    };
    await expect(createRequester(1, { signIn }).ask()).rejects.toMatchObject({ failure: "credentialsRefused" });
    expect(signIns).toBe(1);
  });
});
