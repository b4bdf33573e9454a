import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn, functionEnvironment } from "../../../../infra/local/environment.ts";
import { runningEndpoints } from "../../../../infra/local/stageLock.ts";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import { replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
import { changeCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { readAllDue } from "../../../../shared/store/replicationDue.ts";
import { useTestIdentity } from "../../../useTestIdentity.ts";
import { runHere } from "../../local/runHere.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { useOperator } from "./useOperator.ts";

const temporaryDirectory = temporaryDirectories();
const { data, stage, run, expectDone, expectRefused, call, crbAt, provider, spId } = useOperator();

/** The CRB that is connected to no POS. */
const invited = () => crbAt(3);
const configs = async () => (await readCrb(stage().table, invited().crb_id))?.record.pos_configs;

function givenFile(name: string, text: string): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
}

async function totalOf(kind: string): Promise<number> {
  const { crb_id, client_secret } = invited();
  return (await call(client_secret, `/crbs/${crb_id}/${kind}?limit=1`)).json.metadata.total;
}

test.each([
  [() => ["customer", "customers.xlsx"], "must have the extension .csv or .ndjson"],
  [() => ["customer", "/nowhere.csv"], "Cannot read /nowhere.csv: ENOENT."],
  [() => ["customer", givenFile("empty.csv", "")], "is empty"],
  [
    () => ["customer", "docs/upload/products.csv"],
    'Cannot read docs/upload/products.csv: it has columns that are not fields of customer: "pos_product_id" (column 1), ',
  ],
  [() => ["customer", "docs/upload/products.csv"], ". Is this a file of products?\n"],
  [() => ["people", "docs/upload/customers.csv"], "KIND must be one of"],
  [() => ["customer", "docs/upload/customers.csv", "--complete"], "--complete works only for inventory"],
  [() => ["product", "docs/upload/products.csv", "--amounts", "euros"], "`--amounts` must be `dollars` or `cents`.\n"],
  [
    () => ["inventory", givenFile("empty.csv", "pos_inventory_id,name,total_quantity\n"), "--complete"],
    "empty.csv contains no records. Nothing was changed.",
  ],
  [() => ["customer", "docs/upload/customers.csv", "--report", "docs/upload/customers.csv"], "would overwrite"],
  [
    () => ["customer", "docs/upload/customers.csv", "--report", "/nowhere/x.csv"],
    "Cannot write /nowhere/x.csv: ENOENT.",
  ],
])("an invalid call changes nothing (%#)", async (parameters, line) => {
  await expectRefused(line, "upload", invited().crb_id, ...parameters(), "--yes");
  expect(await configs()).toEqual([]);
  expect(readFileSync("docs/upload/customers.csv", "utf8")).toContain("pos_customer_id");
});

test("only a CRB without a POS accepts uploads, and the program asks before it connects the first", async () => {
  const file = "docs/upload/customers.csv";
  await expectRefused("There is no CRB", "upload", randomUUID(), "customer", file, "--yes");
  await expectRefused("come from Dutchie", "upload", crbAt(0).crb_id, "customer", file, "--yes");
  const question =
    "From now on, Mesa Verde Wellness can get records only from files; no POS can be connected afterward. Continue?";
  await expectRefused(question, "upload", invited().crb_id, "customer", file);
  expect(await configs()).toEqual([]);
});

describe("a CRB whose records are uploaded", () => {
  test("is shown as connected from the first upload on, with the uploaded records", async () => {
    const { crb_id } = invited();
    const out = await expectDone("upload", crb_id, "customer", "docs/upload/customers.csv", "--yes");
    expect(out).toBe(
      "docs/upload/customers.csv, customer records of Mesa Verde Wellness: 2 read (2 new, 0 changed, 0 unchanged), 0 rejected\n",
    );
    expect(await configs()).toMatchObject([{ name: "Manual Upload Retail", status: "Connected" }]);
    expect(await totalOf("customers")).toBe(2);
    const again = await expectDone("upload", crb_id, "Customers", "docs/upload/customers.ndjson");
    expect(again).toContain("2 read (0 new, 0 changed, 2 unchanged), 0 rejected");
    expect(await expectDone("replication", "state", crb_id)).toMatch(
      /^customer +manual( +-){3} +0 +0 +- +- +2 +\S+Z +\S+Z +2 +0 +0 +2 +0 +0 +- +-/m,
    );
  });

  test("can be searched for uploaded customers, whose values are hashed with the stage's own key", async () => {
    const path = `/service-providers/${spId()}/crbs/${invited().crb_id}/customers-search?email=ANA@example.com`;
    const found: { pos_customer_id: string }[] = (await call(provider().client_secret, path)).json.data;
    expect(found.map(({ pos_customer_id }) => pos_customer_id)).toEqual(["C1"]);
  });

  test("is not in the plan of replications, and the worker does nothing for it", async () => {
    const { crb_id } = invited();
    expect((await readAllDue(stage().table)).filter(({ crbId }) => crbId === crb_id)).toEqual([]);
    const deadline = new Date(Date.now() + 60_000);
    process.env.POS_CONNECTORS = "sandbox";
    for (const kind of ["customer", "sale"] as const) {
      expect(await replicateCrb(stage().table, { crb_id, kind }, { deadline })).toEqual({ outcome: "notConnected" });
    }
    delete process.env.POS_CONNECTORS;
    await expectRefused("come by upload", "replication", "start", crb_id);
    expect(await configs()).toMatchObject([{ name: "Manual Upload Retail", status: "Connected" }]);
    expect(await totalOf("customers")).toBe(2);
  });

  test("gets its rejected rows listed by line, the first ones on the terminal and all in a file", async () => {
    const { crb_id } = invited();
    const rows = Array.from({ length: 60 }, (_, i) => `P${i},Product ${i},${i < 55 ? "19.99" : "1999"}\n`);
    const file = givenFile("products.csv", `pos_product_id,name,price\n${rows.join("")}`);
    const report = join(temporaryDirectory(), "refused.csv");
    const { code, out, err } = await run("upload", crb_id, "product", file, "--report", report, "--amounts", "cents");
    expect({ code, err }).toEqual({ code: 1, err: "55 rows were rejected. Correct the file and upload it again.\n" });
    expect(out.split("\n")).toEqual([
      ...Array.from({ length: 50 }, (_, i) => `  line ${i + 2}: price not_whole_cents`),
      "  ... and 5 more",
      `${file}, product records of Mesa Verde Wellness: 60 read (5 new, 0 changed, 0 unchanged), 55 rejected`,
      "",
    ]);
    const lines = readFileSync(report, "utf8").split("\n");
    expect([lines.length, lines[0], lines[1], lines[55]]).toEqual([
      57,
      "line,field,reason",
      "2,price,not_whole_cents",
      "56,price,not_whole_cents",
    ]);
    expect(out + lines.join("\n")).not.toContain("19.99");
    expect(await expectDone("replication", "rejected", crb_id)).toMatch(/^product +line 2 +price +not_whole_cents /m);
    await expectDone("upload", crb_id, "product", "docs/upload/products.csv", "--report", report);
    expect(readFileSync(report, "utf8")).toBe("line,field,reason\n");
    expect(await expectDone("replication", "rejected", crb_id)).toContain(
      "No record of Mesa Verde Wellness is rejected.",
    );
  });

  test("accepts amounts that may be dollars only with a unit, and stores them in cents", async () => {
    const { crb_id, client_secret } = invited();
    const file = givenFile(
      "dollars.csv",
      'pos_product_id,name,price\nD1,Grinder,35\nD2,Vaporizer,"$1,035.50"\nD1,Mill,40\n',
    );
    await expectRefused(
      "Run the command again with --amounts dollars or --amounts cents.",
      "upload",
      crb_id,
      "product",
      file,
    );
    const out = await expectDone("upload", crb_id, "product", file, "--amounts", "Dollars");
    expect(out).toContain("3 read (2 new, ");
    expect(out).toContain("\nRows that replace an earlier row with the same id: 1.\n");
    const answer = await call(client_secret, `/crbs/${crb_id}/products?limit=1000`);
    const products: { pos_product_id: string; price: number }[] = answer.json.data;
    const prices = Object.fromEntries(products.map(({ pos_product_id, price }) => [pos_product_id, price]));
    expect(prices).toMatchObject({ D1: 4000, D2: 103_550 });
  });

  test("keeps its inventory unless the operator confirms that it goes to quantity 0, and always if a row is rejected", async () => {
    const { crb_id } = invited();
    await expectDone("upload", crb_id, "inventory", "docs/upload/inventory.csv");
    const one = givenFile("inventory.csv", "pos_inventory_id,name,total_quantity\nI1,Blue Dream 3.5 g,48\n");
    await expectRefused("that is not in ", "upload", crb_id, "inventory", one, "--complete");
    const uploadComplete = (file: string) => expectDone("upload", crb_id, "inventory", file, "--complete", "--yes");
    const unconfirmed = await uploadComplete(one);
    expect(unconfirmed).toContain("1 read (0 new, 1 changed");
    expect(unconfirmed).toContain(
      "lacks most of the stock (2 records). If they are really gone, upload the file again to confirm",
    );
    expect(await expectDone("replication", "state", crb_id, "--json")).toContain('"records": 2');
    const confirmed = await uploadComplete(one);
    expect(confirmed).toContain("1 read (0 new, 2 changed");
    expect(confirmed).not.toContain("once more");
    const broken = givenFile("inventory.ndjson", '{"pos_inventory_id":"I2","name":"Two","total_quantity":1}\n{}\n');
    const { code, out, err } = await run("upload", crb_id, "inventory", broken, "--complete", "--yes");
    expect({ code, err }).toEqual({ code: 1, err: "1 row was rejected. Correct the file and upload it again.\n" });
    expect(out).toContain("No quantity was set to 0");
  });

  test("accepts no upload while its association is paused", async () => {
    const { crb_id } = invited();
    const setStatus = (status: "bank_disconnected" | "svc_pending") =>
      changeCrb(stage().table, crb_id, (crb) => ({ ...crb, record: { ...crb.record, status } }));
    await setStatus("bank_disconnected");
    await expectRefused("is paused", "upload", crb_id, "customer", "docs/upload/customers.csv");
    await setStatus("svc_pending");
  });
});

describe("the service key", () => {
  useTestIdentity();
  const upload = () => ["upload", invited().crb_id, "customer", "docs/upload/customers.csv"] as const;
  /** Runs with additional variables, as for a deployed stage that has the table of this one. */
  async function deployed(more: NodeJS.ProcessEnv, ...parameters: string[]) {
    const environment = process.env;
    process.env = { ...environment, ...more };
    try {
      return await runHere(operator, [...upload(), ...parameters]);
    } finally {
      process.env = environment;
    }
  }

  test("of a deployed stage must be in the environment, and is used", async () => {
    const { SERVICE_KEY_FILE: _, ...ofFunctions } = functionEnvironment(
      data,
      runningEndpoints(data) ?? expect.fail("no stage"),
    );
    const stageEnvironment = { ...ofFunctions, STAGE: "sandbox" };
    const without = await deployed(stageEnvironment, "--stage", "sandbox");
    expect(without).toEqual({
      code: 1,
      out: "",
      err: "Set SERVICE_KEY_SECRET: npm run stage-env -- --stage sandbox writes it to .deployed/sandbox.env.\n",
    });
    const given = await deployed(
      { ...stageEnvironment, SERVICE_KEY_FILE: filesIn(data).serviceKey },
      "--stage",
      "sandbox",
    );
    expect(given).toMatchObject({ code: 0, out: expect.stringContaining("2 unchanged") });
  });

  test("of a deployed stage is never used for the local one", async () => {
    const { code, err } = await deployed({ SERVICE_KEY_SECRET: "the-stage's" }, "--data", data);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^Unset SERVICE_KEY_SECRET.*\n$/) });
  });
});

test("the stage's log has no value of an uploaded customer", () => {
  const log = readFileSync(filesIn(data).log, "utf8");
  for (const value of ["Ana", "555-0141", "ana@example.com", "D-000-0001"]) expect(log).not.toContain(value);
});
