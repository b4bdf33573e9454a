import { describe, expect, test } from "vitest";
import type { Styled } from "../../../../infra/cli/terminalOutput.ts";
import { FieldReport } from "../../../../infra/tools/operator/fieldReport.ts";
import { checkPos, linesOf } from "../../../../infra/tools/operator/posCheck.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { isVerifying, kindsAmong, kindsOf, posNames, startFakePos } from "../../../shared/pos/fakes/fakePos.ts";
import { FakePosUnderTest } from "../../../shared/pos/fakes/fakePosUnderTest.ts";
import { smallSize } from "../../../shared/pos/fakes/shop.ts";
import { testConnection } from "../../../shared/pos/sandbox/testConnection.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { promised } from "./promised.ts";

useTestServiceKey();

describe.each(posNames)("%s", (name) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");
  const report = async () => {
    const reports = await checkPos(fake.pos.connection, fake.pos.connector(), fake.now);
    return linesOf({}, reports).map((line) => (typeof line === "string" ? line : (line as Styled).text));
  };

  test("each kind is read, and reported only by the names of its fields", async () => {
    const lines = await report();
    const rows = lines.slice(1, lines.indexOf(""));
    expect(rows.map((row) => row.split(" ")[0])).toEqual(kindsOf(name));
    for (const row of rows) expect(row).toMatch(/^\w+ +[1-9]\d* +[1-9]\d* +\d+ +\d+ +(-|0 of \d+) +read$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(78);
    const text = lines.join("\n");
    for (const kind of kindsOf(name)) expect(text).toContain(`${kind}: fields in the rows`);
    expect(text).not.toMatch(/planted(first|middle|last|mail|med|drive|note|staff)/i);
    // Fields of the stores, which are read before every kind.
    expect(text).not.toMatch(/(?<!\.)facility_name|licenses|companyLogo|shop\.name|legal_name|metrc_system/);
    for (const { phone, street, dob, uuid } of fake.pos.shop.customers) {
      for (const value of [phone, phone.replace(/\D/g, ""), street, dob, uuid]) expect(text).not.toContain(value);
    }
    for (const secret of Object.values(fake.pos.connection.credentials)) expect(text).not.toContain(String(secret));
  });

  test("a failing kind is reported, and the other kinds are read", async () => {
    const failing = fake.pos.server;
    failing.faults = (request) =>
      /(customer|member|destination)(s|Full)?\b/i.test(request.path + request.body) && !isVerifying(name, request)
        ? { kind: "answer", answer: { status: 500 } }
        : undefined;
    const lines = await report();
    const stateOf = (kind: string) => lines.find((line) => line.startsWith(`${kind} `));
    for (const kind of kindsAmong(name, "customer")) expect(stateOf(kind)).toMatch(/unreachable \(500\)$/);
    for (const kind of kindsAmong(name, "sale")) expect(stateOf(kind)).toMatch(/read$/);
  });
});

test("rows of other stores are counted, and scripts get the fields that the runbook promises", async () => {
  const pos = await startFakePos("flowhub", 1, smallSize, () => new Date("2026-03-10T19:30:00.000Z"));
  const reports = await checkPos(pos.connection, pos.connector(), new Date("2026-03-10T19:30:00.000Z"));
  await pos.server.close();
  expect(reports.find(({ kind }) => kind === "inventory")?.foreign_rows).toBeGreaterThan(0);
  for (const one of reports) expect(Object.keys(one)).toEqual(promised("pos check"));
});

test("if a POS does not count its rows, the report has only the number of records", async () => {
  const reports = await checkPos(testConnection, sandboxConnector(60), new Date("2026-03-10T19:30:00.000Z"));
  const lines = linesOf({}, reports).filter((line) => typeof line === "string");
  expect(lines.find((line) => line.startsWith("customer "))).toMatch(/^customer +- +[1-9]\d* +0 +0 +- +read$/);
  expect(reports.map(({ rows }) => rows)).toEqual(reports.map(() => null));
});

describe("fields", () => {
  const rows = (...of: [raw: unknown, read: unknown][]) => {
    const report = new FieldReport();
    for (const [raw, read] of of) report.row(raw, read);
    return report;
  };

  test("read fields are counted by rows, and fields without a value are missing", () => {
    const report = rows(
      [{}, { id: "1", name: null, lines: [{ price: 1 }, { price: 2 }], tags: [] }],
      [{}, { id: "2", name: null, lines: [], tags: [] }],
      [{ id: {} }, undefined],
    );
    expect(report.rows).toBe(3);
    expect([...report.known]).toContainEqual(["id", 2]);
    expect([...report.known]).toContainEqual(["lines[].price", 1]);
    expect(report.missing).toEqual(["name", "tags"]);
  });

  test("unread fields are reported if most rows have them, but not keys that are names or numbers", () => {
    const raw = (more: object) => ({ id: "1", brand: { name: "B" }, tax: { rate: 1 }, ...more });
    const report = rows(
      [raw({ byName: { Robin: 1 }, "555-0100": 1, "a b": 1 }), { id: "1", brand: "B" }],
      [raw({ byName: { Kim: 1 }, "555-0100": 1, "a b": 1 }), { id: "2", brand: "B" }],
      [raw({ byName: { Alex: 1 } }), { id: "3", brand: null }],
    );
    expect(report.unread).toEqual([["tax.rate", 3]]);
  });
});
