import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { close, listen } from "../../../infra/local/listen.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { type Language, samplesOf } from "./samples.ts";

const sale = (id: string, pricePerUnit: number | null, totalPaid: number | null) => ({
  id,
  local_date: "2026-01-15T10:00:00",
  subtotal: 2_000,
  total_discounts: 0,
  tax_paid: 160,
  total_paid: totalPaid,
  line_items: [
    {
      product_type: "flower",
      num_units: 2,
      price_per_unit: pricePerUnit,
      line_item_discounts: [],
      line_item_taxes: [],
      line_item_fees: [],
    },
  ],
  discounts: [],
  taxes: [{ flat_amount: 160 }],
  fees: [],
  payments: [{ amount_paid: 2_160 }],
});
const sales = [sale("known", 1_000, 2_160), sale("without-price", null, 2_160), sale("without-total", 1_000, null)];
const kinds = ["customers", "products", "inventory", "inventory-locations", "sales"];

/** Returns the response to a request of the samples, for two pages of CRBs with these sales. */
function responseTo(path: string): object {
  const [, kind] = /\/changes\/([\w-]+)/.exec(path) ?? [];
  if (kind) return { data: kind === "sales" ? sales : [{ id: kind }], cursor: "end", has_more: false };
  if (path.endsWith("/replications")) {
    return { data: kinds.map((kind) => ({ kind, state: "current", data_as_of: "2026-02-01T00:00:00.000Z" })) };
  }
  const name = path.includes("offset=0") ? "Example Shop" : "Last Shop";
  return { metadata: { total: 501 }, data: [{ id: name, name }] };
}

const server = createServer(({ url = "" }, response) => void response.end(JSON.stringify(responseTo(url))));
const folder = mkdtempSync(join(inject("temporaryDirectory"), "unknown-amounts-"));
let baseUrl: string;
beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${await listen(server, 0)}`;
  const helpers = samplesOf(readFileSync("docs/guide/first-call.md", "utf8"));
  for (const { file, code } of helpers) if (file) writeFileSync(join(folder, file), code);
});
afterAll(() => close(server));

/** Runs the first sample of a guide in a language. @returns the lines that it prints, with single spaces */
async function linesOf(guide: string, language: Language, pythonPath = ""): Promise<string[]> {
  const samples = samplesOf(readFileSync(`docs/guide/${guide}.md`, "utf8"));
  const { code } = samples.find((one) => one.language === language) ?? expect.fail("no sample");
  const [program, file] = language === "ts" ? [process.execPath, `${guide}.mts`] : ["python3", `${guide}.py`];
  writeFileSync(join(folder, file), code);
  const caller = { BASE_URL: baseUrl, CLIENT_SECRET: "secret", SP_ID: "provider", CRB_ID: "crb" };
  const env = { PATH: process.env.PATH, PYTHONPATH: pythonPath, ...caller };
  const { stdout } = await promisify(execFile)(program, [file], { cwd: folder, env, timeout: 120_000 });
  return stdout.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "));
}

test("the program that checks sales counts those with unknown amounts separately, for all pages of CRBs", async () => {
  expect(await linesOf("money-and-sales", "ts")).toEqual([
    "Example Shop: 3 sales, 0 mismatched, 2 with unknown amounts",
    "Last Shop: 3 sales, 0 mismatched, 2 with unknown amounts",
    "",
  ]);
});

describe("with pandas", () => {
  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  let pythonPath: string | undefined;
  beforeAll(async () => {
    if (hasPython) pythonPath = (await pythonPackages("docs/requirements.txt", "the guides' use of pandas")).directory;
  }, 300_000);

  test("the statement by month leaves out sales with unknown amounts, and prints their number", async ({ skip }) => {
    skip(!pythonPath, "pandas cannot be installed here");
    const lines = await linesOf("money-and-sales", "python", pythonPath);
    expect(lines).toContain("flower 20.0");
    expect(lines).toContain("total_paid 21.6");
    expect(lines).toContain("sales left out, with unknown amounts: 2");
  });

  test("the notebook sums up known amounts only, and prints the number of lines without an amount", async ({
    skip,
  }) => {
    skip(!pythonPath, "pandas cannot be installed here");
    const lines = await linesOf("notebook", "python", pythonPath);
    expect(lines).toContain("2026-01 40.0 1");
    expect(lines).toContain("lines without amount: 1 of 3; the sums do not include them");
  });
});
