import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser } from "../../useBrowser.ts";
import { expectSound, mailedToken } from "../connect/visit.ts";
import { open, textOf, useConsole } from "./useConsole.ts";

const postings = `POST_DT,TXN_AMT,TXN_CD,REF_NO,ACCT,MEMO
11/02/2026,"3,115.00",CSHDEP,D-1,00012344417,vault drop
11/03/2026,1029.92,ACHCR,D-2,00012344417,
11/04/2026,(410.00),CSHDEP,D-3,00012344417,change order
11/31/2026,2940.00,CSHDEP,D-4,00012344417,
`.replaceAll("2026", String(new Date().getFullYear() - 1));

const shortDay = (date: string) =>
  new Date(date).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

/** A record of a list, such as a sales day. */
type Row = Readonly<Record<string, unknown>>;

/** Changes the records of a list that the page reads. */
const alter = (page: Page, list: string, change: (rows: readonly Row[], url: URL) => readonly Row[]) =>
  page.route(new RegExp(`/${list}\\?`), async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, data: change(json.data, new URL(route.request().url())) } });
  });

describe.skipIf(!hasBrowser)("in a browser", { timeout: 300_000 }, () => {
  const { stage } = useStage();
  const { signedIn, call } = useConsole(stage);
  const business = () =>
    stage().description.crbs.find(({ name }) => name === "High Country Remedies") ?? expect.fail("no business");

  test("a reviewer links a license, and removes the link of one that is not theirs", async () => {
    const { page, complaints } = await signedIn();
    await open(page, `/businesses/${business().crb_id}/licenses`);
    await page.getByRole("row", { name: /CO-R-90001/ }).waitFor();
    await page.getByLabel("Number or name in the register").fill("co-r-10000");
    await page.getByRole("button", { name: "Search the register" }).click();
    await page.getByRole("button", { name: "Link CO-R-10000" }).click();
    await page.getByRole("button", { name: "Linked" }).waitFor();
    const linked = page
      .getByRole("table")
      .first()
      .getByRole("row", { name: /CO-R-10000/ });
    await linked.getByText("Differs").waitFor();
    // The wrong license comes first, and is compared.
    await page.getByRole("heading", { name: /^Compare CO-R-10000/ }).waitFor();
    await expectSound(page, "console-licenses");
    await page.getByRole("button", { name: /^Remove the link/ }).click();
    await expectSound(page, "console-unlink");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toMatch(/^Remove the link/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove the link" }).click();
    await linked.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("a day opens to its postings, and a count that differs from the balance is shown with the difference", async () => {
    const crb = `/crbs/${business().crb_id}`;
    const { data } = await call("GET", `${crb}/reconciliation-days?limit=10`);
    const [counted, before] = data.filter(({ complete }: { complete: boolean }) => complete);
    const most = before.balance_high + counted.cash_sales_high - counted.cash_deposited;
    await call("PUT", `${crb}/cash-counts/${counted.date}`, { amount: most + 98_765_432 });
    const { data: deposits } = await call("GET", `${crb}/deposits?limit=1`);
    const wrong = { id: "WRONG-1", posted_date: deposits[0].posted_date, amount: 100, type: "wire" };
    await call("PUT", `${crb}/deposits`, { deposits: [wrong] });
    const { page, complaints } = await signedIn();
    await open(page, `/businesses/${business().crb_id}`);
    await page.getByRole("heading", { name: /^The cash count of .* differs by \+\$987,654\.32$/ }).waitFor();
    await page
      .getByRole("row")
      .getByText(/^counted .*, expected at most .*: \+\$987,654\.32$/)
      .waitFor();
    await expectSound(page, "console-count");
    const day = shortDay(deposits[0].posted_date);
    await page.getByRole("button", { name: new RegExp(`^${day}\\s*: postings`) }).click();
    const dialog = page.getByRole("dialog", { name: `Postings of ${day}` });
    const row = dialog.getByRole("row", { name: deposits[0].id });
    await row.getByRole("cell", { name: (deposits[0].amount / 100).toLocaleString("en-US") }).waitFor();
    await expectSound(page, "console-postings");
    await dialog.getByRole("button", { name: /^Remove.*: posting WRONG-1/ }).click();
    const question = page.getByRole("dialog", { name: "Remove posting WRONG-1?" });
    await question.getByText("Its day is compared without it").waitFor();
    await expectSound(page, "console-remove-posting");
    await question.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByRole("row", { name: "WRONG-1" }).waitFor({ state: "detached" });
    await row.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await call("DELETE", `${crb}/cash-counts/${counted.date}`);
    expect(complaints).toEqual([]);
  });

  test("the parts of a business stay with it, and lead to the businesses around it", async () => {
    const { page, complaints } = await signedIn("Demo viewer");
    await open(page, `/businesses/${business().crb_id}`);
    const parts = page.getByRole("navigation", { name: "High Country Remedies" });
    for (const part of ["Insights", "Documents"]) {
      await parts.getByRole("link", { name: part }).click();
      await page.getByRole("navigation", { name: `${part} of the list` }).waitFor();
      await page.getByRole("heading", { level: 1, name: "High Country Remedies" }).waitFor();
      await parts.getByRole("link", { name: part, exact: false }).and(page.locator("[aria-current=page]")).waitFor();
      await expectSound(page, `console-business-${part.toLowerCase()}`);
    }
    await page.getByRole("link", { name: /^Next: / }).click();
    await page.getByRole("link", { name: "Previous: High Country Remedies" }).waitFor();
    expect(page.url()).toMatch(/\/documents$/);
    expect(complaints).toEqual([]);
  });

  test("a viewer sees the totals of the state's system next to the sales, with the days that differ", async () => {
    const { page, complaints } = await signedIn("Demo viewer");
    await open(page, `/businesses/${business().crb_id}`);
    await page.getByRole("heading", { name: /^What the state has/ }).waitFor();
    const rows = page.getByRole("row", { name: /CO-R-90001/ });
    await expect.poll(() => rows.count()).toBeGreaterThan(20);
    const variances = await rows
      .getByRole("cell")
      .filter({ hasText: /^−[\d,]+\.\d\d$/ })
      .allTextContents();
    expect(variances.length).toBeGreaterThan(0);
    await rows.getByText("Complete", { exact: true }).first().waitFor();
    await page.getByText("the nearer figure of the point of sale, the paid sum").waitFor();
    await expectSound(page, "console-state-days");
    expect(complaints).toEqual([]);
  });

  test("the totals of the state are those of all licenses, and each day says whether it is complete", async () => {
    const { page } = await signedIn("Demo viewer");
    await page.route(/\/state-days\?/, (route) => route.fulfill({ status: 503, json: {} }));
    await open(page, `/businesses/${business().crb_id}`);
    const alert = page.getByRole("alert");
    await alert.getByText("The totals of the state could not be loaded").waitFor();
    await page.unroute(/\/state-days\?/);
    await alter(page, "state-days", (rows, { searchParams }) =>
      rows
        .flatMap((row) => [row, { ...row, license_number: "CO-R-90002", complete: false }])
        .slice(0, Number(searchParams.get("limit"))),
    );
    await alert.getByRole("button", { name: "Try again" }).click();
    const rows = page.getByRole("row", { name: /CO-R-90002/ });
    await expect.poll(() => rows.count()).toBeGreaterThan(20);
    await rows.first().getByText("Incomplete", { exact: true }).waitFor();
  });

  const figureOf = (page: Page, name: RegExp) => page.locator("dl.figures > div", { hasText: name });
  /** The row of a day in the table of all days. */
  const rowOf = (page: Page, date: unknown) =>
    page.getByRole("row", { name: new RegExp(`^${shortDay(`${date}`)}\\s*: postings`) });

  test("if the deposits cannot be read, nothing is said about them, and another period can be chosen", async () => {
    const { page, complaints } = await signedIn("Demo viewer");
    const fail = (days: RegExp) => page.route(days, (route) => route.fulfill({ status: 503, json: {} }));
    await fail(/\/reconciliation-days\?/);
    await open(page, `/businesses/${business().crb_id}`);
    const alert = page.getByRole("alert");
    await alert.getByText("The sales and deposits could not be loaded").waitFor();
    expect(await page.getByRole("main").textContent()).not.toMatch(/no deposit|not known|cash count|balance|\$0\.00/i);
    await expectSound(page, "console-deposits-not-loaded");
    await page.unroute(/\/reconciliation-days\?/);
    await alert.getByRole("button", { name: "Try again" }).click();
    const table = page.getByRole("region", { name: /^Day by day/ });
    await table.waitFor();
    await fail(/\/reconciliation-days\?limit=366$/);
    await page.getByLabel("Period").selectOption("A year");
    await alert.waitFor();
    await page.getByLabel("Period").selectOption("90 days");
    await alert.waitFor({ state: "detached" });
    await table.waitFor();
    expect(complaints.filter((each) => !each.includes("503"))).toEqual([]);
  });

  test("the days of a business can be chosen", async () => {
    const { data } = await call("GET", `/crbs/${business().crb_id}/sales-days?limit=6`);
    const [first, last] = [data[5].date, data[3].date];
    const { page, complaints } = await signedIn();
    await open(page, `/businesses/${business().crb_id}`);
    await page.getByLabel("Period").selectOption("Choose days");
    await page.getByLabel("First day").fill(first);
    await page.getByLabel("Last day").fill(last);
    await page.getByRole("button", { name: "Show these days" }).click();
    const days = page.getByRole("table").first().getByRole("rowheader");
    await expect.poll(() => days.count()).toBe(3);
    expect(await days.first().textContent()).toMatch(shortDay(last));
    await expectSound(page, "console-chosen-days");
    // The choice stays when another screen was open.
    await open(page, "/");
    await open(page, `/businesses/${business().crb_id}`);
    await expect.poll(() => days.count()).toBe(3);
    await page.getByLabel("First day").fill("2019-01-01");
    await page.getByLabel("Last day").fill("2019-01-31");
    await page.getByRole("button", { name: "Show these days" }).click();
    await page.getByRole("heading", { name: "Nothing on these days" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("sums that lack amounts are the least that they can be, on the page and in the file", async () => {
    const { data } = await call("GET", `/crbs/${business().crb_id}/sales-days?limit=5`);
    const { date } = data.find(({ complete }: Row) => complete);
    const { page, complaints } = await signedIn("Demo viewer");
    await alter(page, "sales-days", (rows) =>
      rows.map((row) => (row.date === date ? { ...row, unknown_totals: 1, unknown_paid_amounts: 1 } : row)),
    );
    const unknown = { balance_low: null, balance_high: null, counted: null, status: "not_compared" };
    await alter(page, "reconciliation-days", (rows) =>
      rows.map((row) => (`${row.date}` >= date ? { ...row, ...unknown } : row)),
    );
    await open(page, `/businesses/${business().crb_id}`);
    await rowOf(page, date).getByText("Lacks amounts").waitFor();
    expect(await rowOf(page, date).getByText("at least", { exact: true }).count()).toBe(4);
    await rowOf(page, date).getByText("not known", { exact: true }).waitFor();
    await figureOf(page, /^Sales/)
      .getByText(/^at least \$/)
      .waitFor();
    await figureOf(page, /^of it cash/)
      .getByText("share not known")
      .waitFor();
    await figureOf(page, /^Cash on hand/)
      .getByText("an amount is missing since the count")
      .waitFor();
    await expectSound(page, "console-lacks-amounts");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download CSV.*Day by day/ }).click();
    const line = (await textOf(await saved)).split("\r\n").find((each) => each.startsWith(date));
    expect(line).toMatch(/^[\d-]+,[\d.]+,[\d.]+,,.*,Lacks amounts$/);
    expect(complaints).toEqual([]);
  });

  test("days of files are never complete, so their sums are those so far; a withdrawal is no deposit", async () => {
    const { page, complaints } = await signedIn("Demo viewer");
    await alter(page, "sales-days", (rows) => rows.map((row) => ({ ...row, complete: false })));
    await alter(page, "reconciliation-days", (rows) =>
      rows.map((row, i) => ({
        ...{ ...row, complete: false, status: "not_compared", cash_deposited: 0, days_since_deposit: null },
        ...(i === 1 && { cash_deposited: -41_000, days_since_deposit: 1 }),
        ...(i === 2 && { cash_deposited: 100_000, days_since_deposit: 0 }),
      })),
    );
    await open(page, `/businesses/${business().crb_id}`);
    const sales = figureOf(page, /^Sales so far, 28 days/);
    await sales.getByText("no day is complete; files never say that one is").waitFor();
    await sales.getByText(/^\$[1-9][\d,]+\.\d\d$/).waitFor();
    await figureOf(page, /^Cash on hand/)
      .getByText("no day is complete")
      .waitFor();
    const deposited = figureOf(page, /^Cash deposited/);
    await deposited.getByText("$590.00").waitFor();
    await deposited.getByText(/^on 1 day, last on/).waitFor();
    expect(complaints).toEqual([]);
  });

  test("a day with deposits alone had no sales only if it is complete", async () => {
    const { data } = await call("GET", `/crbs/${business().crb_id}/sales-days?limit=5`);
    const [none, unknown] = data.filter(({ complete }: Row) => complete).map(({ date }: Row) => date);
    const { page, complaints } = await signedIn("Demo viewer");
    await alter(page, "sales-days", (rows) => rows.filter(({ date }) => date !== none && date !== unknown));
    await alter(page, "reconciliation-days", (rows) =>
      rows.map((row) => ({
        ...row,
        ...((row.date === none || row.date === unknown) && { cash_sales_low: 0, cash_sales_high: 0 }),
        ...(row.date === unknown && { complete: false }),
      })),
    );
    await open(page, `/businesses/${business().crb_id}`);
    await rowOf(page, none).getByText("No sales").waitFor();
    await rowOf(page, none).getByRole("cell", { name: "0.00", exact: true }).waitFor();
    await rowOf(page, unknown).getByText("Not known").waitFor();
    await rowOf(page, unknown).getByText("not yet").waitFor();
    expect(complaints).toEqual([]);
  });

  test("before rows are sent, those of another day are named, and postings keep what a file cannot say", async () => {
    const crb = `/crbs/${business().crb_id}`;
    const year = new Date().getFullYear() - 1;
    const loan = {
      ...{ id: "R-2", posted_date: `${year}-12-02`, amount: 5_000_000, type: "wire" },
      ...{ business_date: `${year}-12-01`, excluded_reason: "loan" },
    };
    const other = { id: "R-1", posted_date: `${year}-12-01`, amount: 4_000, type: "cash" };
    await call("PUT", `${crb}/deposits`, { deposits: [other, loan] });
    const { page, complaints } = await signedIn();
    await open(page, "/deposits");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    const lines = [`50.00,CASH,R-1`, `"50,000.00",WIRE,R-2`, `60.00,CASH,R-3`];
    const csv = `DATE,AMOUNT,TYPE,ID\n${lines.map((line) => `12/02/${year},${line}`).join("\n")}\n`;
    const file = { name: "postings.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    // Without the stored postings, nothing can be sent.
    await page.route(/\/deposits\?/, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByLabel(/^CSV file/).setInputFiles(file);
    const alert = page.getByRole("alert");
    await alert.getByText("The stored postings could not be loaded").waitFor();
    expect(await page.getByRole("button", { name: /^Send/ }).count()).toBe(0);
    await page.unroute(/\/deposits\?/);
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "1 row would replace a posting of another day" }).waitFor();
    const moved = page.getByRole("row", { name: /^2 R-1/ });
    await moved.getByText("Replaces another day").waitFor();
    await moved.getByText(/^was \$40\.00, posted Dec 1/).waitFor();
    await page
      .getByRole("row", { name: /^3 R-2.*Stored already/ })
      .getByText("does not count: loan")
      .waitFor();
    await page.getByText("A posting can be removed again").waitFor();
    await expectSound(page, "console-deposits-moved");
    await page.getByRole("button", { name: "Send 3 rows" }).click();
    await page.getByText("New: 1 row. Changed: 1 row. Stored already: 1 row.").waitFor();
    const { data } = await call("GET", `${crb}/deposits?start_date=${year}-12-01&end_date=${year}-12-02`);
    expect(data).toContainEqual(loan);
    expect(complaints.filter((each) => !each.includes("503"))).toEqual([]);
  });

  test("a reviewer uploads deposits and stores a count: only mapped rows without a problem leave the browser", async () => {
    const { page, complaints } = await signedIn();
    const bodies: string[] = [];
    page.on("request", (request) => bodies.push(request.postData() ?? ""));
    await open(page, "/deposits");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    await page.getByLabel("Day", { exact: true }).fill("2026-01-14");
    await page.getByLabel("US dollars").fill("1,234.5x");
    await page.getByRole("button", { name: "Store the count" }).click();
    expect(await page.evaluate("document.activeElement.validity.patternMismatch")).toBe(true);
    await expectSound(page, "console-deposits");
    await page.getByLabel("US dollars").fill("1000000000");
    await page.getByRole("button", { name: "Store the count" }).click();
    expect(await page.evaluate("document.activeElement.validity.patternMismatch")).toBe(true);
    await page.getByLabel("US dollars").fill("4,210.00");
    await page.getByRole("button", { name: "Store the count" }).click();
    const stored = page.getByRole("row", { name: /^Jan 14(, 2026)? 4,210\.00/ });
    await stored.waitFor();
    await stored.getByRole("button", { name: /^Remove.*: the count of Jan 14/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await stored.waitFor({ state: "detached" });
    const file = { name: "postings.csv", mimeType: "text/csv", buffer: Buffer.from(postings) };
    const choose = () => page.getByLabel(/^CSV file/).setInputFiles(file);
    bodies.length = 0;
    await choose();
    const figure = (name: string) => page.locator("dl.figures > div", { hasText: name });
    await figure("New").getByText("3 rows").waitFor();
    await page
      .getByRole("row", { name: /^5 D-4/ })
      .getByText("has no day 31")
      .waitFor();
    await expectSound(page, "console-deposits-check");
    expect(bodies.join("")).toBe("");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the 1 row" }).click();
    expect(await textOf(await saved)).toMatch(/^\uFEFFPOST_DT,.*,Problem\r\n11\/31.*has no day 31\.\r\n$/);
    await page.getByRole("button", { name: "Send 3 rows" }).click();
    await page.getByRole("heading", { name: "The deposits are stored" }).waitFor();
    await page.getByText("New: 3 rows. Changed: 0 rows. Stored already: 0 rows. Not sent: 1 row").waitFor();
    await expectSound(page, "console-deposits-stored");
    const sent = bodies.filter(Boolean);
    expect(sent.map((body) => JSON.parse(body).deposits.map(({ amount }: { amount: number }) => amount))).toEqual([
      [311_500, 102_992, -41_000],
    ]);
    expect(sent.join("")).not.toMatch(/4417|vault/);
    // The same file again stores nothing, as the page says before it is sent; another amount is named.
    await page.getByLabel(/^CSV file/).setInputFiles([]);
    file.buffer = Buffer.from(postings.replace("1029.92", "1029.93"));
    await choose();
    await figure("Unchanged").getByText("2 rows").waitFor();
    await figure("Changed").getByText("1 row", { exact: true }).waitFor();
    await page
      .getByRole("row", { name: /^3 D-2/ })
      .getByText("was $1,029.92")
      .waitFor();
    await page.getByRole("button", { name: "Send 3 rows" }).click();
    await page.getByText("New: 0 rows. Changed: 1 row. Stored already: 2 rows.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a row that names another business is not sent to the chosen one", async () => {
    const { page, complaints } = await signedIn();
    await open(page, "/deposits");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    const names = ["Business", business().name, "Lakeshore Provisioning", "Branch 12", "Branch 12"];
    const lines = postings.trim().replaceAll("D-", "F-").replace("11/31", "11/30").split("\n");
    const buffer = Buffer.from(lines.map((line, index) => `${line},${names[index]}`).join("\n"));
    await page.getByLabel(/^CSV file/).setInputFiles({ name: "postings.csv", mimeType: "text/csv", buffer });
    await page
      .getByRole("row", { name: /^3 F-2/ })
      .getByText("The row names Lakeshore Provisioning")
      .waitFor();
    await page.getByRole("button", { name: "Send 3 rows" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("rows that the service rejects are named, and the others can be sent", async () => {
    const { page } = await signedIn();
    await open(page, "/deposits");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    const buffer = Buffer.from(postings.replaceAll("D-", "E-"));
    await page.getByLabel(/^CSV file/).setInputFiles({ name: "postings.csv", mimeType: "text/csv", buffer });
    const fields = { "body.deposits.1.posted_date": { message: "must be a date, yyyy-MM-dd" } };
    await page.route(/\/deposits$/, (route) => route.fulfill({ status: 422, json: { message: "x", fields } }));
    await page.getByRole("button", { name: "Send 3 rows" }).click();
    await page.getByRole("alert").getByText("The service rejects some rows").waitFor();
    await page
      .getByRole("row", { name: /^3 E-2/ })
      .getByText("posted_date must be a date")
      .waitFor();
    await page.unroute(/\/deposits$/);
    await page.getByRole("button", { name: "Send 2 rows" }).click();
    await page.getByRole("heading", { name: "The deposits are stored" }).waitFor();
  });

  test("a file of several businesses is sent to each, without the rows of others, and again after a failure", async () => {
    const { page, complaints } = await signedIn();
    const idOf = (named: string) => stage().description.crbs.find(({ name }) => name === named)?.crb_id ?? "";
    const [own, other] = [idOf("High Country Remedies"), idOf("Lakeshore Provisioning")];
    const sent: [crbId: string, ids: string[]][] = [];
    page.on("request", (request) => {
      const [, crbId] = /crbs\/([^/]+)\/deposits$/.exec(request.url()) ?? [];
      const { deposits = [] } = JSON.parse(request.postData() ?? "{}") as { deposits?: { id: string }[] };
      if (crbId && request.method() === "PUT") sent.push([crbId, deposits.map(({ id }) => id)]);
    });
    const lines = ["3115.00,S-1,HIGH COUNTRY", "20.00,S-2,Lake 17", "30.00,S-3,Elsewhere", "x,S-4,Lake 17"];
    const csv = `DATE,AMOUNT,ID,Customer\n${lines.map((line) => `2026-01-05,${line}`).join("\n")}\n`;
    const file = { name: "all.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    await open(page, "/deposits");
    await page.getByLabel(/^CSV file/).setInputFiles(file);
    // The mapping that another test kept knows none of these columns.
    await page.getByLabel("Type of all rows").selectOption("cash");
    await page.getByText("2 of 3 values have no business").waitFor();
    await page.getByLabel("Business of Lake 17").selectOption(other);
    const figure = (name: string) => page.locator("dl.figures > div", { hasText: name });
    await figure("Not sent").getByText("1 with a problem, 1 without a business").waitFor();
    await page
      .getByRole("row", { name: /^5 Lakeshore Provisioning S-4/ })
      .getByText("no number of dollars")
      .waitFor();
    await expectSound(page, "console-deposits-several");
    // The second business fails, and the same rows are sent again.
    await page.route(`**/${other}/deposits`, async (route) => {
      await page.getByRole("button", { name: "Sending … 1 of 2 rows stored" }).waitFor();
      await route.fulfill({ status: 500, json: { message: "x" } });
    });
    const button = page.getByRole("button", { name: "Send 2 rows" });
    await button.click();
    const alert = page.getByRole("alert");
    await alert.getByText(/Stored so far: High Country Remedies 1 row, Lakeshore Provisioning 0 rows/).waitFor();
    await page.unroute(`**/${other}/deposits`);
    sent.length = 0;
    await button.click();
    await page.getByRole("heading", { name: "The deposits are stored" }).waitFor();
    await page.getByRole("link", { name: "Lakeshore Provisioning" }).waitFor();
    expect(sent).toEqual([
      [own, ["S-1"]],
      [other, ["S-2"]],
    ]);
    await page.getByText("New: 1 row. Changed: 0 rows. Stored already: 1 row.").waitFor();
    await expectSound(page, "console-deposits-several-stored");
    // The browser keeps the business of a value; a file of one business has no column of businesses.
    await page.getByLabel(/^CSV file/).setInputFiles([]);
    await page.getByLabel(/^CSV file/).setInputFiles(file);
    await page.getByText("1 of 3 values have no business").waitFor();
    await page.getByLabel("Business", { exact: true }).selectOption(own);
    await page.getByRole("button", { name: "Send 2 rows" }).waitFor();
    expect(
      await page
        .getByLabel("Meaning of Customer")
        .locator("option", { hasText: /^Business$/ })
        .count(),
    ).toBe(0);
    expect(await page.getByLabel("Meaning of Customer").inputValue()).toBe("");
    expect(complaints.filter((each) => !each.includes("500"))).toEqual([]);
  });

  test("a reviewer makes a statement, and opens its files when it is ready", async () => {
    const { page, complaints } = await signedIn();
    // Each reading of the list takes longer than the time between two readings.
    await page.route(/\/statements\?/, async (route) => {
      await sleep(4_000);
      await route.continue();
    });
    await open(page, "/statements");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    const last = await page.getByLabel("Last day").inputValue();
    const first = `${last.slice(0, 8)}02`;
    await page.getByLabel("First day").fill(first);
    await page.getByRole("button", { name: "Make the statement" }).click();
    const row = page.getByRole("row", { name: /by Demo reviewer/ });
    await row.waitFor();
    await expectSound(page, "console-statements");
    // The chosen days stay for the next statement.
    expect(await page.getByLabel("First day").inputValue()).toBe(first);
    await row.getByRole("button", { name: "Show the files" }).click({ timeout: 120_000 });
    await page.unrouteAll({ behavior: "ignoreErrors" });
    const saved = page.waitForEvent("download");
    await row.getByRole("button", { name: "Save statement.html" }).click();
    expect((await saved).suggestedFilename()).toMatch(/^High Country Remedies \S+ to \S+ statement\.html$/);
    const link = row.getByRole("link", { name: "statement.html" });
    const response = await fetch((await link.getAttribute("href")) ?? "");
    expect(await response.text()).toContain("High Country Remedies");
    await expectSound(page, "console-statement-ready");
    // Another one of the same days lists the differences from it.
    await row.getByRole("button", { name: "Make again with the differences" }).click();
    const newer = page.getByRole("row", { name: /with the differences from an earlier one/ });
    // The links that are shown can have ended. The file is saved by a new one.
    const withEndedLinks = ({ files, ...rest }: { files: object[] }) => ({
      ...rest,
      files: files.map((file) => ({ ...file, download_link: `${stage().description.base_url}/documents/ended` })),
    });
    await page.route(
      /\/statements\/[^/?]+$/,
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: withEndedLinks(await response.json()) });
      },
      { times: 1 },
    );
    await newer.getByRole("button", { name: "Show the files" }).click({ timeout: 120_000 });
    const compared = page.waitForEvent("download");
    await newer.getByRole("button", { name: "Save statement.html" }).click();
    expect(await textOf(await compared)).toContain("Differences from the earlier statement");
    expect(complaints).toEqual([]);
  });

  test("a viewer reads licenses, data and statements, and cannot change them", async () => {
    const { page, complaints } = await signedIn("Demo viewer");
    await open(page, `/businesses/${business().crb_id}/licenses`);
    await page.getByRole("row", { name: /CO-R-90001/ }).waitFor();
    expect(await page.getByRole("button", { name: /Remove the link|Search the register/ }).count()).toBe(0);
    await open(page, `/businesses/${business().crb_id}/data`);
    await page.getByRole("row", { name: /^Inventory/ }).waitFor();
    const activity = page.getByRole("region", { name: /^Activity by day/ });
    await activity
      .getByRole("row", { name: /Complete$/ })
      .first()
      .waitFor();
    await expectSound(page, "console-data");
    await open(page, "/deposits");
    await page.getByText("Reviewers and administrators upload deposits").waitFor();
    await alter(page, "cash-counts", ([count], { searchParams }) =>
      Array.from({ length: Math.min(12, Number(searchParams.get("limit"))) }, (_, i) => ({
        ...count,
        date: `2025-11-${21 - i}`,
        amount: 100_000 + i,
      })),
    );
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    await page.getByRole("row", { name: "Nov 21, 2025 1,000.00" }).waitFor();
    await page.getByRole("button", { name: "Show all 12" }).click();
    await page.getByRole("row", { name: "Nov 10, 2025 1,000.11" }).waitFor();
    expect(await page.getByRole("button", { name: /^(Remove|Store)/ }).count()).toBe(0);
    await expectSound(page, "console-deposits-viewer");
    await open(page, "/statements");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    await page.getByRole("heading", { name: /^(Statements|No statement yet)/, level: 2 }).waitFor();
    expect(await page.getByRole("button", { name: "Make the statement" }).count()).toBe(0);
    await page.getByText("Your role, viewer, cannot make statements").waitFor();
    expect(complaints).toEqual([]);
  });

  test("the data of a business is only called sound if nothing holds it back", async () => {
    const { page, complaints } = await signedIn("Demo viewer");
    let given: object = {};
    await page.route(/\/replications$/, async (route) => {
      const response = await route.fetch();
      const list = await response.json();
      const sound = { state: "current", error: null, rejected_records: 0, awaiting_confirmation: null };
      const data = list.data.map((each: object) => ({ ...each, ...sound, ...given }));
      await route.fulfill({ response, json: { ...list, data } });
    });
    for (const [state, words] of [
      [{}, "Nothing failed at the last readings."],
      [{ awaiting_confirmation: {} }, "Not everything is fresh and whole."],
      [{ state: "paused" }, "This business is paused"],
      [{ state: "not_connected" }, "No point of sale is connected"],
      [{ state: "initial", progress: null }, "The first reading is not finished."],
    ] as const) {
      given = state;
      await open(page, `/businesses/${business().crb_id}/data`);
      await page.getByText(words).waitFor();
      await open(page, "/nowhere");
      await page.getByText(words).waitFor({ state: "detached" });
    }
    expect(complaints).toEqual([]);
  });

  test("an administrator changes settings; a viewer reads them", async () => {
    const { page, complaints } = await signedIn("Demo administrator");
    const threshold = page.getByLabel("Threshold of “Large cash payment”");
    const tolerance = page.getByLabel("Tolerance in US dollars");
    await open(page, "/settings");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    await tolerance.fill("250.00");
    await expectSound(page, "console-settings");
    await page.getByRole("button", { name: "Store the settings of the comparison" }).click();
    await page.getByText("The settings of the comparison are stored").waitFor({ state: "attached" });
    await threshold.fill("-1");
    await page.getByRole("button", { name: "Store the settings of insights" }).click();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toMatch(/Large cash payment/);
    await threshold.fill("9000");
    await page.getByRole("button", { name: "Store the settings of insights" }).click();
    await page.getByText("The settings of insights are stored").waitFor({ state: "attached" });
    await expect.poll(async () => (await call("GET", "/insight-settings")).large_cash_payment.threshold).toBe(900_000);
    // The settings that another administrator changes meanwhile stay, and no amount becomes another one.
    await open(page, "/");
    await open(page, "/settings");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    await tolerance.waitFor();
    await expect.poll(() => threshold.inputValue()).toBe("9000");
    const before = await call("GET", "/insight-settings");
    const reconciliation = `/crbs/${business().crb_id}/reconciliation-settings`;
    await call("PUT", "/insight-settings", { ...before, no_sales: { ...before.no_sales, threshold: 4 } });
    await call("PUT", reconciliation, { tolerance_percent: 7 });
    await threshold.fill("19.99");
    await page.getByRole("button", { name: "Store the settings of insights" }).click();
    await expect.poll(async () => (await call("GET", "/insight-settings")).large_cash_payment.threshold).toBe(1_999);
    expect((await call("GET", "/insight-settings")).no_sales.threshold).toBe(4);
    await expect.poll(() => page.getByLabel("Threshold of “No sales”").inputValue()).toBe("4");
    await page.getByLabel("Days that cash may stay at the business").fill("0");
    await page.getByRole("button", { name: "Store the settings of the comparison" }).click();
    expect(await page.evaluate("document.activeElement.validity.rangeUnderflow")).toBe(true);
    await page.getByLabel("Days that cash may stay at the business").fill("12");
    await tolerance.fill("1e3");
    await page.getByRole("button", { name: "Store the settings of the comparison" }).click();
    await page
      .getByRole("alert")
      .getByText(/Tolerance amount/)
      .waitFor();
    await tolerance.fill("300.00");
    await page.getByRole("button", { name: "Store the settings of the comparison" }).click();
    await expect
      .poll(() => call("GET", reconciliation))
      .toMatchObject({ tolerance_amount: 30_000, tolerance_percent: 7, max_days_without_deposit: 12 });
    await threshold.fill("9000");
    await page.getByRole("button", { name: "Store the settings of insights" }).click();
    await expect.poll(async () => (await call("GET", "/insight-settings")).large_cash_payment.threshold).toBe(900_000);
    await open(page, "/");
    await page.getByText("The settings of insights are stored").waitFor({ state: "detached" });
    expect(complaints.filter((each) => !each.includes("422"))).toEqual([]);
    const viewer = await signedIn("Demo viewer");
    await open(viewer.page, "/settings");
    const read = viewer.page.getByLabel("Threshold of “Large cash payment”");
    expect([await read.inputValue(), await read.isDisabled()]).toEqual(["9000", true]);
    await viewer.page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    expect(await viewer.page.getByLabel("Tolerance in US dollars").inputValue()).toBe("300.00");
  });

  test("an administrator invites a business, and a viewer learns whose task that is", async () => {
    const { page, complaints } = await signedIn("Demo administrator");
    await page.getByRole("link", { name: "Invite a business" }).click();
    const fill = async (fields: Readonly<Record<string, string>>) => {
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    };
    const send = page.getByRole("button", { name: "Send the invitation" });
    await send.click();
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    const email = `kim.${randomUUID()}@example.com`;
    const owner = {
      "First name of the owner": "Kim",
      "Last name of the owner": "Lee",
      "Mail address of the owner": email,
    };
    await fill({ "Name of the business": "  Silver Plume Provisions ", ...owner });
    await send.click();
    expect(await page.evaluate("document.activeElement.name")).toBe("state");
    await page.getByLabel("State", { exact: true }).selectOption("CO");
    await expectSound(page, "console-invite");
    // The response is lost, and the second request creates no second business.
    await page.route(/\/crbs$/, (route) => route.fetch().then(() => route.abort()), { times: 1 });
    await send.click();
    await page.getByRole("alert").getByText("cannot be reached").waitFor();
    await send.click();
    await page.getByText(`Silver Plume Provisions is invited: a mail to ${email}`).waitFor();
    await mailedToken(stage(), email);
    await fill({ "Name of the business": "silver plume  provisions", ...owner });
    await page.getByLabel("State", { exact: true }).selectOption("CO");
    await send.click();
    await page.getByRole("alert").getByText("has already invited this business").waitFor();
    await open(page, "/");
    await page
      .getByRole("row", { name: /^Silver Plume Provisions/ })
      .getByText("Invited")
      .waitFor();
    expect(complaints.filter((each) => !/409|ERR_FAILED/.test(each))).toEqual([]);

    const viewer = await signedIn("Demo viewer");
    expect(await viewer.page.getByRole("link", { name: "Invite a business" }).count()).toBe(0);
    await open(viewer.page, "/invite");
    await viewer.page.getByText("Administrators invite businesses").waitFor();
  });

  test("an administrator makes a report of who read the data, and a viewer learns whose task that is", async () => {
    const { page, complaints } = await signedIn("Demo administrator");
    await open(page, "/access-reports");
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel("Last day").fill(today);
    await page.getByLabel("First day").fill("");
    await page.getByRole("button", { name: "Make the report" }).click();
    expect(await page.evaluate("document.activeElement.name")).toBe("start_date");
    await page.getByLabel("First day").fill(today);
    // The response is lost, and the list shows the report all the same.
    await page.route(/\/access-reports$/, (route) => route.fetch().then(() => route.abort()), { times: 1 });
    await page.getByRole("button", { name: "Make the report" }).click();
    await page.getByRole("alert").getByText("cannot be reached").waitFor();
    // The demo has an earlier report.
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    const newest = page.getByRole("row").nth(1);
    // Parts of the log are missing, and the list is longer than its page.
    await page.route(/\/access-reports[/?]/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), unreadable: 2, has_more: true } });
    });
    await newest.getByRole("button", { name: "Show the report" }).click();
    // The newest request comes first, with the person's name and the operation in words.
    const report = page.getByRole("region", { name: /^Who read the data/ });
    const read = report.getByRole("row", { name: /Demo administrator.*Read the overview of all businesses/ });
    await read.first().waitFor();
    const times = await report.getByRole("rowheader").allTextContents();
    expect(times.map((each) => Date.parse(each)).toSorted((one, other) => other - one)).toEqual(
      times.map((each) => Date.parse(each)),
    );
    const table = page.waitForEvent("download");
    await report.getByRole("button", { name: /^Download CSV/ }).click();
    expect(await textOf(await table)).toContain("Demo administrator,Read the overview of all businesses");
    await page.getByText("Parts of the log could not be read").waitFor();
    await report.getByText(/^At least [\d,]+ requests?, newest first/).waitFor();
    // The file is the one that is shown: its link can have ended.
    await page.route(/accesses\.ndjson/, (route) => route.abort());
    const file = page.waitForEvent("download");
    await report.getByRole("button", { name: /^Download the file/ }).click();
    const content = Buffer.concat(await (await (await file).createReadStream()).toArray());
    const lines = gunzipSync(content).toString().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).sub)).toContain("demo-administrator");
    await expectSound(page, "console-access-reports");
    await open(page, "/");
    await open(page, "/access-reports");
    await page.getByText(/The newest \d+\.$/).waitFor();
    expect(complaints.filter((each) => !each.includes("ERR_FAILED"))).toEqual([]);
    const viewer = await signedIn("Demo viewer");
    await open(viewer.page, "/access-reports");
    await viewer.page.getByRole("heading", { name: "Administrators make these reports" }).waitFor();
    expect(viewer.complaints).toEqual([]);
  });
});
