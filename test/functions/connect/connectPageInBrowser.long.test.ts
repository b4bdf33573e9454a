import type { IncomingMessage, ServerResponse } from "node:http";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { engineAccess } from "../../../infra/local/environment.ts";
import { demoMetrcAccess } from "../../../infra/local/metrc/demoMetrcAccess.ts";
import type { Onboarding } from "../../../shared/api/schemas/onboarding.ts";
import { endAssociation } from "../../../shared/domain/crbs/endAssociation.ts";
import { bucketOf } from "../../../shared/domain/documents/bucket.ts";
import { changeCrb } from "../../../shared/store/crbs.ts";
import { useStage } from "../../api/useStage.ts";
import { hasBrowser, useBrowser } from "../../useBrowser.ts";
import { useForwarder } from "../../useForwarder.ts";
import { expectSound, invited, mailedToken } from "./visit.ts";

const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: "light" } as const;
const phone = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;
const pdf = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj\ntrailer<</Root 1 0 R>>\n",
);
const fileOf = (name: string, buffer = pdf) => ({ name, mimeType: "application/pdf", buffer });

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 2, name });
const consentHeading = "The terms and your consent";
const posHeading = "Connect your point of sale";

/** The POS types of the sandbox need a user name, a password, and a location. */
async function connect(page: Page, password = "valid-password") {
  await page.getByLabel("Which point-of-sale system").selectOption("Greenbits");
  await page.getByLabel("User name").fill("testing");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Connect Greenbits" }).click();
}

async function giveConsent(page: Page) {
  await page.getByRole("button", { name: "Give consent" }).click();
  await heading(page, posHeading).waitFor();
}

const cards = (page: Page) => page.locator(".card");

