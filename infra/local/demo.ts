import { readFileSync } from "node:fs";
import { issueCredential } from "../../shared/auth/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../shared/auth/scopes.ts";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { createExport } from "../../shared/domain/exports/createExport.ts";
import { readExports } from "../../shared/domain/exports/storedExport.ts";
import { newAnswersItem } from "../../shared/domain/onboarding/answers.ts";
import { publishedTemplate, putTemplate } from "../../shared/domain/onboarding/templates.ts";
import { applyPosConfigMove } from "../../shared/pos/posConfigStatus.ts";
import type { Table } from "../../shared/store/client.ts";
import { createCrb, putServiceProvider, readCrb } from "../../shared/store/crbs.ts";
import { credentialKey } from "../../shared/store/keys/credentials.ts";
import { answersKey } from "../../shared/store/keys/onboarding.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { type DemoBusiness, demoBusinesses, demoServiceProvider } from "./demoBusinesses.ts";
import { prepareDocuments } from "./demoDocuments.ts";
import { prepareInvitation } from "./demoInvitation.ts";
import { prepareLicenses } from "./demoLicenses.ts";
import { demoTemplate } from "./demoTemplate.ts";

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
    demo.crbs.push({
      crb_id: id,
      name,
      pos_type: posType,
      business_type,
      ...(await pairOf({ kind: "crb", id })),
    });
  }
  // A credential to revoke; no sample uses it.
  await pairOf({ kind: "serviceProvider", id: spId }, "Former report");
  return demo;
}

/**
 * Creates the demo's documents, licenses and exports, which takes longer than `prepareDemo`. The schedule of the stage
 * then runs the exports.
 *
 * @param bucket stores the documents
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
    const request = { spId: sp_id, crbId: record.id, body, createdBy: client_id };
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
