import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { mapInGroups } from "../../../shared/store/groups.ts";

test("a group begins when the results of the previous group have been used", async () => {
  const log: string[] = [];
  const square = async (n: number) => {
    log.push(`begin ${n}`);
    await setImmediate();
    log.push(`end ${n}`);
    return n * n;
  };
  for await (const group of mapInGroups([1, 2, 3, 4, 5], 2, square)) log.push(`use ${group}`);
  expect(log).toEqual([
    ...["begin 1", "begin 2", "end 1", "end 2", "use 1,4"],
    ...["begin 3", "begin 4", "end 3", "end 4", "use 9,16"],
    ...["begin 5", "end 5", "use 25"],
  ]);
});

test("after an error, no further group begins", async () => {
  const begun: number[] = [];
  const failAt2 = async (n: number) => {
    begun.push(n);
    if (n === 2) throw new Error("fails");
  };
  await expect(Array.fromAsync(mapInGroups([1, 2, 3, 4], 2, failAt2))).rejects.toThrow("fails");
  expect(begun).toEqual([1, 2]);
});