describe.skipIf(!hasBrowser)("in a browser", { timeout: 300_000 }, () => {
  const { stage } = useStage();
  const down: { path?: string } = {};
  // On AWS, the path of a stage begins with its name.
  const instead = ({ url = "" }: IncomingMessage, response: ServerResponse) => {
    if (!down.path || !url.endsWith(down.path)) return false;
    const body = {
      name: "Service Unavailable",
      code: "pos_unavailable",
      message: "The POS cannot be reached. Try again after Retry-After.",
      status: 503,
    };
    response.writeHead(503, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    return true;
  };
  const api = useForwarder(() => stage().description.base_url, { below: "/v1", instead });
  const openPage = useBrowser();
  afterEach(() => void delete down.path);

  /** Calls the API as the service provider. */
  async function callAsProvider(path: string, method = "GET", body?: object): Promise<unknown> {
    const { base_url, service_provider } = stage().description;
    const headers = { Authorization: service_provider.client_secret, "Content-Type": "application/json" };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${base_url}/service-providers/${service_provider.sp_id}/${path}`, request)).json();
  }
  async function linkedLicenses(crbId: string) {
    const { data } = (await callAsProvider(`crbs/${crbId}/licenses`)) as {
      data: { license_identifier: string; expires_at: string; linked_by_kind: string; holder_matches: string | null }[];
    };
    return data;
  }

  /** Opens the page with a token, as the link in the mail does. */
  async function visit(token: string, options: BrowserContextOptions = desktop) {
    // Apart from the API, the page only calls upload links; its policy names their store.
    const isOwn = (url: string) =>
      url.startsWith(`${api.url()}/`) || /^http:\/\/127\.0\.0\.1:\d+\/documents\//.test(url);
    const { page, complaints } = await openPage(options, isOwn);
    page.setDefaultTimeout(60_000);
    await page.goto(`${api.url()}/connect${token && `#${token}`}`);
    return { page, complaints };
  }

  /** Responds to the next request of a page to a path with an error. */
  const rejectNext = (page: Page, path: string | RegExp, status: number, error: object) =>
    page.route(path, (route) => route.fulfill({ status, json: { status, ...error } }), { times: 1 });

  /** What a browser does when the visitor returns to the page. */
  const returnTo = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

  /** Shows the terms at their next reading as they were just before the stage changed them. */
  const showEarlierTerms = (page: Page) =>
    page.route(
      "**/onboarding",
      async (route) => {
        const response = await route.fetch();
        const terms = { version: "the one before", sections: [{ title: "The earlier scope", text: "Less." }] };
        await route.fulfill({ response, json: { ...(await response.json()), terms } });
      },
      { times: 1 },
    );

  test("a user gets from the mail to the submission although every step is reloaded, and can come back later", async () => {
    const { token } = await invited(stage());
    const { page, complaints } = await visit(token);
    await heading(page, consentHeading).waitFor();
    expect(page.url()).toBe(`${api.url()}/connect#consent`);
    await page.getByRole("banner").getByText("A service of Business Data Access (local)").waitFor();
    for (const name of ["Privacy notice", "https://app.example.com/privacy"]) {
      expect(await page.getByRole("link", { name }).getAttribute("href")).toBe("https://app.example.com/privacy");
    }
    await page.getByRole("listitem").filter({ hasText: "Names: first name, middle name, last name" }).waitFor();
    await expectSound(page, "consent");
    await page.reload();
    await heading(page, consentHeading).waitFor();
    await giveConsent(page);
    expect(page.url()).toBe(`${api.url()}/connect#pos`);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(posHeading);
    await page.goBack();
    await page.getByText("Kim Lee gave consent on").waitFor();
    await expectSound(page, "consent-given");
    await page.goForward();
    await page.reload();
    await heading(page, posHeading).waitFor();
    await expectSound(page, "pos");

    await page.getByLabel("Which point-of-sale system").selectOption("Greenbits");
    await expectSound(page, "pos-form");
    await page.getByRole("button", { name: "Connect Greenbits" }).click();
    expect(await page.getByText("This is required.").count()).toBe(2);
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
    await expectSound(page, "pos-empty");
    await connect(page, "invalid-password");
    await page.getByText("Greenbits does not accept these credentials.").waitFor();
    await expectSound(page, "pos-refused");
    await connect(page);
    const group = page.getByRole("group", { name: "Which location is it?" });
    await group.waitFor();
    await expectSound(page, "pos-locations");
    await page.getByRole("button", { name: "Connect this location" }).click();
    await page.getByText("Please choose a location.").waitFor();
    await group.getByRole("radio").first().check();
    await page.getByRole("button", { name: "Connect this location" }).click();
    await page.getByText(/Greenbits has been connected since/).waitFor();
    await expectSound(page, "pos-connected");
    await page.reload();
    await page.getByText(/Greenbits has been connected since/).waitFor();

    await page.getByRole("link", { name: /Submit/ }).click();
    await heading(page, "Submit").waitFor();
    await expectSound(page, "submit-missing");
    await page.getByRole("button", { name: "Submit for review" }).click();
    await page.getByText("Something is still missing. Please see the list above.").waitFor();
    await page
      .getByRole("link", { name: /^Add a document/ })
      .first()
      .click();
    await heading(page, "Add your documents").waitFor();
    await page.reload();
    await heading(page, "Add your documents").waitFor();
    await expectSound(page, "documents");
    const required = cards(page).filter({ has: page.locator(".tag", { hasText: "required" }) });
    const first = cards(page).first();
    const wrong = [fileOf("program.exe"), fileOf("empty.pdf", Buffer.of()), fileOf("big.pdf", Buffer.alloc(6_000_000))];
    await first.locator("input").setInputFiles(wrong);
    await first.getByText("Files of this type are not accepted.").waitFor();
    await first.getByText("The file is empty.").waitFor();
    await first.getByText("The file has 5.7 MB, and the limit is 5 MB.").waitFor();
    await expectSound(page, "documents-refused");
    for (const { name } of wrong) await page.getByRole("button", { name: `Dismiss ${name}` }).click();
    await first.locator("input").setInputFiles(fileOf("picture.png"));
    await first.getByText("The content of the file does not match its name.").waitFor();
    await page.getByRole("button", { name: "Dismiss picture.png" }).click();
    const count = await required.count();
    expect(count).toBeGreaterThan(0);
    for (let index = 0; index < count; index++) {
      await required
        .first()
        .locator("input")
        .setInputFiles(fileOf(`document-${index}.pdf`));
      await page.getByText(`document-${index}.pdf`, { exact: true }).waitFor();
      await expect.poll(() => required.count(), { timeout: 30_000 }).toBe(count - index - 1);
    }
    await expectSound(page, "documents-there");
    await page.getByRole("button", { name: "Remove document-0.pdf" }).click();
    await expect.poll(() => required.count(), { timeout: 30_000 }).toBe(1);
    await required.first().locator("input").setInputFiles(fileOf("better.pdf"));
    await expect.poll(() => required.count(), { timeout: 30_000 }).toBe(0);

    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByText("Everything is complete.").waitFor();
    await expectSound(page, "submit");
    await page.reload();
    await page.getByRole("button", { name: "Submit for review" }).click();
    await heading(page, "Submitted").waitFor();
    await expectSound(page, "submitted");
    await page.reload();
    await heading(page, "Submitted").waitFor();

    await page.getByRole("link", { name: "withdraw your consent" }).click();
    await page.getByRole("button", { name: "Withdraw consent …" }).click();
    const dialog = page.getByRole("dialog", { name: "Withdraw consent?" });
    await expectSound(page, "withdraw");
    await page.keyboard.press("Escape");
    expect(await dialog.count()).toBe(0);
    await page.getByText("Kim Lee gave consent on").waitFor();
    await page.getByRole("button", { name: "Withdraw consent …" }).click();
    await dialog.getByRole("button", { name: "Withdraw consent" }).click();
    await page.getByRole("button", { name: "Give consent" }).waitFor();
    await giveConsent(page);
    await page.getByText("Greenbits is disconnected. Nothing is read from it.").waitFor();
    await expectSound(page, "pos-disconnected");
    expect(complaints.filter((each) => !/status of 4(09|22)/.test(each))).toEqual([]);
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).toBe(JSON.stringify([{}, { "invitation-token": token }, ""]));
  });

  test("licenses are added by their numbers, and shown with their status and the day on which they expire", async () => {
    const { token, id } = await invited(stage());
    // West of Greenwich, a day that is read as an instant is the day before.
    const { page, complaints } = await visit(token, { ...desktop, timezoneId: "America/Denver", locale: "en-US" });
    await giveConsent(page);
    await page.getByRole("link", { name: "Documents" }).click();
    const section = page.getByRole("region", { name: "Licenses of your business" });
    const numbers = section.getByLabel("License numbers in CO, separated by commas");
    const find = section.getByRole("button", { name: "Find licenses" });
    await find.click();
    await section.getByText("Please enter a license number.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("license-numbers");
    await numbers.fill(Array.from({ length: 11 }, (_, i) => `CO-${i}`).join(";"));
    await find.click();
    await section.getByText("Please enter at most 10 license numbers, separated by commas.").waitFor();
    await numbers.fill("x".repeat(5_000));
    await find.click();
    await section.getByText("Please enter at most 10 license numbers, separated by commas.").waitFor();
    await numbers.fill(" co-r-10042; CO-R-10084,, CO-R-99999");
    await find.click();
    await section.getByText("with the number CO-R-99999. Please check").waitFor();
    expect(await numbers.inputValue()).toBe("CO-R-99999");
    const questions = section.getByRole("list", { name: "Licenses to confirm" });
    await expect.poll(() => questions.getByRole("listitem").count()).toBe(2);
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("licenses");
    await section.getByRole("button", { name: "Yes, add it: license CO-R-10042" }).waitFor();
    expect(await linkedLicenses(id), "nothing is linked before the answer").toEqual([]);
    await section.getByRole("button", { name: "Yes, add it: license CO-R-10042" }).click();
    await section.getByRole("button", { name: "Remove license CO-R-10042" }).waitFor();
    await section.getByRole("button", { name: "Yes, add it: license CO-R-10084" }).click();
    await section.getByRole("button", { name: "Remove license CO-R-10084" }).waitFor();
    await expect.poll(() => questions.count()).toBe(0);
    const rows = section.getByRole("listitem");
    await expectSound(page, "licenses");
    await numbers.fill("CO-R-10000");
    await find.click();
    await section.getByRole("button", { name: "Yes, add it: license CO-R-10000" }).click();
    await section.getByRole("button", { name: "Remove license CO-R-10000" }).waitFor();
    expect(await numbers.inputValue()).toBe("");
    expect(await section.getByRole("alert").count()).toBe(0);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);

    const data = await linkedLicenses(id);
    expect(data).toHaveLength(3);
    for (const { linked_by_kind: kind } of data) expect(kind).toBe("invited_user");
    const { expires_at } = data.find(({ license_identifier: number }) => number === "CO-R-10000") ?? expect.fail();
    const [year, month, day] = expires_at.split("-").map(Number) as [number, number, number];
    const text = new Date(year, month - 1, day).toLocaleDateString("en-US", { dateStyle: "long" });
    await rows.filter({ hasText: "CO-R-10000" }).getByText(`valid until ${text}`).waitFor();
    await rows.filter({ hasText: "CO-R-10084" }).getByText("expired").waitFor();
    await page.locator('a[href="#submit"]').first().click();
    const overview = page.getByRole("region", { name: "Licenses of your business" });
    await expect.poll(() => overview.getByRole("listitem").count()).toBe(3);
    await page.getByText("Before you submit, please complete:").waitFor();
    await expectSound(page, "overview");
    expect(complaints.filter((each) => !/status of 422/.test(each))).toEqual([]);
  });

  test("a license is connected to Metrc by a key, which the page sends once and never shows, and disconnected", async () => {
    const { token, id } = await invited(stage());
    const { page, complaints } = await visit(token, desktop);
    await giveConsent(page);
    await page.getByRole("link", { name: "Documents" }).click();
    const section = page.getByRole("region", { name: "Metrc" });
    expect(await section.count(), "nothing is offered without a license").toBe(0);
    const { licenseNumber: number, userKey } = demoMetrcAccess;
    await page.getByLabel("License numbers").fill(number);
    await page.getByRole("button", { name: "Find licenses" }).click();
    await page.getByRole("button", { name: `Yes, add it: license ${number}` }).click();
    const key = section.getByLabel(`Key of a Metrc user for ${number}`);
    const connectMetrc = section.getByRole("button", { name: "Connect Metrc" });
    await connectMetrc.click();
    await section.getByText("Please enter the key.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("state-key");
    await key.fill("wrong-key");
    await connectMetrc.click();
    await section.getByText("This key is rejected by Metrc").waitFor();
    expect(await key.getAttribute("type")).toBe("password");
    await key.fill(userKey);
    await connectMetrc.click();
    const disconnect = section.getByRole("button", { name: `Disconnect license ${number} from Metrc` });
    await disconnect.waitFor();
    expect(await key.inputValue()).toBe("");
    await section.getByText("is read soon").waitFor();
    await expectSound(page, "metrc");
    const connections = async () =>
      ((await callAsProvider(`crbs/${id}/state-connections`)) as { data: { connected_by_kind: string }[] }).data;
    expect(await connections()).toMatchObject([{ connected_by_kind: "invited_user" }]);
    expect(await page.content()).not.toContain(userKey);
    await disconnect.click();
    await expect.poll(connections).toEqual([]);
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("state-system");
    expect(complaints.filter((each) => !/status of 422/.test(each))).toEqual([]);
  });

  test("a connection to Metrc names its failure and can be ended without its license, and the form follows the licenses", async () => {
    const { token } = await invited(stage());
    const { page } = await visit(token);
    await giveConsent(page);
    const path = "**/onboarding/state-connections";
    const failing = { license_number: "CO-R-1", status: "failing", error: "unreachable", data_as_of: null };
    let connections = [failing];
    await page.route(path, (route) => route.fulfill({ json: { data: connections } }));
    // Another person has just disconnected it.
    await page.route(`${path}/*`, async (route) => {
      connections = [];
      await route.fulfill({ status: 404, json: { status: 404, code: "not_found" } });
    });
    await page.getByRole("link", { name: "Documents" }).click();
    const section = page.getByRole("region", { name: "Metrc" });
    await section.getByText("Metrc did not respond, and the service tries again").waitFor();
    const key = section.getByLabel(/^Key of a Metrc user/);
    expect(await key.count(), "there is no license to connect").toBe(0);
    await expectSound(page, "metrc-failing");
    await section.getByRole("button", { name: "Disconnect license CO-R-1 from Metrc" }).click();
    await expect.poll(() => section.count()).toBe(0);

    for (const number of ["CO-R-10042", "CO-R-10084"]) {
      await page.getByLabel("License numbers").fill(number);
      await page.getByRole("button", { name: "Find licenses" }).click();
      await page.getByRole("button", { name: `Yes, add it: license ${number}` }).click();
      await page.getByRole("button", { name: `Remove license ${number}` }).waitFor();
    }
    await section.getByLabel("Key of a Metrc user for CO-R-10042").waitFor();
    const remove = page.getByRole("button", { name: "Remove license CO-R-10042" });
    await rejectNext(page, /\/onboarding\/licenses\/[^/]+$/, 409, { code: "concurrent_changes" });
    await remove.click();
    await page.getByText("This was changed at the same time").waitFor();
    await remove.click();
    await section.getByLabel("Key of a Metrc user for CO-R-10084").waitFor();

    await key.fill("any-key");
    for (const [status, code, words] of [
      [409, "consent_missing", "The terms do not name Metrc"],
      [409, "license_not_linked", "License CO-R-10084 is no longer one of your business."],
      [409, "state_connection_limit", "No more licenses can be connected to Metrc."],
      [503, "state_system_unavailable", "Metrc cannot be reached at the moment."],
      [503, "restoring", "The records of your business are being restored."],
    ] as const) {
      await rejectNext(page, `${path}/*`, status, { code });
      await section.getByRole("button", { name: "Connect Metrc" }).click();
      await section.getByText(words).waitFor();
      await section.getByRole("button", { name: "Connect Metrc" }).waitFor();
    }
  });

  test("the page names the holder and asks before it adds a license, and removes only what users added", async () => {
    const number = "CO-R-10000";
    const found = (await callAsProvider(`licenses-search?licenseNumber=${number}&state=CO`)) as {
      data: { id: string; licensee: string }[];
    };
    const { licensee } = found.data[0] ?? expect.fail();
    for (const { name, asks, match } of [
      { name: licensee.replace(/ (LLC|Inc\.)$/, ", L.L.C."), asks: "Is this your business", match: "same" },
      { name: "Unrelated Provisions", asks: "This is not the name of your business Unrelated", match: "different" },
    ]) {
      const { token, id } = await invited(stage(), name);
      const { page } = await visit(token, desktop);
      await giveConsent(page);
      await page.getByRole("link", { name: "Documents" }).click();
      const section = page.getByRole("region", { name: "Licenses of your business" });
      await section.getByLabel("License numbers").fill(number);
      await section.getByRole("button", { name: "Find licenses" }).click();
      const question = section.getByRole("list", { name: "Licenses to confirm" }).getByRole("listitem");
      await question.getByText(asks).waitFor();
      expect(await question.textContent()).toContain(`License ${number} belongs to ${licensee}`);
      expect(await question.textContent()).toContain(name);
      await expectSound(page, `license-question-${match}`);
      await question.getByRole("button", { name: `No, do not add license ${number}` }).click();
      await expect.poll(() => question.count()).toBe(0);
      expect(await linkedLicenses(id)).toEqual([]);

      await section.getByLabel("License numbers").fill(number);
      await section.getByRole("button", { name: "Find licenses" }).click();
      await question.getByRole("button", { name: `Yes, add it: license ${number}` }).click();
      const remove = section.getByRole("button", { name: `Remove license ${number}` });
      await remove.waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("licenses");
      expect(await linkedLicenses(id)).toMatchObject([{ holder_matches: match, linked_by_kind: "invited_user" }]);
      await expectSound(page, `license-added-${match}`);
      await remove.click();
      await expect.poll(() => linkedLicenses(id)).toEqual([]);
      await expect.poll(() => remove.count()).toBe(0);

      await callAsProvider(`crbs/${id}/licenses/${found.data[0]?.id}`, "PUT");
      await page.reload();
      await section.getByText("added by Front Range Community Bank").waitFor();
      expect(await remove.count()).toBe(0);
    }
  });

  test("a replaced link says so, a new one arrives by mail and works, and the page does not reveal whether an address is known", async () => {
    const { token, email } = await invited(stage());
    const { page } = await visit(`${token.slice(0, -1)}_`, phone);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    expect(page.url(), "the token is out of the address").toBe(`${api.url()}/connect`);
    await expectSound(page, "link-refused");
    await page.getByRole("button", { name: "Send a new link" }).click();
    await page.getByText("Please enter an email address.").waitFor();
    await expectSound(page, "link-empty");
    await page.getByLabel("Email address of your invitation").fill(email);
    await page.keyboard.press("Enter");
    await page.getByText("a new link is on its way").waitFor();
    await expectSound(page, "link-sent");
    const other = await mailedToken(stage(), email, token);
    await page.goto(`${api.url()}/connect#${other}`);
    await heading(page, consentHeading).waitFor();
    await expectSound(page, "consent-phone");
    const still = await visit(token);
    await heading(still.page, consentHeading).waitFor();
    await giveConsent(page);
    const before = await visit(token);
    await before.page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    const none = await visit("");
    await none.page.getByText("This page opens with the link in your invitation.").waitFor();
    await expectSound(none.page, "link-none");
  });

  /** A business that has given consent, and its page at the step of the POS. */
  async function consenting(options: typeof desktop | typeof phone = desktop) {
    const given = await invited(stage());
    const { page } = await visit(given.token, options);
    await giveConsent(page);
    return { ...given, page };
  }

  test("if a POS is down or not listed, the page says so and keeps the typed values", async () => {
    const { page, id, name, token } = await consenting(phone);
    const choice = page.getByLabel("Which point-of-sale system");
    await choice.selectOption("Another system");
    await page.getByText("Other systems cannot be connected yet").waitFor();
    expect(await page.locator("main").textContent()).toContain("support@example.com");
    await expectSound(page, "pos-not-listed");
    down.path = "/onboarding/pos-connection";
    await connect(page);
    await page.getByText("Greenbits cannot be reached at the moment.").waitFor();
    await expectSound(page, "pos-down");
    delete down.path;
    await page.getByRole("button", { name: "Connect Greenbits" }).click();
    await page.getByRole("radio").first().check();
    await expectSound(page, "pos-locations-phone");
    await page.getByRole("button", { name: "Connect this location" }).click();
    await page.getByText(/Greenbits has been connected since/).waitFor();

    await changeCrb(stage().table, id, ({ record, ...crb }) => ({
      ...crb,
      record: {
        ...record,
        pos_configs: record.pos_configs.map((config) => ({ ...config, status: "Needs Attention" as const })),
      },
    }));
    await page.goto("about:blank");
    await page.goto(`${api.url()}/connect#${token}`);
    await page.getByText("no longer accepts the credentials").waitFor();
    expect(await choice.inputValue()).toBe("Greenbits");
    await expectSound(page, "pos-attention");
    await connect(page);
    await page.getByText(/Greenbits has been connected since/).waitFor();

    // The same business, created a second time.
    const again = await invited(stage(), name);
    await page.goto(`${api.url()}/connect#${again.token}`);
    await heading(page, consentHeading).waitFor();
    await giveConsent(page);
    await connect(page);
    await page.getByRole("radio").first().check();
    await page.getByRole("button", { name: "Connect this location" }).click();
    await page.getByText("Front Range Community Bank has already connected this business.").waitFor();
  });

  test("a failed connection names its cause", async () => {
    const { page } = await consenting();
    const path = "**/onboarding/pos-connection";
    for (const [status, code, words] of [
      [409, "already_connected", "Front Range Community Bank has already connected this business."],
      [409, "connection_changed", "This was changed at the same time"],
      [409, "concurrent_changes", "This was changed at the same time"],
      [429, "pos_check_limit", "Too many wrong credentials were entered"],
      [503, "pos_unavailable", "Greenbits cannot be reached at the moment."],
      [503, "restoring", "The records of your business are being restored"],
      [503, "unavailable", "The service is busy."],
    ] as const) {
      await rejectNext(page, path, status, { code });
      const rejected = page.waitForResponse(path);
      await connect(page);
      await rejected;
      await page.getByRole("button", { name: "Connect Greenbits" }).waitFor();
      await page.getByRole("alert").getByText(words).waitFor();
    }
    await expectSound(page, "pos-restored");
  });

  test("a password manager can fill in all fields at once, and a POS without locations can be tried again", async () => {
    const { page } = await consenting();
    await page.getByLabel("Which point-of-sale system").selectOption("Greenbits");
    await page.evaluate(`for (const [name, value] of [["username", "testing"], ["password", "valid-password"]]) {
      const input = document.getElementById("credential-" + name);
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
    expect(await page.getByLabel("User name").inputValue()).toBe("testing");
    expect(await page.getByLabel("Password").inputValue()).toBe("valid-password");
    const fields = { "body.location_id": { message: "is required; choose one of data.locations" } };
    await rejectNext(page, "**/onboarding/pos-connection", 422, { fields, data: { locations: [] } });
    await page.getByRole("button", { name: "Connect Greenbits" }).click();
    await page.getByText("Greenbits lists no location for these credentials.").waitFor();
    await page.getByRole("button", { name: "Connect Greenbits" }).click();
    await page.getByRole("group", { name: "Which location is it?" }).waitFor();
  });

  test("a submission that meets other changes says so", async () => {
    const { page } = await consenting();
    // Nothing is missing.
    await page.route("**/onboarding", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), missing: [] } });
    });
    await page.locator('nav a[href="#submit"]').click();
    await page.reload();
    await page.getByText("Everything is complete.").waitFor();
    await rejectNext(page, "**/onboarding/submit", 409, { code: "concurrent_changes" });
    await page.getByRole("button", { name: "Submit for review" }).click();
    await page.getByRole("alert").getByText("This was changed at the same time").waitFor();
  });

  test("if an upload breaks off, the page says so, and a second try makes one document", async () => {
    const { page, token } = await consenting();
    await page.getByRole("link", { name: "Documents" }).click();
    const session = await page.context().newCDPSession(page);
    const network = (offline: boolean, uploadThroughput: number) =>
      session.send("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await network(false, 100_000);
    const file = fileOf("license.pdf", Buffer.concat([pdf, Buffer.alloc(1_500_000, "%")]));
    const card = cards(page).first();
    await card.locator("input").setInputFiles(file);
    const progress = card.getByRole("progressbar", { name: "Sending license.pdf" });
    await expect.poll(() => progress.getAttribute("value"), { timeout: 60_000 }).toMatch(/^0\.\d/);
    await expectSound(page, "documents-sending");
    await network(true, -1);
    await card.getByText("The service cannot be reached.").waitFor();
    await expectSound(page, "documents-offline");
    await page.getByRole("link", { name: "Submit" }).click();
    await page.getByRole("button", { name: "Submit for review" }).click();
    await page.getByText("The service cannot be reached.").first().waitFor();
    await page.goBack();
    await network(false, -1);
    // The service makes the document, and its response gets lost.
    const completion = "**/document-uploads/*";
    await page.route(completion, async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute(completion);
    });
    const lost = page.waitForRequest(completion);
    await page.getByRole("button", { name: "Try again: license.pdf" }).click();
    await lost;
    await page.getByRole("button", { name: "Try again: license.pdf" }).click();
    await card.getByRole("button", { name: "Remove license.pdf" }).waitFor();
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(String(pdf))}], "dropped.pdf")); return data; })()`,
    );
    await cards(page).nth(1).dispatchEvent("drop", { dataTransfer: dropped });
    await cards(page).nth(1).getByRole("button", { name: "Remove dropped.pdf" }).waitFor();
    const answer = await fetch(`${api.url()}/onboarding`, { headers: { Authorization: token } });
    const { requirements } = (await answer.json()) as { requirements: { documents: unknown[] }[] };
    expect(requirements.flatMap(({ documents }) => documents)).toHaveLength(2);
  });

  test("a rejection by the store, a firewall or a proxy does not end the link, and the file can be sent again", async () => {
    const { page } = await consenting();
    await page.getByRole("link", { name: "Documents" }).click();
    const card = cards(page).first();
    const ended = { status: 403, headers: { "access-control-allow-origin": "*" }, body: "<Error>AccessDenied</Error>" };
    await page.route(/\/documents\/uploads\//, (route) => route.fulfill(ended), { times: 1 });
    await card.locator("input").setInputFiles(fileOf("license.pdf"));
    const again = card.getByRole("button", { name: "Try again: license.pdf" });
    await again.waitFor();
    const reload = page.getByRole("button", { name: "Try again", exact: true });
    for (const [status, error] of [
      [403, { code: "request_blocked" }],
      [401, {}],
    ] as const) {
      await rejectNext(page, "**/onboarding", status, error);
      await returnTo(page);
      await reload.waitFor();
      await heading(page, "Add your documents").waitFor();
      await reload.click();
      await expect.poll(() => page.getByRole("alert").getByRole("button").count()).toBe(0);
    }
    const link = page.waitForRequest((request) => request.url().endsWith("/document-uploads"));
    await again.click();
    await link;
    await card.getByRole("button", { name: "Remove license.pdf" }).waitFor();
  });

  test("a document of the service provider cannot be removed, and a removal that meets other changes says so", async () => {
    const { page, id, token } = await consenting();
    const answer = await fetch(`${api.url()}/onboarding`, { headers: { Authorization: token } });
    const { requirements } = (await answer.json()) as Pick<Onboarding, "requirements">;
    const path = `crbs/${id}/onboarding-template/requirements/${requirements[0]?.requirement_id}/documents`;
    const file = { file_name: "bank.pdf", file_type: "application/pdf", base64: pdf.toString("base64") };
    await callAsProvider(path, "PUT", file);
    await page.getByRole("link", { name: "Documents" }).click();
    await cards(page).first().locator("input").setInputFiles(fileOf("own.pdf"));
    const remove = page.getByRole("button", { name: "Remove own.pdf" });
    await remove.waitFor();
    const added = page.getByText("added by Front Range Community Bank on");
    await added.waitFor();
    expect(await added.count(), "only the document of the service provider").toBe(1);
    expect(await page.getByRole("button", { name: "Remove bank.pdf" }).count()).toBe(0);
    await rejectNext(page, /\/documents\/[^/]+$/, 409, { code: "concurrent_changes" });
    await remove.click();
    await page.getByText("This was changed at the same time, by another person or in another tab.").waitFor();
    await remove.click();
    await expect.poll(() => remove.count()).toBe(0);
  });

  test("changed terms need consent again, and the user can remove credentials that the service provider has sent", async () => {
    const posInfo = {
      pos_type: "Greenbits",
      pos_credentials: { username: "testing", password: "valid-password" },
      location_id: "testing",
    };
    const { token, id } = await invited(stage(), undefined, posInfo);
    const { page } = await visit(token);
    await page.getByText("Front Range Community Bank has entered the credentials").waitFor();
    await expectSound(page, "consent-brought");
    await giveConsent(page);
    await page.getByText(/Greenbits has been connected since/).waitFor();
    await changeCrb(stage().table, id, ({ consent, ...crb }) => ({
      ...crb,
      ...(consent && { consent: { ...consent, termsVersion: "the one before" } }),
    }));
    await page.goBack();
    await page.reload();
    await page.getByText("The terms have changed since consent was given").waitFor();
    await expectSound(page, "consent-changed");
    await page.getByRole("button", { name: "Withdraw consent …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw consent" }).click();
    await page.getByRole("link", { name: "Point of sale" }).click();
    await page.getByText("Greenbits is disconnected").waitFor();
    await page.getByRole("link", { name: "read the terms and give consent" }).waitFor();
    await expectSound(page, "pos-without-consent");
  });

  test("if terms change while they are read, the page shows the new ones and needs consent to them", async () => {
    const { token } = await invited(stage());
    const { page, complaints } = await visit("");
    await showEarlierTerms(page);
    await page.goto(`${api.url()}/connect#${token}`);
    await page.getByRole("heading", { level: 3, name: "The earlier scope", exact: true }).waitFor();
    await page.getByRole("button", { name: "Give consent" }).click();
    await page.getByText("The terms have just changed. Please read the new terms.").waitFor();
    expect(await page.getByRole("heading", { level: 3, name: "The earlier scope", exact: true }).count()).toBe(0);
    await page.getByRole("heading", { level: 3, name: "What you agree to" }).waitFor();
    await expectSound(page, "consent-changed-just-now");
    await giveConsent(page);
    expect(complaints.filter((each) => !each.includes("status of 409"))).toEqual([]);
  });

  test("if terms change while the visitor is away, the page says so before consent", async () => {
    const { token } = await invited(stage());
    const { page } = await visit("");
    await showEarlierTerms(page);
    await page.goto(`${api.url()}/connect#${token}`);
    await page.getByRole("heading", { level: 3, name: "The earlier scope", exact: true }).waitFor();
    await returnTo(page);
    await page.getByRole("alert").getByText("The terms have just changed. Please read the new terms.").waitFor();
    await page.getByRole("heading", { level: 3, name: "What you agree to" }).waitFor();
    await rejectNext(page, "**/onboarding/consent", 409, { code: "concurrent_changes" });
    await page.getByRole("button", { name: "Give consent" }).click();
    await page.getByRole("alert").getByText("This was changed at the same time").waitFor();
    await giveConsent(page);
  });

  test("a business whose POS is not listed sends documents, and can submit once the operator allows files", async () => {
    const { page, id } = await consenting();
    await page.getByLabel("Which point-of-sale system").selectOption("Another system");
    await page.getByRole("link", { name: "Continue with the documents" }).click();
    await heading(page, "Add your documents").waitFor();
    const required = cards(page).filter({ has: page.locator(".tag", { hasText: "required" }) });
    for (let count = await required.count(); count > 0; count--) {
      await required
        .first()
        .locator("input")
        .setInputFiles(fileOf(`document-${count}.pdf`));
      await expect.poll(() => required.count(), { timeout: 30_000 }).toBe(count - 1);
    }
    await page.getByRole("link", { name: /Submit/ }).click();
    await page.getByRole("link", { name: "Connect the point of sale" }).waitFor();
    await changeCrb(stage().table, id, (crb) => ({ ...crb, usesFiles: true }));
    await page.reload();
    await page.getByText("Everything is complete.").waitFor();
    await page.locator('nav a[href="#pos"]').click();
    await page.getByText("The service reads the records of your business from files.").waitFor();
    expect(await page.getByLabel("Which point-of-sale system").count()).toBe(0);
    await expectSound(page, "pos-files");
    await page.getByRole("button", { name: "Connect a point of sale instead" }).click();
    await page.getByLabel("Which point-of-sale system").waitFor();
    await page.getByRole("link", { name: /Submit/ }).click();
    await page.getByRole("button", { name: "Submit for review" }).click();
    await heading(page, "Submitted").waitFor();
  });

  test("the page begins with whose turn it is, in every state of a business that has nothing to submit", async () => {
    const { token, id } = await invited(stage(), undefined, undefined, false);
    const { page } = await visit(token);
    const turn = page.locator(".turn");
    const done = page.locator(".steps li.done");
    await heading(page, consentHeading).waitFor();
    const expectState = async (name: string, line: string | RegExp) => {
      await page.reload();
      await turn.getByText(line).waitFor();
      await expectSound(page, `state-${name}`);
    };
    await page.locator('nav a[href="#submit"]').click();
    await heading(page, "Missing parts").waitFor();
    await expectState("invited", /^Your turn: consent, the point of sale, \d+ documents\. Then Front Range/);
    expect(await done.count()).toBe(0);

    const { requirements } = (await (
      await fetch(`${api.url()}/onboarding`, { headers: { Authorization: token } })
    ).json()) as Pick<Onboarding, "requirements">;
    const required = requirements.filter(({ required: isRequired }) => isRequired);
    await page.locator('nav a[href="#consent"]').click();
    await giveConsent(page);
    await connect(page);
    await page.getByRole("radio").first().check();
    await page.getByRole("button", { name: "Connect this location" }).click();
    await page.getByText(/Greenbits has been connected since/).waitFor();
    const add = async (requirementId: string | undefined, name: string) => {
      const response = await fetch(`${api.url()}/onboarding/requirements/${requirementId}/documents`, {
        method: "PUT",
        headers: { Authorization: token, "Content-Type": "application/json" },
        body: JSON.stringify({ file_name: name, file_type: "application/pdf", base64: pdf.toString("base64") }),
      });
      return ((await response.json()) as { document_id: string }).document_id;
    };
    const ids: string[] = [];
    for (const { requirement_id } of required.slice(1)) ids.push(await add(requirement_id, "part.pdf"));
    await expectState("one-left", /^Your turn: 1 document\. Then Front Range/);
    ids.unshift(await add(required[0]?.requirement_id, "license.pdf"));
    await page.locator('nav a[href="#submit"]').click();
    const today = new Date().toLocaleDateString("en-US", { month: "short", day: "numeric" });
    await expectState("in-review", `In review by Front Range Community Bank since ${today}.`);
    await heading(page, "In review").waitFor();
    expect(await done.count()).toBe(3);

    const review = (index: number, body: object) =>
      callAsProvider(
        `crbs/${id}/onboarding-template/requirements/${required[index]?.requirement_id}/documents/${ids[index]}`,
        "PUT",
        body,
      );
    await review(0, { status: "archived", review_note: "The copy ends in the middle of the page." });
    await expectState("not-accepted", /^Your turn: 1 document\./);
    expect(await done.count()).toBe(2);
    const notice = page.getByRole("region", { name: "Documents that were not accepted" });
    await notice.getByText("The copy ends in the middle of the page.").waitFor();
    await notice.getByRole("link", { name: `Add another one: ${required[0]?.name}` }).click();
    await heading(page, "Add your documents").waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent");
    await expect.poll(focused).toBe(`${required[0]?.name} not accepted`);
    await expectState("not-accepted-documents", /^Your turn: 1 document\./);
    await expect
      .poll(focused, { message: "the address names the card, so a reload finds it" })
      .toContain("not accepted");
    ids[0] = await add(required[0]?.requirement_id, "whole-license.pdf");
    await expectState("replaced", `In review by Front Range Community Bank since ${today}.`);
    expect(await notice.count()).toBe(0);
    for (const index of ids.keys()) await review(index, { status: "approved" });
    await page.locator('nav a[href="#submit"]').click();
    await expectState("approved", "Front Range Community Bank has approved your documents. You have nothing to do.");
    await heading(page, "You are set up").waitFor();
    expect(await done.count()).toBe(4);
    await changeCrb(stage().table, id, (crb) => ({ ...crb, record: { ...crb.record, status: "bank_disconnected" } }));
    await expectState("paused", "The connection is paused. Nothing is read until it is resumed.");
    await heading(page, "Paused").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("Once it is connected");
  });

  test("large photos are made smaller, HEIC photos and text files are rejected with advice, and only a mouse can drop", async () => {
    const { page, token } = await consenting();
    await page.getByRole("link", { name: "Documents" }).click();
    const card = cards(page).first();
    expect(await card.getByText("or drop it here").isVisible()).toBe(true);
    const wrong = [
      fileOf("license.txt", Buffer.from("a license")),
      fileOf("IMG_1.HEIC", Buffer.from("\0\0\0\x18ftypheic")),
      fileOf("IMG_2.jpg", Buffer.from("\0\0\0\x18ftypheic")),
      fileOf("IMG_3.jpg", Buffer.alloc(6_000_000, 1)),
    ];
    await card.locator("input").setInputFiles(wrong);
    await card.getByText("Files of this type are not accepted.").waitFor();
    await expect.poll(() => card.getByText("Most Compatible").count()).toBe(2);
    await card.getByText("it cannot be made smaller here").waitFor();
    await expectSound(page, "photos-refused");
    for (const { name } of wrong) await page.getByRole("button", { name: `Dismiss ${name}` }).click();

    // A picture of noise is large in every format.
    const photo = await page.evaluate(`(async () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [2600, 2000];
      const context = canvas.getContext("2d");
      const noise = context.createImageData(canvas.width, canvas.height);
      for (let i = 0; i < noise.data.length; i++) noise.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
      context.putImageData(noise, 0, 0);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let text = "";
      for (let i = 0; i < bytes.length; i += 30_000) text += String.fromCharCode(...bytes.subarray(i, i + 30_000));
      return btoa(text);
    })()`);
    const buffer = Buffer.from(String(photo), "base64");
    expect(buffer.length).toBeGreaterThan(5_242_880);
    const announced = page.waitForRequest((request) => request.url().endsWith("/document-uploads"));
    await card.locator("input").setInputFiles({ name: "IMG_4.PNG", mimeType: "image/png", buffer });
    const { size, file_name: name } = (await announced).postDataJSON();
    expect(name).toBe("IMG_4.jpg");
    expect(size).toBeLessThanOrEqual(5_242_880);
    expect(size).toBeGreaterThan(1_000_000);
    await card.getByRole("button", { name: "Remove IMG_4.jpg" }).waitFor();

    const touch = await visit(token, { ...phone, hasTouch: true, isMobile: true });
    await touch.page.getByRole("link", { name: "Documents" }).click();
    expect(await cards(touch.page).first().getByText("or drop it here").isVisible()).toBe(false);
    await expectSound(touch.page, "documents-touch");
  });

  test("a second tab shows the steps that were done in the first one, and undoes none of them", async () => {
    const { token } = await invited(stage());
    const [one, other] = [await visit(token), await visit(token)];
    for (const { page } of [one, other]) await heading(page, consentHeading).waitFor();
    await giveConsent(one.page);
    // The second tab does not know the first one's consent yet.
    await giveConsent(other.page);
    await connect(one.page);
    await one.page.getByRole("radio").first().check();
    await one.page.getByRole("button", { name: "Connect this location" }).click();
    await one.page.getByText(/Greenbits has been connected since/).waitFor();
    await returnTo(other.page);
    await other.page.getByText(/Greenbits has been connected since/).waitFor();
  });

  test("if the invitation ends while the page is open, the next step says so", async () => {
    const { page, id } = await consenting();
    // The CRB has no documents, so that no links have to be ended in the store.
    await endAssociation(stage().table, bucketOf("documents", engineAccess), id);
    await connect(page);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  });

  test("the page works in a browser that blocks its storage together with cookies", async () => {
    const { token } = await invited(stage());
    const { page, complaints } = await visit("");
    await page.addInitScript(`Object.defineProperty(window, "sessionStorage", {
      get() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    })`);
    await page.goto("about:blank");
    await page.goto(`${api.url()}/connect#${token}`);
    await heading(page, consentHeading).waitFor();
    await giveConsent(page);
    expect(complaints).toEqual([]);
  });

  test("all steps can be done with the keyboard", async () => {
    const { token } = await invited(stage());
    const { page } = await visit(token);
    const focused = () =>
      page.evaluate(
        "document.activeElement === document.body ? '' : (document.activeElement.labels?.[0] ?? document.activeElement).textContent",
      );
    const tabTo = async (name: string) => {
      for (let count = 0; count < 40 && !String(await focused()).includes(name); count++)
        await page.keyboard.press("Tab");
      expect(await focused()).toContain(name);
      expect(await page.evaluate("document.activeElement.matches(':focus-visible')"), name).toBe(true);
    };
    await heading(page, consentHeading).waitFor();
    await tabTo("Give consent");
    await page.keyboard.press("Enter");
    await heading(page, posHeading).waitFor();
    await page.getByLabel("Which point-of-sale system").waitFor();
    await tabTo("Which point-of-sale system");
    await page.keyboard.type("Greenbits");
    await tabTo("User name");
    await page.keyboard.type("testing");
    await tabTo("Password");
    await page.keyboard.type("valid-password");
    await page.keyboard.press("Enter");
    await page.getByRole("radio").first().waitFor();
    expect(await focused(), "the next question has the focus").toContain("Sandbox Store");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByText(/Greenbits has been connected since/).waitFor();
    await tabTo("Continue");
    await page.keyboard.press("Enter");
    await heading(page, "Add your documents").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await tabTo("Choose a file");
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(fileOf("license.pdf"));
    await page.getByRole("button", { name: "Remove license.pdf" }).waitFor();
  });
});
