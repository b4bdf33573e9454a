import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { PosError } from "../../../shared/pos/connector.ts";
import { sampleCases } from "../../thorough.ts";
import { breakRows, planted, rowsIn } from "./fakes/breakRows.ts";
import { unplannedRejections } from "./fakes/expectedRecords.ts";
import { isVerifying, kindsAmong, kindsOf, type PosName, posNames, traitsOf } from "./fakes/fakePos.ts";
import { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import type { Fault } from "./fakes/fakeServer.ts";
import { PulledRecords } from "./fakes/pulls.ts";
import type { ShopLine } from "./fakes/shop.ts";

// Failures that are the same for every POS.
describe.each(sampleCases(posNames, 2))("%s", (name: PosName) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");
  const kinds = kindsOf(name);
  const [some = "product"] = kindsAmong(name, "customer", "sale");

  describe("verify", () => {
    test("returns the stores that the credentials can read", async () => {
      const stores = await fake.verify();
      expect(stores.length).toBeGreaterThan(0);
      for (const { id, name } of stores) expect(id && name).toBeTruthy();
    });

    test("rejects wrong credentials, and so does a pull, even if the same process has read with valid ones", async () => {
      const { connection } = fake.pos;
      const connector = fake.pos.connector();
      await new PulledRecords(connector, connection, some).pull(fake.now);
      for (const property of Object.keys(connection.credentials)) {
        const wrong = { ...connection, credentials: { ...connection.credentials, [property]: "wrong" } };
        const pull = new PulledRecords(connector, wrong, some).pull(fake.now);
        await expect(pull).rejects.toMatchObject({ failure: "credentialsRefused" });
        await expect(connector.verify(wrong)).rejects.toMatchObject({ failure: "credentialsRefused" });
      }
    });

    test.each(["two\r\nlines", "Ümläut", "", "../other", "x".repeat(300)])(
      "rejects %j without a request",
      async (value) => {
        for (const property of Object.keys(fake.pos.connection.credentials)) {
          // Only credentials that become a part of the path must not look like one.
          if (value === "../other" && property !== "dispensaryName") continue;
          if (value === "Ümläut" && traitsOf(name).takesAnyLetters) continue;
          const credentials = { ...fake.pos.connection.credentials, [property]: value };
          const error = await fake.verify({ credentials }).catch((error: unknown) => error);
          expect(error).toMatchObject({ failure: "credentialsRefused" });
          if (value) expect(JSON.stringify(error) + String(error)).not.toContain(value);
        }
        expect(fake.pos.server.requests).toEqual([]);
      },
    );

    test.each<[string, Fault]>([
      ["503", { kind: "answer", answer: { status: 503 } }],
      ["429", { kind: "answer", answer: { status: 429, headers: { "retry-after": "30" } } }],
      ["a closed connection", { kind: "cut" }],
      ["a page of HTML", { kind: "answer", answer: { body: "<html></html>" } }],
      ["a 403 of a proxy", { kind: "answer", answer: { status: 403, body: "<html>error code: 1010</html>" } }],
    ])("does not reject the credentials after %s", async (_, fault) => {
      fake.pos.server.faults = () => fault;
      const error = await fake.verify().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(PosError);
      expect((error as PosError).failure).not.toBe("credentialsRefused");
      expect(fake.pos.server.requests.length).toBeLessThanOrEqual(2);
    });
  });

  test.each<[string, Fault, Partial<PosError>]>([
    [
      "429 with Retry-After",
      { kind: "answer", answer: { status: 429, headers: { "retry-after": "60" } } },
      { failure: "limited", retryAfter: 60 },
    ],
    ["429", { kind: "answer", answer: { status: 429, body: "slow down" } }, { failure: "limited" }],
    ["500", { kind: "answer", answer: { status: 500 } }, { failure: "unreachable", code: "500" }],
    [
      "503 with Retry-After",
      { kind: "answer", answer: { status: 503, headers: { "retry-after": "90" } } },
      { failure: "unreachable", retryAfter: 90 },
    ],
    ["a cut connection", { kind: "cut" }, { failure: "unreachable" }],
    ["a response cut in the middle", { kind: "cutHalfway" }, { failure: "unreachable" }],
    [
      "a truncated response",
      { kind: "truncated" },
      { failure: "notUnderstood", code: expect.stringMatching(/^no_(json|xml)$/) },
    ],
    ["HTML", { kind: "answer", answer: { body: "<html></html>" } }, { failure: "notUnderstood" }],
    ["another envelope", { kind: "answer", answer: { body: { surprise: true } } }, { failure: "notUnderstood" }],
    [
      "a redirect",
      { kind: "answer", answer: { status: 302, headers: { location: "http://127.0.0.1:1/" } } },
      { failure: "unreachable" },
    ],
    ["no response in time", { kind: "slow", milliseconds: 500 }, { failure: "unreachable", code: "timeout" }],
  ])("a pull in which %s persists fails", async (_, fault, failure) => {
    const connector = fake.pos.connector(fault.kind === "slow" ? { timeoutMs: 100 } : {});
    await connector.verify(fake.pos.connection);
    fake.pos.server.faults = () => fault;
    const pull = new PulledRecords(connector, fake.pos.connection, some).pull(fake.now);
    await expect(pull).rejects.toMatchObject({ name: "PosError", ...failure });
  });

  test("a pull fails as rejected if the credentials were revoked meanwhile", async () => {
    const connector = fake.pos.connector();
    await connector.verify(fake.pos.connection);
    fake.pos.server.respond(/./, { status: 401, body: "" });
    const pull = new PulledRecords(connector, fake.pos.connection, some).pull(fake.now);
    await expect(pull).rejects.toMatchObject({ failure: "credentialsRefused" });
  });

  test.each([401, 403])("a %i only for records does not reject the credentials", async (status) => {
    fake.pos.server.faults = (request) =>
      isVerifying(name, request) ? undefined : { kind: "answer", answer: { status, body: { message: "no" } } };
    for (const kind of kindsAmong(name, some, "sale")) {
      await expect(fake.pull(kind)).rejects.toMatchObject({ failure: "notPermitted" });
    }
  });

  describe("a malformed record", () => {
    test.each(kindsAmong(name, "product", "customer", "inventory", "sale"))(
      "is rejected, and the other %ss are read",
      async (kind) => {
        const { records: expected, rejected: planned } = await fake.pull(kind);
        // In each response, because a connector may request a record again.
        fake.pos.server.rewrite = (body) => breakRows(name, body, kind);
        const pulled = await fake.pull(kind);
        fake.pos.server.rewrite = (body) => body;
        const isPlanned = new Set(planned.map(({ posId }) => posId));
        const rejected = unplannedRejections(pulled.rejected).filter(({ posId }) => !isPlanned.has(posId));
        expect(rejected.length).toBeGreaterThan(0);
        const ids = new Set(rejected.map(({ posId }) => posId));
        for (const { posId, field, reason } of rejected) {
          // The first sale may be one that is not stored.
          if (kind !== "sale" && !traitsOf(name).nests?.includes(kind)) expect(expected.has(posId)).toBe(true);
          expect(posId).not.toBe("");
          expect(field).not.toBe("");
          expect(reason).toMatch(/^[a-z_]+$/);
          expect(JSON.stringify({ posId, field, reason })).not.toContain(planted);
        }
        const whole = [...expected.keys()].filter((id) => !ids.has(id));
        if (traitsOf(name).nests?.includes(kind)) expect(whole.length - pulled.records.size).toBe(ids.size);
        else expect(pulled.ids).toEqual(expect.arrayContaining(whole));
      },
    );
  });

  test("a byte order mark before a response is skipped", async () => {
    for (const kind of kinds) {
      const expected = await fake.afresh(kind);
      const { write } = fake.pos.server;
      fake.pos.server.write = (body) => `\ufeff${write(body)}`;
      const pulled = await fake.pull(kind);
      fake.pos.server.write = write;
      expect(pulled.records).toEqual(expected);
    }
  });

  describe("an invalid value", () => {
    /** Puts a value into a field of the first row of the kind in each response. */
    const plant = (kind: RecordKind, value: unknown) => {
      const [mark = "", field = ""] = traitsOf(name).breaking[kind] ?? [];
      fake.pos.server.rewrite = (body) => {
        const row = rowsIn(body).find((row) => mark in row);
        if (row && typeof row[field] !== "object") row[field] = value;
        return body;
      };
    };

    test.each(kindsAmong(name, "product", "customer", "sale"))(
      "of 100,000 letters is not stored (%s)",
      async (kind) => {
        plant(kind, "x".repeat(100_000));
        const pulled = await fake.pull(kind);
        expect(JSON.stringify([...pulled.records.values()])).not.toContain("x".repeat(10_001));
      },
    );

    test.each(kindsAmong(name, "product", "customer", "sale"))(
      "with control characters is stored without them (%s)",
      async (kind) => {
        plant(kind, "a\u0000b\u001b[31m");
        const pulled = await fake.pull(kind);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
        expect([...pulled.records.values()].flatMap(textsIn).join("")).not.toMatch(/[\u0000-\u0008\u000b\u001b\u007f]/);
      },
    );
  });

  describe.each(kindsAmong(name, "sale"))("an amount of a %s", (kind) => {
    /** Calls `change` for each row of a sale in a response, with its fields at any depth. */
    const changeAmounts = (change: (fields: readonly Leaf[]) => void) => {
      const [mark = ""] = traitsOf(name).breaking[kind] ?? [];
      fake.pos.server.rewrite = (body) => {
        for (const row of rowsIn(body)) if (mark in row) change(leavesOf(row));
        return body;
      };
    };
    const isNumber = ({ value }: Leaf) => typeof value === "number" || /^-?\d+(\.\d+)?$/.test(String(value));

    test("of 1e23 is not stored, whatever field has it", async () => {
      const planted = new Map<string, number>();
      changeAmounts((fields) => {
        const numbers = fields.filter((field) => isNumber(field) && !isOfId(field));
        // Each row gets it in another field, so that every field of a sale is tested.
        const [field] = numbers.toSorted((a, b) => (planted.get(a.path) ?? 0) - (planted.get(b.path) ?? 0));
        if (!field) return;
        planted.set(field.path, (planted.get(field.path) ?? 0) + 1);
        field.set(typeof field.value === "string" ? "1e23" : 1e23);
      });
      const pulled = await fake.pull(kind);
      expect(planted.size).toBeGreaterThan(1);
      expect(pulled.rejected.map(({ reason }) => reason)).toContain("out_of_range");
      for (const sale of pulled.records.values()) {
        for (const amount of numbersIn(sale)) expect(Math.abs(amount)).toBeLessThan(2 ** 31 * 100);
      }
    });

    test("may have thousands separators", async () => {
      for (const { lines } of fake.pos.shop.sales) {
        for (const line of lines) Object.assign(line, timesHundred(line));
      }
      const expected = await fake.afresh(kind);
      let separated = 0;
      changeAmounts((fields) => {
        for (const field of fields) {
          // Some fakes already write them.
          if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(String(field.value))) separated++;
          if (!isNumber(field) || Math.abs(Number(field.value)) < 1000 || !isOfAmount(field)) continue;
          separated++;
          field.set(Number(field.value).toLocaleString("en-US", { minimumFractionDigits: 2 }));
        }
      });
      const pulled = await fake.pull(kind);
      expect(separated).toBeGreaterThan(expected.size / 2);
      expect(pulled.records).toEqual(expected);
    });
  });

  test("data that must not be stored is in no record, and no data is in an error", async () => {
    const mayShow = /Planted(first|middle|last|mail|Med|Drive)/;
    for (const kind of kinds) {
      const text = JSON.stringify([...(await fake.pull(kind)).records.values()]);
      const found = text.match(/planted[a-z]*/gi)?.filter((word) => !mayShow.test(`P${word.slice(1)}`)) ?? [];
      expect(found).toEqual([]);
      if (kind !== "customer") expect(text).not.toMatch(/planted/i);
    }
    fake.pos.server.rewrite = () => "Plantedfirst is no JSON";
    const error: unknown = await fake.pull(some).catch((error: unknown) => error);
    const { message, stack, cause } = error as Error;
    expect(JSON.stringify([error, message, stack, cause])).not.toMatch(/planted/i);
    for (const secret of Object.values(fake.pos.connection.credentials)) {
      expect(JSON.stringify([error, message, stack])).not.toContain(secret);
    }
  });
});

/** All texts inside a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/** All numbers inside a value. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(numbersIn) : [];
}

/** A field of a row, or of an object or list inside it, that is neither an object nor a list. */
interface Leaf {
  /** the names of the field and of the fields around it, without indexes */
  path: string;
  value: unknown;
  set(value: unknown): void;
}

function leavesOf(row: object, path = ""): Leaf[] {
  const fields = row as Record<string, unknown>;
  return Object.entries(fields).flatMap(([name, value]) => {
    const own = Array.isArray(row) ? path : `${path}.${name}`;
    if (value !== null && typeof value === "object") return leavesOf(value, own);
    return { path: own, value, set: (other: unknown) => void Object.assign(fields, { [name]: other }) };
  });
}

const isOfId = ({ path }: Leaf) => /(id|key|no|number)$/i.test(path);
const isOfAmount = ({ path }: Leaf) => /(total|price|paid|amount)\w*$/i.test(path);

/** A line of a sale with amounts a hundred times as large. */
const timesHundred = ({ price, discount, tax }: ShopLine) => ({
  price: price * 100,
  discount: discount * 100,
  tax: tax * 100,
});
