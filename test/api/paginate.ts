import { demoMetrcAccess } from "../../infra/local/metrc/demoMetrcAccess.ts";
import type { Stage } from "../../infra/local/stage.ts";
import { openApi } from "../../shared/api/openapi/openApi.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { answerOf } from "../client/answerOf.ts";
import { type ApiClient, apiClient, everyChange, everyEntry, everyRecord } from "../client/apiClient.ts";
import { newProgramKey } from "../programKeys.ts";
import { beOnboarded } from "./invitedUserJourney.ts";
import { sendValidated } from "./sendValidated.ts";

/** Status codes that each operation returned, by operation id. */
type Seen = Map<string, Set<number>>;

/** Ids of the operations that returned 200. */
export const answeredWell = (seen: Seen): string[] =>
  [...seen].filter(([, statuses]) => statuses.has(200)).map(([id]) => id);

/**
 * Calls every operation as a client's developer would: reads the records in both path families, takes a CRB from its creation
 * to its approval, and causes an error of each kind that a valid call can cause.
 * @param stage the stage whose demo data the calls read and change
 * @throws Error if a request or a response violates the description
 */
export async function walk({ description }: Stage): Promise<Seen> {
  const seen: Seen = new Map();
  const { base_url: baseUrl } = description;
  // Stricter than the published description: a response with an undescribed field is a violation, too.
  const send = sendValidated(openApi({ closed: true }), baseUrl);
  const clientOf = (credential: Parameters<typeof apiClient>[0]["credential"]) =>
    noting(seen, apiClient({ baseUrl, credential, send }));
  const { service_provider: provider, crbs } = description;
  const crb = crbs[0] ?? fail("the demo has no CRB");
  const sp = clientOf({ clientId: provider.client_id, clientSecret: provider.client_secret });
  const own = clientOf({ clientId: crb.client_id, clientSecret: crb.client_secret });
  const atProvider = { sp_id: provider.sp_id, crb_id: crb.crb_id };

  await exchange(clientOf("none"), provider);
  await readServiceProvider(sp, provider.sp_id);
  await readAsServiceProvider(sp, atProvider);
  await linkLicense(sp, atProvider);
  await connectStateSystem(sp, atProvider);
  await reconcile(sp, atProvider);
  await workThroughInsights(sp, atProvider);
  await reportAccesses(sp, { sp_id: provider.sp_id });
  await readAsCrb(own, crb.crb_id);
  await beRefused(sp, own, clientOf("sk_unknown"), atProvider);
  await listen(sp, provider.sp_id);
  await onboard(sp, provider.sp_id);
  await revoke(sp, provider.sp_id);
  await setPersons(sp, clientOf("none"), provider.sp_id);
  await beOnboarded(clientOf(description.invitation.invitation_token), clientOf("none"), description.invitation.email);
  return seen;
}

function fail(message: string): never {
  throw new Error(message);
}

const operationIds = new Map(
  operationRegistry.flatMap(({ routes }) =>
    routes.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  ),
);

function noting(seen: Seen, client: ApiClient): ApiClient {
  client.use({
    async onResponse({ request, schemaPath, response }) {
      const id = operationIds.get(`${request.method} ${schemaPath}`) ?? fail(`no operation at ${schemaPath}`);
      seen.set(id, (seen.get(id) ?? new Set()).add(response.status));
    },
  });
  return client;
}

/** Up to 100 records, which are two pages of 50. */
async function some<Record>(records: AsyncGenerator<Record, void>): Promise<Record[]> {
  const taken: Record[] = [];
  for await (const record of records) if (taken.push(record) === 100) break;
  return taken;
}

const firstOf = <Record>(records: Record[]): Record => records[0] ?? fail("the list is empty");

async function exchange(anyone: ApiClient, credential: { client_id: string; client_secret: string }): Promise<void> {
  const { client_id, client_secret } = credential;
  const body = {
    client_id,
    client_secret,
    grant_type: "client_credentials",
    scope: ["service-provider:read"],
  } as const;
  const token = answerOf(await anyone.POST("/auth/token", { body: { ...body, scope: [...body.scope] } }));
  if (String(token.scope) !== String(body.scope)) fail("the token has other scopes than the requested ones");
}

