import { expect, test } from "vitest";
import { Rejection, Unreachable } from "../../../../../../shared/web/browser/failures.ts";
import type { Deposit } from "../../../../../../shared/web/console/app/deposits/checkRows.ts";
import {
  type ComparedRow,
  compareRow,
  EndedUpload,
  firstCompared,
  readStoredDeposits,
  sendDeposits,
} from "../../../../../../shared/web/console/app/deposits/sendDeposits.ts";
import type { Client } from "../../../../../../shared/web/console/app/operations.ts";

const posting: Deposit = { id: "D-0", posted_date: "2026-11-26", amount: 100, type: "cash" };
const rows = Array.from(
  { length: 2_001 },
  (_, i): ComparedRow => ({ number: i + 2, deposit: { ...posting, id: `D-${i}` }, state: "changed" }),
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
  expect(failure).toBeInstanceOf(EndedUpload);
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

test("no part follows one that replaces more postings than were shown", async () => {
  const { parts, client } = clientWith(() => ({ accepted: 997, unchanged: 0, replaced: 3 }));
  const sum = nothing();
  const shown = rows.map((row, i): ComparedRow => ({ ...row, state: i === 0 ? "moved" : "new" }));
  const failure = await sendDeposits(client, "crb", shown, sum, () => {}).catch((thrown) => thrown);
  expect(failure).toBeInstanceOf(EndedUpload);
  expect(failure.message).toMatch(/^2 rows more than shown replaced a stored posting/);
  expect(sum).toEqual({ accepted: 997, unchanged: 0, replaced: 3 });
  expect(parts).toHaveLength(1);
});

const stored = { ...posting, business_date: null, excluded_reason: null };

test("the stored deposits of each business are read from 400 days before the file on, on all pages", async () => {
  const requests: object[] = [];
  const client = async (_: string, { path, query }: { path: object; query: { cursor?: string } }) => {
    requests.push({ ...path, ...query });
    if (query.cursor === undefined) return { data: [stored], cursor: "next", has_more: true };
    return { data: [{ ...stored, id: "D-1" }], cursor: "end", has_more: false };
  };
  const deposits = [posting, { ...posting, id: "D-1", business_date: "2026-11-20" }];
  const since = firstCompared(deposits.map((deposit) => ({ number: 2, texts: {}, deposit })));
  const found = await readStoredDeposits(client as unknown as Client, ["one", "two"], since);
  expect([...found].map(([crbId, its]) => [crbId, [...its.keys()]])).toEqual([
    ["one", ["D-0", "D-1"]],
    ["two", ["D-0", "D-1"]],
  ]);
  const window = { start_date: "2025-10-16", limit: 1_000 };
  expect(requests).toEqual(
    ["one", "two"].flatMap((crb_id) => [
      { crb_id, ...window },
      { crb_id, ...window, cursor: "next" },
    ]),
  );
});

const loan = { ...stored, business_date: "2026-11-25", excluded_reason: "loan" as const };

test.each<[string, Partial<Deposit>, string | undefined, typeof loan | typeof stored | undefined, object]>([
  ["is new if its id is not stored", {}, undefined, undefined, { deposit: posting, state: "new" }],
  ["is unchanged if it is stored", {}, undefined, stored, { deposit: posting, state: "unchanged", words: "" }],
  [
    "keeps the reason and the business day of the posting, which its file lacks",
    { amount: 90 },
    undefined,
    loan,
    {
      deposit: { ...posting, amount: 90, business_date: "2026-11-25", excluded_reason: "loan" },
      state: "changed",
      words: "was $1.00; does not count: loan",
    },
  ],
  [
    "with the same values as a loan changes nothing",
    {},
    undefined,
    loan,
    {
      deposit: { ...posting, business_date: "2026-11-25", excluded_reason: "loan" },
      state: "unchanged",
      words: "does not count: loan",
    },
  ],
  [
    "takes the business day of a file with such a column, also an empty one",
    {},
    "",
    loan,
    {
      deposit: { ...posting, excluded_reason: "loan" },
      state: "changed",
      words: expect.stringMatching(/^was of business day Nov 25.*; does not count: loan$/),
    },
  ],
  [
    "names each value that differs",
    { type: "wire", amount: 90, business_date: "2026-11-25" },
    "11/25/2026",
    stored,
    {
      deposit: { ...posting, type: "wire", amount: 90, business_date: "2026-11-25" },
      state: "changed",
      words: "was $1.00, Cash, without a business day",
    },
  ],
  [
    "of another day is another posting, which inherits nothing",
    { posted_date: "2026-11-27" },
    undefined,
    loan,
    {
      deposit: { ...posting, posted_date: "2026-11-27" },
      state: "moved",
      words: expect.stringMatching(/^was posted Nov 26.*, of business day Nov 25.*, left out as loan, and would/),
    },
  ],
])("a row %s", (_, values, business_date, before, result) => {
  const texts = business_date === undefined ? {} : { business_date };
  expect(compareRow({ number: 2, texts }, { ...posting, ...values }, before)).toEqual({ number: 2, ...result });
});
