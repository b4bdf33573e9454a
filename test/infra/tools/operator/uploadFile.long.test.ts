import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type UploadFileOptions, uploadFile } from "../../../../infra/tools/operator/uploadFile.ts";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { readRejected } from "../../../../shared/domain/replication/rejectedRecords.ts";
import { ReplicationLease, replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { sensitiveHasher } from "../../../../shared/platform/crypto/sensitiveHasher.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import type { RowRejection } from "../../../../shared/pos/upload/uploadConnector.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { locationInventoryList, recordKey, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { crashAt, crashPoints, letCallsPass, sides, writesOf } from "../../../shared/store/crashInjection.ts";
import { type Calls, interceptCalls, TestClock } from "../../../shared/store/orderedList/listUnderTest.ts";
import { scan } from "../../../tableState.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { createTestTable } from "../../../testTable.ts";
import { uploadConnection } from "../../../uploadConnection.ts";

useTestServiceKey();
const folder = mkdtempSync(join(inject("temporaryDirectory"), "upload-"));
let table: Table;
let calls: Calls;
let connection: Connection;
let clock: TestClock;

beforeAll(async () => {
  table = await createTestTable();
  calls = interceptCalls(table);
});

beforeEach(startAnew);

function startAnew(): void {
  letCallsPass(calls);
  connection = uploadConnection();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
}

/** Uploads a text as a file. */
async function upload(kind: RecordKind, text: string, options: UploadFileOptions & { name?: string } = {}) {
  const { name = "rows.csv", ...rest } = options;
  const file = join(folder, name);
  writeFileSync(file, text);
  const rejections: RowRejection[] = [];
  const refused = (more: readonly RowRejection[]) => void rejections.push(...more);
  return { ...(await uploadFile(table, connection, kind, file, { clock, refused, ...rest })), rejections };
}

async function listed(kind: RecordKind): Promise<Record<string, unknown>[]> {
  const { records } = await readPage(table, recordList(connection.crbId, kind), { offset: 0, limit: 1000 });
  return records.map((record) => JSON.parse(record));
}

const state = (kind: RecordKind) => table.get(replicationKey(connection.crbId, kind), { consistent: true });

const locations = (count: number, name = (i: number) => `Room ${i}`) =>
  `pos_location_id,name\n${Array.from({ length: count }, (_, i) => `L${i},${name(i)}\n`).join("")}`;

test("a file is uploaded page by page with its progress, and its state is stored like that of a replication", async () => {
  const rows: number[] = [];
  const bytes: number[] = [];
  const text = locations(1_203);
  const progress = { rows: (count: number) => void rows.push(count), bytes: (read: number) => void bytes.push(read) };
  const result = await upload("location", text, { progress });
  expect(result).toMatchObject({ read: 1_203, created: 1_203, changed: 0, unchanged: 0, rejected: 0, rejections: [] });
  expect(rows).toEqual([250, 500, 750, 1_000, 1_203]);
  expect(bytes.at(-1)).toBe(text.length);
  const [record] = await listed("location");
  expect(record).toMatchObject({ crb_id: connection.crbId, pos_type: "Manual Upload Retail", name: "Room 1202" });
  expect(await state("location")).toMatchObject({
    held_until: 0,
    position: null,
    error: null,
    succeeded_at: "2026-03-01T12:00:00.000Z",
    counts: { read: 1_203, created: 1_203 },
  });
});

test("the same file again writes nothing, and another one writes only the differences", async () => {
  await upload("location", locations(600));
  // Stores the fingerprints of the unchanged records.
  await upload("location", locations(600));
  clock.advance(86_400_000);
  let transactions = 0;
  calls.before = (command) => {
    if (command === "TransactWriteItemsCommand") transactions++;
  };
  expect(await upload("location", locations(600))).toMatchObject({ read: 600, unchanged: 600, created: 0, changed: 0 });
  expect(transactions).toBe(0);
  const changed = await upload(
    "location",
    locations(601, (i) => (i === 7 ? "Cellar" : `Room ${i}`)),
  );
  expect(changed).toMatchObject({ read: 601, unchanged: 599, created: 1, changed: 1 });
  expect((await state("location"))?.counts).toMatchObject({ read: 601, changed: 1 });
});

test("of two rows with the same id the later one counts, in one page or in two, and repeated ids are counted", async () => {
  const text = `${locations(700)}L3,First\nL3,Second\nL0,Third\n`;
  expect(await upload("location", text)).toMatchObject({ read: 703, rejected: 0, idsRepeated: 3 });
  const names = (await listed("location")).filter(({ pos_location_id }) => /^L[03]$/.test(String(pos_location_id)));
  expect(names.map(({ name }) => name).sort()).toEqual(["Second", "Third"]);
});

test("12 and 12.0 are the same id", async () => {
  const text = "pos_location_id,name\n12,First\n13.0,Other\n12.0,Second\n";
  expect(await upload("location", text)).toMatchObject({ read: 3, created: 2, idsRepeated: 1 });
  const found = (await listed("location")).map(({ pos_location_id, name }) => [pos_location_id, name]);
  expect(found.sort()).toEqual([
    ["12", "Second"],
    ["13", "Other"],
  ]);
});

describe("a file with amounts of money", () => {
  const columns = "pos_product_id,name,price,unit_cost,price_tiers.1.tier_price,price_tiers.1.pos_tier_type,";
  const header = `${columns}price_tiers.1.pos_tier_type_condition_value\n`;
  const wholeDollars = Array.from({ length: 1_000 }, (_, i) => `P${i},Product ${i},35,20,,,\n`).join("");
  const prices = async () =>
    (await listed("product")).map(({ pos_product_id, price, unit_cost }) => [pos_product_id, price, unit_cost]).sort();

  /** Expects an error before the table is read or written, with a message that contains no value of the file. */
  async function expectUnitRequired(text: string, message: string, name = "rows.csv", kind: RecordKind = "product") {
    let callCount = 0;
    calls.before = () => void callCount++;
    const before = () => expect.fail("the CRB is connected before the file is checked");
    const rejection = await upload(kind, text, { name, before }).catch((error: Error) => error.message);
    expect(rejection).toContain(message);
    expect(rejection).toMatch(
      /Nothing was stored\. Run the command again with --amounts dollars or --amounts cents\.$/,
    );
    expect(rejection).not.toMatch(/12.50|Sample/);
    expect(callCount).toBe(0);
  }

  test.each([
    ["P1000,Product,12.50,20,,,\n", "a decimal point in price"],
    ["P1000,Product,35,$12,,,\n", "a currency sign in unit_cost"],
    ['P1000,Product,35,20,"1,012",quantity,2\n', "a thousands separator in price_tiers.1.tier_price"],
    [",,12.50,20,,,\n", "a decimal point in price"],
    ["P1000,#REF!,12.50 or so,20,,,\n", "a decimal point in price"],
  ])("writes nothing when a thousand rows of whole dollars end with %j", async (row, sign) => {
    await expectUnitRequired(`${header}${wholeDollars}${row}`, `Line 1002 of ${join(folder, "rows.csv")} has ${sign}`);
    expect(await prices()).toEqual([]);
  });

  test.each([
    ["P1000,Product,12,50,,,,quantity\n", "column_count"],
    ['P1000,5" Product,12.50,,,,\n', "stray_quote"],
    ['P1000,"Product,12.50,,,,\n', "open_quote"],
  ])("writes nothing if a row that may hold dollars cannot be read: %j", async (row, reason) => {
    const message = `Line 1002 of ${join(folder, "rows.csv")} cannot be read (${reason}), so its amounts may be dollars`;
    await expectUnitRequired(`${header}${wholeDollars}${row}`, message);
    expect(await upload("product", `${header}${wholeDollars}${row}`, { amounts: "cents" })).toMatchObject({
      created: 1_000,
      rejected: 1,
    });
  });

  test("is rejected with the row that looks like dollars, not an earlier one that cannot be read", () =>
    expectUnitRequired(`${header}P1,5" Product,35,,,,\nP2,Product,12.50,,,,\n`, "Line 3 of"));

  test.each([
    [{ total_paid: 12.5 }, "a decimal point in total_paid"],
    [{ payments: [{ amount_paid: 1200 }, { amount_paid: "12.50" }] }, "a decimal point in payments.1.amount_paid"],
    [
      { line_items: [{ line_item_taxes: [{ flat_amount: "$12" }] }] },
      "a currency sign in line_items.0.line_item_taxes.0.flat_amount",
    ],
    [{ payments: { amount_paid: 12.5 } }, "a decimal point in amount_paid"],
    [{ "Ben Sample": { amount_paid: 12.5 } }, "a decimal point in amount_paid"],
  ])("is checked in NDJSON too: %j", async (fields, sign) => {
    const row = { pos_sale_id: "S1", date: "2026-03-01 10:00", total_paid: 35 };
    const text = [row, { ...row, ...fields }].map((one) => JSON.stringify(one)).join("\n");
    await expectUnitRequired(text, `Line 2 of ${join(folder, "rows.ndjson")} has ${sign},`, "rows.ndjson", "sale");
  });

  test("is taken as dollars if JSON writes whole dollars with a fraction", () =>
    expectUnitRequired(
      '{"pos_product_id":"P1","name":"One","price":35.00}\n',
      "a decimal point in price",
      "rows.ndjson",
    ));

  test("is stored unchanged if only other fields have decimals", async () => {
    const text =
      "pos_product_id,name,svc_net_weight_grams,price,pos_updated_date\nP1,$1.50 off,3.5,3500,3/1/2026 8:30\n";
    expect(await upload("product", text)).toMatchObject({ created: 1 });
    expect(await prices()).toEqual([["P1", 3500, null]]);
  });

  test("is read exactly with --amounts dollars", async () => {
    const rows = 'P1,One,12.50,1.005,,,\nP2,Two,"$1,035.50",20,,,\nP3,Three,35,,,,\nP4,Four,1.005,,,,\n';
    const { rejections } = await upload("product", header + rows, { amounts: "dollars" });
    expect(rejections).toEqual([{ line: 5, field: "price", reason: "not_whole_cents" }]);
    const inDollars = [
      ["P1", 1250, 100.5],
      ["P2", 103_550, 2000],
      ["P3", 3500, null],
    ];
    expect(await prices()).toEqual(inDollars);
    const json = '{"pos_product_id":"P1","name":"One","price":12.50,"unit_cost":1.005}\n';
    expect(await upload("product", json, { name: "rows.ndjson", amounts: "dollars" })).toMatchObject({ unchanged: 1 });
  });

  test("is read as cents with --amounts cents; only unit prices may have fractions", async () => {
    const rows = "P1,One,3500,1450.5,,,\nP2,Two,35.00,,,,\nP3,Three,$35,,,,\n";
    const { rejections } = await upload("product", header + rows, { amounts: "cents" });
    expect(rejections).toEqual([
      { line: 3, field: "price", reason: "not_whole_cents" },
      { line: 4, field: "price", reason: "not_a_number" },
    ]);
    expect(await prices()).toEqual([["P1", 3500, 1450.5]]);
  });

  test.skipIf(process.platform === "win32")("can come from a pipe only if it need not be read twice", async () => {
    const pipe = join(folder, "pipe.csv");
    execFileSync("mkfifo", [pipe]);
    await expect(uploadFile(table, connection, "product", pipe, { clock })).rejects.toThrow(
      "pipe.csv can be read only once, so its amounts cannot be checked before the upload. Add --amounts dollars or --amounts cents.",
    );
    const writing = writeFile(pipe, "pos_product_id,name,price\nP1,One,12.50\n");
    expect(await uploadFile(table, connection, "product", pipe, { clock, amounts: "dollars" })).toMatchObject({
      created: 1,
    });
    await writing;
  });

  test("reports its bytes as checked, then as read", async () => {
    const seen: string[] = [];
    const text = `${header}P1,One,3500,,,,\n`;
    const note = (what: string) => (bytes: number) => void seen.push(`${what} ${bytes}`);
    await upload("product", text, {
      progress: { checked: note("checked"), bytes: note("read"), rows: () => undefined },
    });
    expect(seen).toEqual([`checked ${text.length}`, `read ${text.length}`]);
  });
});

test("cells of N/A are empty, and add no element to a list", async () => {
  const columns =
    "pos_sale_id,date,employee_id,payments.1.type,payments.1.amount_paid,payments.2.type,payments.2.amount_paid";
  const rows = [
    "S1,2026-03-01 10:00,n/a,cash,500,N/A,N/A",
    "N/A,2026-03-01 10:00,,,,,",
    "S3,2026-03-01 10:00,,cash,#N/A,,",
  ];
  const { rejections } = await upload("sale", `${columns}\n${rows.join("\n")}\n`);
  expect(rejections).toEqual([
    { line: 3, field: "pos_sale_id", reason: "required" },
    { line: 4, field: "payments.1.amount_paid", reason: "spreadsheet_error" },
  ]);
  expect(await listed("sale")).toMatchObject([{ employee_id: null, payments: [{ amount_paid: 500 }] }]);
});

describe("rejected rows", () => {
  const text = [
    "pos_customer_id,first_name,dob,gender",
    "C1,Ana,1985-04-12,Female",
    "C2,Ben,12.4.1985,M",
    ",Cid,1985-04-12,Male",
    "C4,Dan",
    'C5,"Eve ""E"" Sample",1985-04-12,Female',
    ",,,",
    'C6,F"x,1985-04-12,Male',
    "",
  ].join("\r\n");

  test("are reported by line, field and code, and do not affect other rows", async () => {
    const { rejections, ...counts } = await upload("customer", text);
    expect(counts).toMatchObject({ read: 6, created: 2, rejected: 4 });
    expect(rejections).toEqual([
      { line: 3, field: "dob", reason: "not_a_date" },
      { line: 3, field: "gender", reason: "not_listed" },
      { line: 4, field: "pos_customer_id", reason: "required" },
      { line: 5, field: "", reason: "column_count" },
      { line: 8, field: "", reason: "stray_quote" },
    ]);
    expect(await readRejected(table, connection.crbId, "customer")).toMatchObject([
      { pos_id: "line 3", field: "dob", reason: "not_a_date" },
      { pos_id: "line 4", field: "pos_customer_id", reason: "required" },
      { pos_id: "line 5", field: "", reason: "column_count" },
      { pos_id: "line 8", field: "", reason: "stray_quote" },
    ]);
  });

  test("of an earlier file are no longer listed", async () => {
    await upload("customer", text);
    clock.advance(1_000);
    await upload("customer", "pos_customer_id\nC1\n\nC2\n");
    expect(await readRejected(table, connection.crbId, "customer")).toEqual([]);
  });

  test("are reported with the numbering of lists in the file", async () => {
    const columns = await upload(
      "sale",
      "pos_sale_id,date,payments.1.type,payments.3.amount_paid\nS1,2026-03-01 10:00,,x\n",
    );
    expect(columns.rejections).toEqual([{ line: 2, field: "payments.3.amount_paid", reason: "not_a_number" }]);
    const json =
      '{"pos_sale_id":"S1","date":"2026-03-01 10:00","payments":[{"amount_paid":1},{"amount_paid":"x","y":1}]}\n[\n';
    const { rejections } = await upload("sale", json, { name: "rows.ndjson", amounts: "cents" });
    expect(rejections).toEqual([
      { line: 1, field: "payments.1.amount_paid", reason: "not_a_number" },
      { line: 1, field: "payments.1", reason: "unknown_field" },
      { line: 2, field: "", reason: "not_json" },
    ]);
  });

  test("include rows that are too large, and sales of impossible years", async () => {
    const line = { line_item_taxes: Array(6_000).fill({}) };
    const sales = [
      { pos_sale_id: "S1", date: "2026-03-01 10:00", line_items: [line, line] },
      { pos_sale_id: "S2", date: "2026-03-01 10:00" },
      { pos_sale_id: "S3", date: "2000-01-01T01:00:00Z" },
    ];
    const { rejections, ...counts } = await upload("sale", sales.map((sale) => JSON.stringify(sale)).join("\n"), {
      name: "rows.jsonl",
    });
    expect(counts).toMatchObject({ read: 3, created: 1, rejected: 2 });
    expect(rejections).toEqual([
      { line: 3, field: "date", reason: "out_of_range" },
      { line: 1, field: "", reason: "too_large" },
    ]);
  });
});

describe("inventory that the file does not contain", () => {
  const header = "pos_inventory_id,name,total_quantity,location_data.1.pos_location_id,location_data.1.quantity\n";
  const first = `${header}I1,One,4,L1,4\nI2,Two,5,L1,5\nI3,Three,6,,\n`;
  const quantities = async () =>
    Object.fromEntries((await listed("inventory")).map(({ name, total_quantity }) => [name, total_quantity]));
  beforeEach(() => upload("inventory", first));

  test("stays, unless the file is complete: then its quantity is 0, also at its locations", async () => {
    const second = `${header}I2,Two,5,L1,5\nI4,Four,1,,\n`;
    expect(await upload("inventory", second)).toMatchObject({ created: 1, unchanged: 1, isComplete: false });
    expect(await quantities()).toEqual({ One: 4, Two: 5, Three: 6, Four: 1 });
    const result = await upload("inventory", second, { complete: true });
    expect(result).toMatchObject({ unchanged: 2, changed: 2, isComplete: true });
    expect(await quantities()).toEqual({ One: 0, Two: 5, Three: 0, Four: 1 });
    const locationId = recordId(connection.crbId, "location", connection.posType, "L1");
    const list = locationInventoryList(connection.crbId, locationId);
    const { records } = await readPage(table, list, { offset: 0, limit: 10 });
    const there = records.map((record) => JSON.parse(record));
    expect(Object.fromEntries(there.map(({ name, quantity }) => [name, quantity]))).toEqual({ One: 0, Two: 5 });
  });

  test.each([
    ["one row", "I4,Four,1,,\n"],
    ["as many rows of another store", "I7,Seven,1,,\nI8,Eight,1,,\nI9,Nine,1,,\n"],
  ])("goes to 0 only after a second file if the file has %s instead", async (_, rows) => {
    const wrong = `${header}${rows}`;
    const result = await upload("inventory", wrong, { complete: true });
    expect(result).toMatchObject({ changed: 0, unconfirmed: { records: 3 } });
    expect(await quantities()).toMatchObject({ One: 4, Two: 5, Three: 6 });
    clock.advance(60_000);
    expect(await upload("inventory", wrong, { complete: true })).toMatchObject({ changed: 3 });
    expect(await quantities()).toMatchObject({ One: 0, Two: 0, Three: 0 });
  });

  test.each([
    ["if a row is rejected", `${header}I2,Two,5,L1,5\nI1,One,many,,\n`],
    ["if a row cannot be read", `${header}I2,Two,5,L1,5\n"I1,One,4,L1,4\n`],
  ])("stays %s", async (_, text) => {
    expect(await upload("inventory", text, { complete: true })).toMatchObject({ changed: 0, isComplete: false });
    expect(await quantities()).toEqual({ One: 4, Two: 5, Three: 6 });
  });

  test("stays if the file has no rows, which is an error and does not count as a first file", async () => {
    await expect(upload("inventory", header, { complete: true })).rejects.toThrow(
      "contains no records. Nothing was changed.",
    );
    clock.advance(60_000);
    const short = await upload("inventory", `${header}I1,One,4,L1,4\n`, { complete: true });
    expect(short).toMatchObject({ changed: 0, unconfirmed: { records: 2 } });
    expect(await quantities()).toEqual({ One: 4, Two: 5, Three: 6 });
  });
});

describe("the lease of a kind", () => {
  test("prevents a second upload of the same kind, and of no other", async () => {
    const lease = await acquireLease(table, connection.crbId, "location", clock);
    expect(lease).toBeInstanceOf(ReplicationLease);
    await expect(upload("location", locations(1))).rejects.toThrow(/is running.*try again after \d\d:\d\d:\d\d/);
    expect(await upload("product", "pos_product_id,name\nP1,One\n")).toMatchObject({ created: 1 });
  });

  test("that another worker has taken over stops the upload", async () => {
    let pages = 0;
    calls.before = async (command) => {
      if (command !== "TransactWriteItemsCommand" || ++pages !== 3) return;
      clock.advance(replicationLeaseMs + 1);
      expect(await acquireLease(table, connection.crbId, "location", clock)).toBeInstanceOf(ReplicationLease);
    };
    await expect(upload("location", locations(600))).rejects.toThrow("has taken over");
    expect((await listed("location")).length).toBeLessThan(600);
  });

  test("is released after a file that could not be read to its end, and the state shows the error", async () => {
    await expect(upload("location", "pos_location_id\nL1\n")).rejects.toThrow("has no column name");
    expect(await state("location")).toBeUndefined();
    await upload("location", locations(2));
    await expect(upload("location", "pos_location_id,name,Ana Sample\n")).rejects.toThrow(
      /csv: it has columns that are not fields of location: "Ana Sample" \(column 3\)\.$/,
    );
    expect(await state("location")).toMatchObject({ error: null, held_until: 0 });
  });
});

test.each(sides)(
  "an upload that is killed %s any write can be repeated, and the table is then the same as without the kill",
  async (side) => {
    const first = locations(260);
    const second = locations(270, (i) => (i % 40 === 0 ? `Cellar ${i}` : `Room ${i}`));
    const contents = async () =>
      (await listed("location")).map(({ pos_location_id, name }) => `${pos_location_id} ${name}`).sort();
    await upload("location", first);
    const writes = await writesOf(calls, () => upload("location", second));
    expect(writes).toBeGreaterThan(4);
    const expected = await contents();
    expect(expected).toHaveLength(270);
    for (const write of crashPoints(writes)) {
      startAnew();
      await upload("location", first);
      crashAt(calls, write, side);
      await expect(upload("location", second)).rejects.toThrow("killed");
      letCallsPass(calls);
      clock.advance(replicationLeaseMs + 1);
      const again = await upload("location", second);
      expect(again).toMatchObject({ read: 270, rejected: 0 });
      expect(await contents()).toEqual(expected);
    }
  },
);

test("no plain sensitive value leaves the process, whether its row is accepted or rejected", async () => {
  const sensitive = [
    "first_name",
    "last_name",
    "middle_name",
    "phone",
    "cell_phone",
    "email_address",
    "medical_id",
    "drivers_license_id",
    "other_id",
  ];
  const planted = sensitive.map((field) =>
    field.includes("phone") ? `(970) 555-77${field.length}` : `Planted-${field}`,
  );
  const sent: string[] = [];
  calls.before = (_, input) => void sent.push(JSON.stringify(input));
  const row = (id: string, dob: string) => [id, dob, ...planted].join(",");
  const csv = [
    `pos_customer_id,dob,${sensitive.join(",")}`,
    row("C1", "1985-04-12"),
    row("C2", "some day"),
    // A typical mistake: all values are one column too far to the left, and the name is in the column of the id.
    [...planted, "1985-04-12"].join(","),
    [...planted, "1985-04-12", "C4"].join(","),
    `${row("C5", "1985-04-12")},${planted}`,
    `"${planted[0]}"${planted[1]},${planted}`,
  ].join("\n");
  const one = await upload("customer", csv);
  expect(one).toMatchObject({ created: 1, rejected: 5 });
  const storedFirst = await scan(table);
  const json = [
    JSON.stringify({ pos_customer_id: "C1", ...Object.fromEntries(sensitive.map((field, i) => [field, planted[i]])) }),
    JSON.stringify({ pos_customer_id: "C2", [planted[0] ?? ""]: planted[1] }),
    JSON.stringify({ pos_customer_id: [planted[0]], first_name: { [planted[0] ?? ""]: planted } }),
    `{"first_name": "${planted[0]}`,
    JSON.stringify(planted),
  ].join("\n");
  const other = await upload("customer", json, { name: "planted.ndjson" });
  expect(other).toMatchObject({ rejected: 4 });
  const output = [...sent, JSON.stringify([storedFirst, await scan(table)]), JSON.stringify([one, other])].join("\n");
  const hash = sensitiveHasher(connection.crbId);
  expect(output).toContain(hash.name(planted[0]));
  expect(output).toContain(recordKey(recordList(connection.crbId, "customer"), "").pk);
  for (const value of planted) expect(output).not.toContain(value);
});