async function readServiceProvider(sp: ApiClient, sp_id: string): Promise<void> {
  const path = { sp_id };
  answerOf(await sp.GET("/service-providers/{sp_id}", { params: { path } }));
  answerOf(await sp.GET("/service-providers/{sp_id}/pos-credentials-schema", { params: { path } }));
  const query = { limit: 50 };
  firstOf(await some(everyRecord(sp, "/service-providers/{sp_id}/crbs", { path, query })));
  firstOf(await some(everyRecord(sp, "/service-providers/{sp_id}/licenses-search", { path, query })));
  firstOf(await some(everyRecord(sp, "/service-providers/{sp_id}/onboarding-templates", { path, query })));
  firstOf(await some(everyRecord(sp, "/service-providers/{sp_id}/documents-to-review", { path, query })));
  firstOf(await some(everyRecord(sp, "/service-providers/{sp_id}/overview", { path, query })));
  const { data, cursor } = answerOf(await sp.GET("/service-providers/{sp_id}/events", { params: { path, query } }));
  firstOf(data);
  answerOf(await sp.GET("/service-providers/{sp_id}/events", { params: { path, query: { cursor } } }));
}

/** Links a license, lists it, and unlinks it. */
async function linkLicense(sp: ApiClient, path: { sp_id: string; crb_id: string }): Promise<void> {
  const query = { state: "OR", limit: 1 } as const;
  const found = await sp.GET("/service-providers/{sp_id}/licenses-search", { params: { path, query } });
  const { id: license_id } = firstOf(answerOf(found).data);
  const base = "/service-providers/{sp_id}/crbs/{crb_id}/licenses" as const;
  const params = { path: { ...path, license_id } };
  answerOf(await sp.PUT(`${base}/{license_id}`, { params }));
  // The demo's license of this business. Another test may have unlinked it.
  const own = { licenseNumber: "CO-R-90001", limit: 1 } as const;
  const ownFound = await sp.GET("/service-providers/{sp_id}/licenses-search", { params: { path, query: own } });
  const ownPath = { ...path, license_id: firstOf(answerOf(ownFound).data).id };
  const { status, holder_matches } = answerOf(await sp.PUT(`${base}/{license_id}`, { params: { path: ownPath } }));
  if (holder_matches !== "same") fail(`the holder of the business's license is ${holder_matches}`);
  const linked = await some(everyRecord(sp, base, { path, query: { limit: 50 } }));
  if (!linked.some(({ id }) => id === license_id)) fail("a linked license is not in the list");
  const crbs = "/service-providers/{sp_id}/crbs" as const;
  const ofStatus = await some(everyRecord(sp, crbs, { path, query: { license_status: status, limit: 50 } }));
  if (!ofStatus.some(({ id }) => id === path.crb_id)) fail("the CRB is not found by the status of its license");
  answerOf(await sp.DELETE(`${base}/{license_id}`, { params }));
}

/** Reads the state days, and connects the license again with the demo's key. */
async function connectStateSystem(sp: ApiClient, path: { sp_id: string; crb_id: string }): Promise<void> {
  const base = "/service-providers/{sp_id}/crbs/{crb_id}" as const;
  const days = await some(everyEntry(sp, `${base}/state-days`, path, { limit: 20 }));
  if (!days.some(({ variance }) => variance !== null && variance !== 0)) fail("no state day has a variance");
  const { licenseNumber: license_number, userKey: user_key } = demoMetrcAccess;
  const params = { path: { ...path, license_number } };
  const one = `${base}/state-connections/{license_number}` as const;
  const body = { system: "Metrc", user_key } as const;
  answerOf(await sp.PUT(one, { params, body }));
  const rejected = await sp.PUT(one, { params, body: { ...body, user_key: "other" } });
  if (rejected.response.status !== 422) fail("a wrong key of Metrc was accepted");
  const all = await some(everyRecord(sp, `${base}/state-connections`, { path, query: { limit: 50 } }));
  if (!all.some((connection) => connection.license_number === license_number)) fail("the connection is not listed");
  if (answerOf(await sp.GET(one, { params })).system !== "Metrc") fail("the connection has no system");
  answerOf(await sp.DELETE(one, { params }));
  answerOf(await sp.PUT(one, { params, body }));
}

