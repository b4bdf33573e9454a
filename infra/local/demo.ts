import { readFileSync } from "node:fs";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../shared/auth/scopes.ts";
import { createAccessReport } from "../../shared/domain/accessReports/createAccessReport.ts";
import { listReports } from "../../shared/domain/accessReports/storedReport.ts";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { createExport } from "../../shared/domain/exports/createExport.ts";
import { readExports } from "../../shared/domain/exports/storedExport.ts";
import { newAnswersItem } from "../../shared/domain/onboarding/answers.ts";
import { publishedTemplate, putTemplate } from "../../shared/domain/onboarding/templates.ts";
import { terms } from "../../shared/domain/onboarding/terms.ts";
import type { ReplicationState } from "../../shared/domain/replication/replicationState.ts";
import { createStatement } from "../../shared/domain/statements/createStatement.ts";
import { listStatements } from "../../shared/domain/statements/storedStatement.ts";
import { applyPosConfigMove } from "../../shared/pos/posConfigStatus.ts";
import type { Table } from "../../shared/store/client.ts";
import { changeCrb, createCrb, putServiceProvider, readCrb } from "../../shared/store/crbs.ts";
import { credentialKey } from "../../shared/store/keys/credentials.ts";
import { answersKey } from "../../shared/store/keys/onboarding.ts";
import { replicationKey } from "../../shared/store/keys/replication.ts";
import { readStateConnections } from "../../shared/store/stateConnections.ts";
import { addDays } from "../../shared/time/addDays.ts";
import { utcDay } from "../../shared/time/clock.ts";
import { StageError } from "../cli/stageError.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { stages } from "../stages/stages.ts";
import { type DemoBusiness, demoBusinesses, demoServiceProvider } from "./demoBusinesses.ts";
import { prepareDocuments } from "./demoDocuments.ts";
import { prepareInvitation } from "./demoInvitation.ts";
import { prepareLicenses } from "./demoLicenses.ts";
import { demoTemplate } from "./demoTemplate.ts";
import { demoMetrcAccess } from "./metrc/demoMetrcAccess.ts";

interface CredentialPair {
  client_id: string;
  client_secret: string;
}

/** The credentials and ids that a caller needs: the content of stage.json without the base URL. */
export interface Demo {
  service_provider: CredentialPair & { sp_id: string };
  crbs: (CredentialPair & { crb_id: string; name: string; pos_type: string | null; business_type: string | null })[];
}

/**
 * Creates the demo service provider, its CRBs and a credential for each, unless they exist. Keeps the data of an earlier or
 * interrupted start.
 *
 * @param file keeps the secrets: the table holds only their digests
 */
export async function prepareDemo(table: Table, file: string): Promise<Demo> {
  await putServiceProvider(table, demoServiceProvider);
  await putTemplate(table, demoServiceProvider.id, demoTemplate);
  // Sequential: the list of CRBs is sorted by creation.
  for (const business of demoBusinesses) await createBusiness(table, business, new Date());
  await prepareInvitation(table, new Date());
  for (const { record } of demoBusinesses) await ensureAnswers(table, record.id);
  const spId = demoServiceProvider.id;
  const credentials = await readPairs(table, file);
  const pairOf = async (
    owner: { kind: "serviceProvider" | "crb"; id: string },
    name?: string,
  ): Promise<CredentialPair> => {
    const known = credentials.get(name ?? owner.id);
    if (known) return known;
    const scopes = owner.kind === "crb" ? crbScopes : serviceProviderScopes;
    const { client_id, secret } = await issueCredential(table, { owner, spId, scopes, name });
    const pair = { client_id, client_secret: secret };
    credentials.set(name ?? owner.id, pair);
    writeAtomically(file, JSON.stringify(Object.fromEntries(credentials)));
    return pair;
  };
  const demo: Demo = {
    service_provider: { sp_id: spId, ...(await pairOf({ kind: "serviceProvider", id: spId })) },
    crbs: [],
  };
  for (const { record, posType } of demoBusinesses) {
    const { id, name, business_type } = record;
    demo.crbs.push({ crb_id: id, name, pos_type: posType, business_type, ...(await pairOf({ kind: "crb", id })) });
  }
  // A credential to revoke; no sample uses it.
  await pairOf({ kind: "serviceProvider", id: spId }, "Former report");
  return demo;
}

/**
 * Creates the demo's documents, licenses and exports, which takes longer than `prepareDemo`. The schedule of the stage
 * then runs the exports.
 */
export async function completeDemo(table: Table, bucket: Bucket, { service_provider }: Demo): Promise<void> {
  await prepareDocuments(table, bucket, service_provider.client_id);
  await prepareLicenses({ table, bucket });
  await prepareExports(table, service_provider);
}

/** Creates exports of the first two businesses, unless exports of them are listed. */
async function prepareExports(table: Table, { sp_id, client_id }: Demo["service_provider"]): Promise<void> {
  const body = { kinds: ["products" as const, "sales" as const], format: "parquet" as const };
  for (const [index, { record }] of demoBusinesses.slice(0, 2).entries()) {
    const request = { spId: sp_id, crbId: record.id, body, createdBy: { clientId: client_id } };
    const listed = await readExports(table, record.id, table.clock.now());
    // The first business has two, so that the list has pages.
    for (let count = listed.length; count < 2 - index; count++) await createExport(table, request);
  }
}

