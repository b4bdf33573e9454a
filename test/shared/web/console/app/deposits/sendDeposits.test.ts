import { expect, test } from "vitest";
import { Rejection, Unreachable } from "../../../../../../shared/web/browser/failures.ts";
import type { CheckedRow, Deposit } from "../../../../../../shared/web/console/app/deposits/checkRows.ts";
import {
  compareWithStored,
  RejectedRows,
  sendDeposits,
} from "../../../../../../shared/web/console/app/deposits/sendDeposits.ts";
import type { Client } from "../../../../../../shared/web/console/app/operations.ts";

const rows = Array.from(
  { length: 2_001 },
  (_, i): CheckedRow => ({
    number: i + 2,
    texts: {},
    deposit: { id: `D-${i}`, posted_date: "2026-11-26", amount: 100, type: "cash" },
  }),
);

const nothing = () => ({ accepted: 0, unchanged: 0, replaced: 0 });

/** A client whose answers a test gives, by the number of the request. */
function clientWith(answer: (request: number) => unknown) {
  const parts: Deposit[][] = [];
  const client = async (_: string, { body }: { body: { deposits: Deposit[] } }) => answer(parts.push(body.deposits));
  return { parts, client: client as unknown as Client };
}

test("rows are sent in parts of at most 1,000, and the results are added", async () => {
  const { parts, client } = clientWith(() => ({ accepted: 3, unchanged: 2, replaced: 1 }));
  const sum = nothing();
  const stored: number[] = [];
  await sendDeposits(client, "crb", rows, sum, () => stored.push(sum.accepted));
  expect(stored).toEqual([3, 6, 9]);
  expect(sum).toEqual({ accepted: 9, unchanged: 6, replaced: 3 });
  expect(parts.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
  expect(parts.flat()).toEqual(rows.map(({ deposit }) => deposit));
});

test("rejected items of a part are named by the row of the file", async () => {
  const fields = {
    "body.deposits.0.posted_date": { message: "must be a date" },
    "body.deposits.999": { message: "is wrong" },
    "body.deposits.5000.id": { message: "is not in the file" },
  };
  const { parts, client } = clientWith((request) => {
    if (request === 1) return { accepted: 1_000, unchanged: 0, replaced: 0 };
    throw new Rejection(422, { fields });
  });
  const sum = nothing();
  const failure = await sendDeposits(client, "crb", rows, sum, () => {}).catch((thrown) => thrown);
  expect(sum).toEqual({ accepted: 1_000, unchanged: 0, replaced: 0 });
  expect(failure).toBeInstanceOf(RejectedRows);
  expect(failure.reasons).toEqual(
    new Map([
      [1_002, "posted_date must be a date"],
      [2_001, "The row is wrong"],
    ]),
  );
  expect(parts).toHaveLength(2);
});

test.each([new Unreachable(), new Rejection(409, { message: "x" })])(
  "another failure names no rows",
  async (thrown) => {
    const { client } = clientWith(() => {
      throw thrown;
    });
    const failure = await sendDeposits(client, "crb", rows, nothing(), () => {}).catch((caught) => caught);
    expect(failure).toBe(thrown);
  },
);

test("rows are compared with the stored deposits of their days, on all pages", async () => {
  const stored = {
    id: "D-0",
    posted_date: "2026-11-26",
    amount: 100,
    type: "cash",
    business_date: null,
    excluded_reason: null,
  };
  const queries: object[] = [];
  const client = async (_: string, { query }: { query: { cursor?: string } }) => {
    queries.push(query);
    if (query.cursor === undefined) return { data: [stored], cursor: "next", has_more: true };
    return { data: [{ ...stored, id: "D-1", amount: 90 }], cursor: "end", has_more: false };
  };
  const states = await compareWithStored(client as unknown as Client, new Map([["crb", rows.slice(0, 3)]]));
  expect([...states]).toEqual([
    [2, ["unchanged"]],
    [3, ["changed", expect.stringMatching(/^was \$0\.90 on Nov 26/)]],
    [4, ["new"]],
  ]);
  const days = { start_date: "2026-11-26", end_date: "2026-11-26", limit: 1_000 };
  expect(queries).toEqual([days, { ...days, cursor: "next" }]);
});