/** Reads the insights, decides on one, and changes the settings. */
async function workThroughInsights(sp: ApiClient, path: { sp_id: string; crb_id: string }): Promise<void> {
  const { sp_id } = path;
  const ofCrb = await some(everyEntry(sp, "/service-providers/{sp_id}/crbs/{crb_id}/insights", path, { limit: 2 }));
  const [{ id: insight_id, revision } = fail("no insight")] = ofCrb;
  const inProvider = { params: { path: { sp_id }, query: { crb_id: path.crb_id } } };
  const { data } = answerOf(await sp.GET("/service-providers/{sp_id}/insights", inProvider));
  if (data[0]?.id !== insight_id) fail("the lists of insights differ");
  const body = { status: "explained" as const, note: "A mistyped weight.", revision };
  const params = { path: { sp_id, insight_id } };
  const decided = answerOf(await sp.PUT("/service-providers/{sp_id}/insights/{insight_id}", { params, body }));
  if (decided.history.at(-1)?.note !== body.note) fail("the decision is not stored");
  const own = { params: { path: { sp_id } } };
  const settings = answerOf(await sp.GET("/service-providers/{sp_id}/insight-settings", own));
  const { no_sales } = settings;
  answerOf(await sp.PUT("/service-providers/{sp_id}/insight-settings", { ...own, body: { no_sales } }));
}

/** Stores deposits and a cash count, compares them with the sales, and deletes them. */
async function reconcile(sp: ApiClient, path: { sp_id: string; crb_id: string }): Promise<void> {
  const base = "/service-providers/{sp_id}/crbs/{crb_id}" as const;
  const own = { params: { path } };
  const settings = answerOf(await sp.GET(`${base}/reconciliation-settings`, own));
  const { never_cash } = answerOf(
    await sp.PUT(`${base}/reconciliation-settings`, { ...own, body: { never_cash: ["other"] } }),
  );
  if (never_cash.join() !== "other") fail("the settings did not change");
  const newest = await some(everyEntry(sp, `${base}/reconciliation-days`, path, { limit: 50 }));
  const dates = newest
    .filter(({ complete }) => complete)
    .slice(0, 3)
    .map(({ date }) => date)
    .reverse();
  const deposits = dates.map((posted_date, i) => ({
    id: `walk/${i}`,
    posted_date,
    amount: 100,
    type: "cash" as const,
  }));
  const { accepted } = answerOf(await sp.PUT(`${base}/deposits`, { ...own, body: { deposits } }));
  if (accepted !== dates.length) fail(`${accepted} deposits are new`);
  const [start_date, end_date] = [dates[0], dates[2]];
  const stored = await some(everyEntry(sp, `${base}/deposits`, path, { start_date, end_date, limit: 2 }));
  if (!dates.every((date) => stored.some(({ posted_date }) => posted_date === date))) fail("a deposit is not listed");
  const date = dates[1] ?? "";
  const counted = { params: { path: { ...path, date } } };
  answerOf(await sp.PUT(`${base}/cash-counts/{date}`, { ...counted, body: { amount: 500 } }));
  const counts = await some(everyEntry(sp, `${base}/cash-counts`, path, { limit: 50 }));
  if (!counts.some((count) => count.date === date)) fail("a cash count is not listed");
  const days = await some(everyEntry(sp, `${base}/reconciliation-days`, path, { start_date, end_date, limit: 2 }));
  if (!days.some((day) => day.date === date && day.counted === date)) fail("the balance does not start from the count");
  answerOf(await sp.DELETE(`${base}/cash-counts/{date}`, counted));
  for (const { id } of deposits) {
    answerOf(await sp.DELETE(`${base}/deposits/{deposit_id}`, { params: { path: { ...path, deposit_id: id } } }));
  }
  answerOf(await sp.PUT(`${base}/reconciliation-settings`, { ...own, body: settings }));
}