async function createBusiness(table: Table, { record, posType }: DemoBusiness, now: Date): Promise<void> {
  await createCrb(table, {
    record: {
      ...record,
      status: posType ? "svc_approved" : "svc_pending",
      pos_configs: (posType && applyPosConfigMove([], posType, "connect", now)) ?? [],
    },
    serviceProviderId: demoServiceProvider.id,
    ...(!posType && { needsConsent: true as const }),
    connection: posType ? { posType, locationId: null, connectedAt: now.toISOString() } : null,
  });
}

/** Stores a CRB's answers to its template, unless an earlier start stored them. */
async function ensureAnswers(table: Table, crbId: string): Promise<void> {
  if (await table.get(answersKey(crbId), { consistent: true })) return;
  const crb = await readCrb(table, crbId);
  const template = crb && (await publishedTemplate(table, crb.serviceProviderId, crb.record.template_id));
  if (template) await table.put(newAnswersItem(crb.record, template, new Date()));
}

/** The credential pairs that an earlier start issued and that still exist in this table, by owner id. */
async function readPairs(table: Table, file: string): Promise<Map<string, CredentialPair>> {
  let written: [string, CredentialPair][] = [];
  try {
    written = Object.entries(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // No file yet.
  }
  const items = await table.batchGet(written.map(([, pair]) => credentialKey(pair.client_id)));
  const stored = new Set([...items.values()].map((item) => item.pk));
  return new Map(written.filter(([, pair]) => stored.has(credentialKey(pair.client_id).pk)));
}

/** The business whose inventory has not been readable for two days, so that the demo has data that is not fresh. */
const staleBusiness = "Emerald Coast Distribution";

/**
 * Lets the inventory of a demo business fail, as after its POS has withdrawn a permission. The worker does not read it again
 * for a year, unless the business enters new credentials.
 */
export async function prepareStaleness(table: Table): Promise<void> {
  const business = demoBusinesses.find(({ record }) => record.name === staleBusiness);
  if (!business) return;
  const now = table.clock.now().getTime();
  const failure: Partial<ReplicationState> = {
    error: "notPermitted",
    failing_since: new Date(now - 2 * dayMs).toISOString(),
    not_before: new Date(now + 365 * dayMs).toISOString(),
  };
  await table.update(replicationKey(business.record.id, "inventory"), { ...failure });
}

/** The invitation of the fictitious user who gave the consent of the first business. */
const consentGivenBy = "7c1b2f64-0a3e-4d58-9b7d-2e6f41c80a17";

/**
 * Stores the consent of the first demo business, and connects its license to the state's system through the API, unless a
 * license is connected. Requires the linked license.
 *
 * @throws StageError if the API rejects the connection
 */
export async function prepareStateConnection(table: Table, baseUrl: string, demo: Demo): Promise<void> {
  const crbId = demo.crbs[0]?.crb_id ?? "";
  const { licenses } = await readStateConnections(table, crbId);
  if (Object.keys(licenses).length > 0) return;
  const date = table.clock.now().toISOString();
  const termsVersion = terms(stages.local).version;
  const consent = { termsVersion, date, givenBy: consentGivenBy, stateSystems: ["Metrc" as const] };
  await changeCrb(table, crbId, (crb) => (crb.consent ? undefined : { ...crb, consent }));
  const { licenseNumber, userKey } = demoMetrcAccess;
  const { sp_id, client_secret } = demo.service_provider;
  const path = `service-providers/${sp_id}/crbs/${crbId}/state-connections/${licenseNumber}`;
  const { status } = await fetch(`${baseUrl}/${path}`, {
    method: "PUT",
    headers: { Authorization: client_secret, "Content-Type": "application/json" },
    body: JSON.stringify({ system: "Metrc", user_key: userKey }),
  });
  if (status !== 200)
    throw new StageError(
      `The demo's connection to the state's system was rejected with ${status}; see log.jsonl in the data directory.`,
    );
}

/** Days of a statement and of an access report. */
const reportedDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Creates a statement of each of the first two businesses with their last 30 days, unless one is stored. The schedule of the stage
 * then makes them. Requires the sales and the deposits.
 */
export async function prepareStatements(
  table: Table,
  { sp_id: spId, client_id: clientId }: Demo["service_provider"],
): Promise<void> {
  const end_date = addDays(utcDay(table.clock.now()), -2);
  const body = { start_date: addDays(end_date, 1 - reportedDays), end_date, format: "html" as const };
  for (const { record } of demoBusinesses.slice(0, 2)) {
    const { records } = await listStatements(table, record.id, { limit: 1 });
    if (records.length === 0) await createStatement(table, { spId, crbId: record.id, body, by: { clientId } });
  }
}

/** Makes a report of who read the demo's data, unless one is stored. */
export async function prepareAccessReport(
  table: Table,
  { sp_id: spId, client_id: clientId }: Demo["service_provider"],
  make: (body: string) => Promise<unknown>,
): Promise<void> {
  if ((await listReports(table, spId, { limit: 1 })).records.length > 0) return;
  const to = table.clock.now();
  const from = new Date(to.getTime() - reportedDays * dayMs);
  const window = { from: from.toISOString(), to: to.toISOString() };
  const { id } = await createAccessReport(table, spId, window, { clientId });
  await make(JSON.stringify({ sp_id: spId, report_id: id }));
}
