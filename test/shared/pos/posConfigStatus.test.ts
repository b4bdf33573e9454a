import { describe, expect, test } from "vitest";
import { posConnectionStatuses } from "../../../shared/api/enumerations.ts";
import { applyPosConfigMove, findNextPosStatus } from "../../../shared/pos/posConfigStatus.ts";

describe("transitions of a POS configuration", () => {
  const allowed = [
    ["(new)", "connect", "Connected"],
    ["(new)", "enter", "Pending"],
    ["Pending", "succeed", "Connected"],
    ["Needs Attention", "succeed", "Connected"],
    ["Pending", "refuse", "Needs Attention"],
    ["Connected", "refuse", "Needs Attention"],
    ["Connected", "remove", "Not Connected"],
    ["Needs Attention", "remove", "Not Connected"],
    ["Pending", "remove", "Not Connected"],
    ["Not Connected", "remove", "Not Connected"],
    ["Not Connected", "enter", "Pending"],
  ] as const;
  test.each(allowed)("%s, %s: becomes %s", (from, move, to) => expect(findNextPosStatus(from, move)).toBe(to));

  const rejected = (["(new)", ...posConnectionStatuses] as const)
    .flatMap((from) =>
      (["connect", "enter", "succeed", "refuse", "remove"] as const).map((move) => [from, move] as const),
    )
    .filter(([from, move]) => !allowed.some(([start, made]) => start === from && made === move));
  test.each(rejected)("%s, %s: rejected", (from, move) => expect(findNextPosStatus(from, move)).toBeUndefined());
});

describe("a CRB's POS configurations", () => {
  const now = new Date("2026-03-01T10:00:00.000Z");
  const updated_date = "2026-01-01T00:00:00.000Z";
  const treez = { name: "Treez", updated_date, status: "Needs Attention" } as const;
  const blaze = { name: "Blaze", updated_date, status: "Connected" } as const;

  test("change only in the one that has a transition, which gets a new status and date", () => {
    const moved = { name: "Treez", updated_date: now.toISOString(), status: "Connected" };
    expect(applyPosConfigMove([treez, blaze], "Treez", "succeed", now)).toEqual([moved, blaze]);
  });

  test("get a missing one at the end", () => {
    const made = { name: "Canix", updated_date: now.toISOString(), status: "Pending" };
    expect(applyPosConfigMove([treez], "Canix", "enter", now)).toEqual([treez, made]);
  });

  test("stay as they are if the status is the same or the transition is rejected", () => {
    expect(applyPosConfigMove([{ ...blaze, status: "Not Connected" }], "Blaze", "remove", now)).toBeUndefined();
    expect(applyPosConfigMove([blaze], "Blaze", "succeed", now)).toBeUndefined();
    expect(applyPosConfigMove([blaze], "Treez", "refuse", now)).toBeUndefined();
  });
});