async function readAsServiceProvider(sp: ApiClient, path: { sp_id: string; crb_id: string }): Promise<void> {
  const base = "/service-providers/{sp_id}/crbs/{crb_id}";
  const query = { limit: 50 };
  answerOf(await sp.GET(base, { params: { path } }));
  const customer = firstOf(await some(everyRecord(sp, `${base}/customers`, { path, query })));
  const customerPath = { ...path, customer_id: customer.id };
  answerOf(await sp.GET(`${base}/customers/{customer_id}`, { params: { path: customerPath } }));
  const { pos_customer_id } = customer;
  firstOf(await some(everyRecord(sp, `${base}/customers-search`, { path, query: { pos_customer_id } })));
  const sandboxPath = { ...path, action: "reset" } as const;
  answerOf(await sp.POST(`${base}/sandbox/{action}`, { params: { path: sandboxPath }, body: {} }));
  const product = firstOf(await some(everyRecord(sp, `${base}/products`, { path, query })));
  answerOf(await sp.GET(`${base}/products/{product_id}`, { params: { path: { ...path, product_id: product.id } } }));
  const expanded = { ...query, expand: true };
  const inventory = firstOf(await some(everyRecord(sp, `${base}/inventory`, { path, query: expanded })));
  const inventoryPath = { ...path, inventory_id: inventory.id };
  answerOf(await sp.GET(`${base}/inventory/{inventory_id}`, { params: { path: inventoryPath } }));
  const location = firstOf(await some(everyRecord(sp, `${base}/inventory-locations`, { path, query })));
  const locationPath = { ...path, location_id: location.id };
  answerOf(await sp.GET(`${base}/inventory-locations/{location_id}`, { params: { path: locationPath } }));
  const stock = `${base}/inventory-locations/{location_id}/inventory` as const;
  await some(everyRecord(sp, stock, { path: locationPath, query: expanded }));
  await some(everyRecord(sp, stock, { path: locationPath, query: { ...query, date: "2024-01-31" } }));
  const sale = firstOf(await some(everyRecord(sp, `${base}/sales`, { path, query })));
  const checksPath = { ...path, sale_id: sale.id };
  answerOf(await sp.GET(`${base}/sales/{sale_id}/checks`, { params: { path: checksPath } }));
  const rules = "/service-providers/{sp_id}/sale-rules";
  firstOf(await some(everyRecord(sp, rules, { path: { sp_id: path.sp_id }, query })));
  const day = sale.local_date.slice(0, 10);
  firstOf(await some(everyRecord(sp, `${base}/sales`, { path, query: { start_date: day, end_date: day } })));
  const days = await some(everyRecord(sp, `${base}/sales-days`, { path, query: { start_date: day, end_date: day } }));
  if (firstOf(days).date !== day) fail("the day of a sale is not listed");
  await copy(sp, `${base}/changes/{kind}`, { ...path, kind: "inventory-locations" });
  answerOf(await sp.GET(`${base}/replications`, { params: { path } }));
  const body = { kinds: ["inventory-locations" as const], format: "ndjson" as const };
  const { id: export_id } = answerOf(await sp.POST(`${base}/exports`, { params: { path }, body }));
  const exportPath = { ...path, export_id };
  answerOf(await sp.GET(`${base}/exports/{export_id}`, { params: { path: exportPath } }));
  firstOf(await some(everyRecord(sp, `${base}/exports`, { path, query })));
  answerOf(await sp.DELETE(`${base}/exports/{export_id}`, { params: { path: exportPath } }));
  await state(sp, path);
}

/** Requests an access report, and finds it in the list. */
async function reportAccesses(sp: ApiClient, path: { sp_id: string }): Promise<void> {
  const base = "/service-providers/{sp_id}/access-reports";
  const body = { from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };
  const { id: report_id } = answerOf(await sp.POST(base, { params: { path }, body }));
  const { data } = answerOf(await sp.GET(base, { params: { path, query: { limit: 10 } } }));
  if (data[0]?.id !== report_id) fail("the newest access report is not the first of the list");
  answerOf(await sp.GET(`${base}/{report_id}`, { params: { path: { ...path, report_id } } }));
}

