import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stage, startStage } from "../../../infra/local/stage.ts";
import { searchLicenses } from "../../../shared/table/licenses.ts";
import { startProgram } from "../local/startedProcess.ts";
import { temporaryDirectories } from "../local/temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const data = temporaryDirectory();
let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
}, 120_000);
afterAll(() => stage?.stop());

const program = join(import.meta.dirname, "..", "..", "..", "infra", "operator", "licenses.ts");

async function run(...parameters: string[]) {
  const started = startProgram(program, parameters);
  return { ...(await started.ended), out: started.out, err: started.err };
}

function givenFile(text: string): string {
  const file = join(temporaryDirectory(), "register.csv");
  writeFileSync(file, text);
  return file;
}

const total = async (terms: Parameters<typeof searchLicenses>[1]) =>
  (await searchLicenses(stage.table, terms, { offset: 0, limit: 1 })).total;

test("the demo holds a few hundred licences over several states", async () => {
  expect(await total({})).toBe(308);
  for (const state of ["CO", "MI", "OR", "CAN", "NLA"] as const) expect(await total({ state })).toBeGreaterThan(5);
});

test("a file is imported, its refused rows are told by line, and again changes nothing", async () => {
  const file = givenFile(
    [
      "\uFEFFLicense Number,Licensee,License Type,Status,Issue Date,DBA,Licensing Authority Name",
      'W-1,"Evergreen, the ""Best"" LLC",Retail Store,Active,1/31/2024,Evergreen; Best,Board',
      'W-2,"Two',
      'Lines",Retail Store,Active,2024-01-31,,Board',
      "W-3,Short row",
      "",
      "W-4,Laboratory Co,Testing Laboratory,Pending,2024-02-01,,",
      "W-5,Rainier Farm,Cultivation,Expired,2024-13-01,,Board",
      'W-6,Bad "quote,Cultivation,Expired,2024-11-01,,Board',
      "",
    ].join("\r\n"),
  );
  const first = await run("import", file, "--state", "wa", "--authority", "Liquor Board", "--data", data);
  expect(first.err).toBe("");
  expect(first.out.split("\n")).toEqual([
    "  line 4: licensee must hold no control characters",
    "  line 5: has another number of columns than the first line",
    "  line 8: issued_at must be a date, yyyy-MM-dd or M/d/yyyy",
    "  line 9: has a quote within a value that is not quoted",
    `${file}, register of WA: 2 taken (2 new, 0 changed, 0 unchanged), 4 refused`,
    "",
  ]);
  expect(first.code).toBe(0);
  const { records } = await searchLicenses(stage.table, { state: "WA", name: "best" }, { offset: 0, limit: 1 });
  expect(JSON.parse(records[0] ?? "")).toMatchObject({
    licensee: 'Evergreen, the "Best" LLC',
    status_date: "2024-01-31",
    businesses: [{ name: "Evergreen" }, { name: "Best" }],
    uniform_license_type_description: "Retail/Dispensary",
  });
  const again = await run("import", file, "--state", "WA", "--authority", "Liquor Board", "--data", data);
  expect(again.out).toContain("2 taken (0 new, 0 changed, 2 unchanged), 4 refused");
  expect(await total({ state: "WA" })).toBe(2);
});

test("--help shows how", async () => {
  const { code, out } = await run("--help");
  expect(code).toBe(0);
  expect(out).toContain("--state");
});

test.each([
  [[], "Name a command"],
  [["export"], "Unknown command export"],
  [["import", "--state", "CO"], "Name one CSV file"],
  [["import", "x.csv"], "--state"],
  [["import", "x.csv", "--state", "XX"], "--state must be one of AL"],
  [["import", "x.csv", "--colour"], "--colour"],
  [["import", "x.csv", "--state", "CO", "--data", "/nowhere"], "npm start"],
  [["import", "x.csv", "--state", "CO", "--stage", "prod"], "TABLE_NAME"],
  [["import", "/nowhere.csv", "--state", "CO", "--data", data], "Cannot read /nowhere.csv: ENOENT."],
  [["import", "package.json", "--state", "CO", "--data", data], "has no column"],
])("%j is refused with one line", async (parameters, named) => {
  const { code, out, err } = await run(...parameters);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(named);
});

test("an empty file is refused", async () => {
  const { code, err } = await run("import", givenFile(""), "--state", "CO", "--data", data);
  expect([code, err]).toEqual([1, expect.stringContaining("is empty")]);
});
