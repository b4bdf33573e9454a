import { describe, expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { AsyncCache } from "../../../../shared/pos/framework/asyncCache.ts";
import { type SignIn, withSession } from "../../../../shared/pos/framework/withSession.ts";

const refused = () => new PosError("credentialsRefused", { code: "401" });

/** Sign-ins that give 1, 2 and so on, and a question that is answered from the first good one on. */
function asking(firstGood: number, more: Partial<SignIn<number>> = {}, failure = refused) {
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

describe("what a sign-in gave", () => {
  test("is used again, by those too who ask at once", async () => {
    const { ask, counts } = asking(1);
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(1);
    expect(counts).toEqual({ signIns: 1, questions: 3 });
  });

  test("is exchanged once where it is refused", async () => {
    const { ask, counts } = asking(2);
    expect([await ask(), await ask()]).toEqual([2, 2]);
    expect(counts).toEqual({ signIns: 2, questions: 3 });
    const never = asking(9);
    await expect(never.ask()).rejects.toMatchObject({ failure: "credentialsRefused" });
    expect(never.counts).toEqual({ signIns: 2, questions: 2 });
  });

  test("stays where something else fails, unless that may mean it", async () => {
    const outage = () => new PosError("unreachable", { code: "503" });
    const { ask, counts } = asking(2, {}, outage);
    for (let times = 0; times < 2; times++) await expect(ask()).rejects.toMatchObject({ failure: "unreachable" });
    expect(counts).toEqual({ signIns: 1, questions: 2 });
    expect(await asking(2, { isSessionRejected: ({ code }) => code === "503" }, outage).ask()).toBe(2);
  });

  test("is not asked for a second time where the sign-in itself is refused", async () => {
    let signIns = 0;
    const signIn = async (): Promise<number> => {
      signIns++;
      throw refused();
    };
    await expect(asking(1, { signIn }).ask()).rejects.toMatchObject({ failure: "credentialsRefused" });
    expect(signIns).toBe(1);
  });
});