/** Requests a statement, and finds it in the list. */
async function state(sp: ApiClient, path: { sp_id: string; crb_id: string }): Promise<void> {
  const base = "/service-providers/{sp_id}/crbs/{crb_id}/statements";
  const body = { start_date: "2026-02-01", end_date: "2026-02-28", format: "csv" as const };
  const { id: statement_id } = answerOf(await sp.POST(base, { params: { path }, body }));
  const { data } = answerOf(await sp.GET(base, { params: { path, query: { limit: 1 } } }));
  if (data[0]?.id !== statement_id) fail("the newest statement is not the first of the list");
  answerOf(await sp.GET(`${base}/{statement_id}`, { params: { path: { ...path, statement_id } } }));
}

async function readAsCrb(own: ApiClient, crb_id: string): Promise<void> {
  const base = "/crbs/{crb_id}";
  const path = { crb_id };
  const query = { limit: 50 };
  answerOf(await own.GET(base, { params: { path } }));
  answerOf(await own.GET(`${base}/replications`, { params: { path } }));
  const { response } = await own.GET(`${base}/products`, { params: { path, query } });
  const header = { "If-None-Match": response.headers.get("ETag") ?? fail("the list has no ETag") };
  const again = await own.GET(`${base}/products`, { params: { path, query, header } });
  if (again.response.status !== 304) fail("a list that did not change is answered again");
  const customer = firstOf(await some(everyRecord(own, `${base}/customers`, { path, query })));
  answerOf(
    await own.GET(`${base}/customers/{customer_id}`, { params: { path: { crb_id, customer_id: customer.id } } }),
  );
  const product = firstOf(await some(everyRecord(own, `${base}/products`, { path, query })));
  answerOf(await own.GET(`${base}/products/{product_id}`, { params: { path: { crb_id, product_id: product.id } } }));
  const inventory = firstOf(await some(everyRecord(own, `${base}/inventory`, { path, query })));
  const one = { path: { crb_id, inventory_id: inventory.id }, query: { expand: true } };
  answerOf(await own.GET(`${base}/inventory/{inventory_id}`, { params: one }));
  const location = firstOf(await some(everyRecord(own, `${base}/inventory-locations`, { path, query })));
  const locationPath = { crb_id, location_id: location.id };
  answerOf(await own.GET(`${base}/inventory-locations/{location_id}`, { params: { path: locationPath } }));
  const stock = `${base}/inventory-locations/{location_id}/inventory` as const;
  await some(everyRecord(own, stock, { path: locationPath, query }));
  const sale = firstOf(await some(everyRecord(own, `${base}/sales`, { path, query })));
  answerOf(await own.GET(`${base}/sales/{sale_id}/checks`, { params: { path: { crb_id, sale_id: sale.id } } }));
  firstOf(await some(everyRecord(own, `${base}/sales-days`, { path, query })));
  await copy(own, `${base}/changes/{kind}`, { crb_id, kind: "products" });
  const document = firstOf(await some(everyRecord(own, `${base}/documents`, { path, query })));
  answerOf(await own.GET(`${base}/documents/{doc_id}`, { params: { path: { crb_id, doc_id: document.id } } }));
}

/** Copies all records of a kind page by page, and expects nothing new after the last cursor. */
async function copy(...[client, at, path]: Parameters<typeof everyChange>): Promise<void> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  for await (const page of everyChange(client, at, path, { limit: 50 })) {
    for (const { id } of page.data) ids.add(id);
    cursor = page.cursor;
  }
  if (ids.size === 0) fail("there is nothing to copy");
  for await (const page of everyChange(client, at, path, { cursor })) {
    if (page.data.length > 0 || page.cursor !== cursor) fail("nothing has changed, and something came");
  }
}

/** Causes one error of each kind that a request which fits the description can get. */
async function beRefused(
  sp: ApiClient,
  own: ApiClient,
  unknown: ApiClient,
  path: { sp_id: string; crb_id: string },
): Promise<void> {
  const list = "/service-providers/{sp_id}/crbs/{crb_id}/sales";
  const statuses = [
    (await unknown.GET(list, { params: { path } })).response.status,
    (await own.GET(list, { params: { path } })).response.status,
    (await sp.GET(list, { params: { path: { ...path, crb_id: path.sp_id } } })).response.status,
    (await sp.GET(list, { params: { path, query: { start_date: "2024-02-01", end_date: "2024-01-01" } } })).response
      .status,
  ];
  if (statuses.join() !== "401,403,404,422") fail(`rejected with ${statuses.join()}`);
}

