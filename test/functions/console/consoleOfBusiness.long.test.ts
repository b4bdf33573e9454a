import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser } from "../../useBrowser.ts";
import { expectSound } from "../connect/visit.ts";
import { open, textOf, useConsole } from "./useConsole.ts";

const postings = `POST_DT,TXN_AMT,TXN_CD,REF_NO,ACCT,MEMO
11/02/2026,"3,115.00",CSHDEP,D-1,00012344417,vault drop
11/03/2026,1029.92,ACHCR,D-2,00012344417,
11/04/2026,(410.00),CSHDEP,D-3,00012344417,change order
11/31/2026,2940.00,CSHDEP,D-4,00012344417,
`.replaceAll("2026", String(new Date().getFullYear() - 1));

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
    const day = new Date(deposits[0].posted_date).toLocaleDateString("en-US", {
      ...{ month: "short", day: "numeric", timeZone: "UTC" },
    });
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
    await expectSound(page, "console-state-days");
    expect(complaints).toEqual([]);
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
    const stored = page.getByRole("listitem").filter({ hasText: /Jan 14(, 2026)? \$4,210\.00/ });
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
    expect(await textOf(await saved)).toMatch(/^POST_DT,.*,Problem\r\n11\/31.*has no day 31\.\r\n$/);
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
    await newer.getByRole("button", { name: "Show the files" }).click({ timeout: 120_000 });
    const compared = await newer.getByRole("link", { name: "statement.html" }).getAttribute("href");
    expect(await (await fetch(compared ?? "")).text()).toContain("Differences from the earlier statement");
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
    await open(page, "/statements");
    await page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    await page.getByRole("heading", { name: /^(Statements|No statement yet)/, level: 2 }).waitFor();
    expect(await page.getByRole("button", { name: "Make the statement" }).count()).toBe(0);
    await page.getByText("Your role, viewer, cannot make statements").waitFor();
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
    await open(page, "/");
    await page.getByText("The settings of insights are stored").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    const viewer = await signedIn("Demo viewer");
    await open(viewer.page, "/settings");
    const read = viewer.page.getByLabel("Threshold of “Large cash payment”");
    expect([await read.inputValue(), await read.isDisabled()]).toEqual(["9000", true]);
    await viewer.page.getByLabel("Business", { exact: true }).selectOption(business().crb_id);
    expect(await viewer.page.getByLabel("Tolerance in US dollars").inputValue()).toBe("250.00");
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
    await page.getByRole("button", { name: "Make the report" }).click();
    // The demo has an earlier report.
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    const newest = page.getByRole("row").nth(1);
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
    const link = await report.getByRole("link", { name: /^Download the file/ }).getAttribute("href");
    const lines = gunzipSync(Buffer.from(await (await fetch(link ?? "")).arrayBuffer()))
      .toString()
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).sub)).toContain("demo-administrator");
    await expectSound(page, "console-access-reports");
    expect(complaints).toEqual([]);
    const viewer = await signedIn("Demo viewer");
    await open(viewer.page, "/access-reports");
    await viewer.page.getByRole("heading", { name: "Administrators make these reports" }).waitFor();
    expect(viewer.complaints).toEqual([]);
  });
});