/** Takes a webhook endpoint from its registration to its deletion. */
async function listen(sp: ApiClient, sp_id: string): Promise<void> {
  const all = "/service-providers/{sp_id}/webhook-endpoints";
  const body = { url: "https://hooks.bank.example.com/events", event_types: ["crb.created" as const] };
  const { id, secret } = answerOf(await sp.POST(all, { params: { path: { sp_id } }, body }));
  const { data } = answerOf(await sp.GET(all, { params: { path: { sp_id } } }));
  if (!data.some((endpoint) => endpoint.id === id)) fail("a webhook endpoint is not in the list");
  const params = { path: { sp_id, endpoint_id: id } };
  const one = `${all}/{endpoint_id}` as const;
  // This host does not exist.
  const { error, id: tested } = answerOf(await sp.POST(`${one}/test`, { params }));
  if (error !== "address") fail(`a test event was delivered nowhere: ${error}`);
  const path = params.path;
  const attempts = await some(everyRecord(sp, `${one}/deliveries`, { path, query: {} }));
  if (attempts.at(0)?.id !== tested) fail("a test is not among the deliveries");
  const from = new Date(Date.now() - 60_000).toISOString();
  if (answerOf(await sp.POST(`${one}/replay`, { params, body: { from } })).id !== id)
    fail("another endpoint is replayed");
  const { event_types } = answerOf(await sp.PUT(one, { params, body: { event_types: [], enabled: false } }));
  if (event_types.length > 0) fail("the types of events are not changed");
  if (answerOf(await sp.POST(`${one}/secret`, { params })).secret === secret) fail("the secret is the old one");
  if (answerOf(await sp.GET(one, { params })).status !== "disabled") fail("the webhook endpoint is enabled");
  answerOf(await sp.DELETE(one, { params }));
  if ((await sp.GET(one, { params })).response.status !== 404) fail("the webhook endpoint is still there");
}

/** Takes a CRB from its creation to its first approved document. */
async function onboard(sp: ApiClient, sp_id: string): Promise<void> {
  const creation = {
    org: { name: "Cottonwood Cannabis", state: "CO", business_type: "retail", ein: "84-5550188" },
    pos_info: { pos_type: "Dutchie", pos_credentials: { recApiKey: "any-key-will-do" } },
  } as const;
  const key = { "Idempotency-Key": "walk-1" };
  const created = answerOf(
    await sp.POST("/service-providers/{sp_id}/crbs", { params: { path: { sp_id }, header: key }, body: creation }),
  );
  const again = await sp.POST("/service-providers/{sp_id}/crbs", { params: { path: { sp_id } }, body: creation });
  if (again.response.status !== 409) fail("an organization was connected twice");
  const base = "/service-providers/{sp_id}/crbs/{crb_id}";
  const path = { sp_id, crb_id: created.id };
  answerOf(await sp.PUT(base, { params: { path }, body: { dba: "Cottonwood", monthlySales: 90_000 } }));
  answerOf(await sp.POST(`${base}/access`, { params: { path } }));
  const pair = answerOf(await sp.POST(`${base}/access`, { params: { path }, body: { name: "Walk" } }));
  if (pair.ended_client_ids.length > 0) fail("a second pair has ended the first");
  const template = answerOf(await sp.GET(`${base}/onboarding-template`, { params: { path } }));
  const requirement_id = firstOf(template.standard_requirements).requirement_id ?? fail("a requirement has no id");
  await review(sp, { ...path, requirement_id });
  await upload(sp, { ...path, requirement_id });
}

/** Sets the identity provider, reads it with and without a credential, and removes it. */
async function setPersons(sp: ApiClient, anyone: ApiClient, sp_id: string): Promise<void> {
  const one = "/service-providers/{sp_id}/identity-provider";
  const params = { path: { sp_id } };
  const short_name = "walk-bank";
  const roles = [{ claim: "groups", value: "Staff", role: "viewer" as const }];
  const body = { short_name, issuer: "https://login.walk.example.com", client_id: "walk", customers: false, roles };
  const set = answerOf(await sp.PUT(one, { params, body }));
  const read = answerOf(await sp.GET(one, { params }));
  if (read.credential_id !== set.credential_id || read.status !== "active") fail("the identity provider is not set");
  const signIn = answerOf(await anyone.GET("/sign-in/{short_name}", { params: { path: { short_name } } }));
  if (signIn.sp_id !== sp_id) fail("the short name leads to another service provider");
  const ended = answerOf(
    await sp.DELETE(one, { params: { ...params, query: { keep_issued: true, keep_made: true } } }),
  );
  if (ended.status !== "suspended") fail(`a removed identity provider is ${ended.status}`);
}

/** Finds the newest credential in the list and revokes it. */
async function revoke(sp: ApiClient, sp_id: string): Promise<void> {
  const all = "/service-providers/{sp_id}/credentials";
  const listed = await some(everyRecord(sp, all, { path: { sp_id }, query: { limit: 50 } }));
  const { client_id } = listed.find(({ name }) => name === "Walk") ?? fail("a new credential is not in the list");
  const params = { path: { sp_id, client_id } };
  const { jwk } = await newProgramKey("walk");
  const body = { keys: [{ kty: "EC", kid: jwk.kid, crv: "P-256", x: String(jwk.x), y: String(jwk.y) } as const] };
  const { keys } = answerOf(await sp.PUT(`${all}/{client_id}/keys`, { params, body }));
  if (keys.length !== 1) fail("a key that was set is not in the record");
  const { status } = answerOf(await sp.DELETE(`${all}/{client_id}`, { params }));
  if (status !== "revoked") fail(`a revoked credential is ${status}`);
}

interface RequirementPath {
  sp_id: string;
  crb_id: string;
  requirement_id: string;
}

const requirement =
  "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}" as const;
const base64 = Buffer.from("Cash is counted by two people.").toString("base64");

async function review(sp: ApiClient, path: RequirementPath): Promise<void> {
  const body = { file_name: "cash.txt", file_type: "text/plain", base64 } as const;
  const { document_id } = answerOf(await sp.PUT(`${requirement}/documents`, { params: { path }, body }));
  const params = { path: { ...path, document_id } };
  const one = `${requirement}/documents/{document_id}` as const;
  answerOf(await sp.PUT(one, { params, body: { status: "approved" } }));
  answerOf(await sp.PUT(one, { params, body: { status: "archived" } }));
  const refused = await sp.PUT(one, { params, body: { status: "approved" } });
  if (refused.response.status !== 409) fail("an archived document was approved");
  answerOf(await sp.DELETE(one, { params }));
}

async function upload(sp: ApiClient, path: RequirementPath): Promise<void> {
  const content = Buffer.from("%PDF-1.7 a license");
  const body = { file_name: "license.pdf", file_type: "application/pdf", size: content.length } as const;
  const begun = answerOf(await sp.POST(`${requirement}/document-uploads`, { params: { path }, body }));
  const headers = { "Content-Type": body.file_type, "If-None-Match": "*" };
  const sent = await fetch(begun.upload_link, { method: "PUT", body: content, headers });
  if (!sent.ok) fail(`the store rejected the file with ${sent.status}`);
  const params = { path: { ...path, document_id: begun.document_id } };
  const { document_id } = answerOf(await sp.POST(`${requirement}/document-uploads/{document_id}`, { params }));
  const link = answerOf(
    await sp.GET("/service-providers/{sp_id}/crbs/{crb_id}/documents/{doc_id}/download", {
      params: { path: { sp_id: path.sp_id, crb_id: path.crb_id, doc_id: document_id } },
    }),
  );
  const stored = await (await fetch(link.download_link)).text();
  if (stored !== content.toString("base64")) fail("the document is another than was sent");
  const file = Buffer.from(await (await fetch(link.file_link)).arrayBuffer());
  if (!file.equals(content)) fail("the document's file is another than was sent");
}
