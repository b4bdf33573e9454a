import { readFileSync } from "node:fs";
import { issueCredential } from "../../shared/access/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../shared/access/scopes.ts";
import type { Table } from "../../shared/table/client.ts";
import { createCrb, putServiceProvider } from "../../shared/table/crbs.ts";
import { credentialKey } from "../../shared/table/keys.ts";
import { type DemoBusiness, demoBusinesses, demoServiceProvider } from "./demoBusinesses.ts";
import { writeAtomically } from "./writeAtomically.ts";

interface CredentialPair {
  client_id: string;
  client_secret: string;
}

/** What a caller needs to know of the local stage; the content of stage.json, less the base URL. */
export interface Demo {
  service_provider: CredentialPair & { sp_id: string };
  crbs: (CredentialPair & { crb_id: string; name: string; pos_type: string | null; business_type: string | null })[];
}

/**
 * Sees that the demo service provider, its CRBs and a credential for each of them exist. What an interrupted or an
 * earlier start has made stays as it is.
 *
 * @param file keeps the secrets, of which the table has only digests
 */
export async function prepareDemo(table: Table, file: string): Promise<Demo> {
  await putServiceProvider(table, demoServiceProvider);
  // One after the other: their order in the list of CRBs is the order of their creation.
  for (const business of demoBusinesses) await createBusiness(table, business, new Date().toISOString());
  const spId = demoServiceProvider.id;
  const credentials = await readPairs(table, file);
  const pairOf = async (owner: { kind: "serviceProvider" | "crb"; id: string }): Promise<CredentialPair> => {
    const known = credentials.get(owner.id);
    if (known) return known;
    const scopes = owner.kind === "crb" ? crbScopes : serviceProviderScopes;
    const { client_id, secret } = await issueCredential(table, { owner, spId, scopes });
    const pair = { client_id, client_secret: secret };
    credentials.set(owner.id, pair);
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
  return demo;
}

async function createBusiness(table: Table, { record, posType }: DemoBusiness, now: string): Promise<void> {
  await createCrb(table, {
    record: {
      ...record,
      status: posType ? "svc_approved" : "svc_pending",
      pos_configs: posType ? [{ name: posType, updated_date: now, status: "Connected" }] : [],
    },
    serviceProviderId: demoServiceProvider.id,
    connection: posType ? { posType, locationId: null, connectedAt: now } : null,
  });
}

/** The pairs written down earlier whose credential is in this table, by the id of their owner. */
async function readPairs(table: Table, file: string): Promise<Map<string, CredentialPair>> {
  let written: [string, CredentialPair][] = [];
  try {
    written = Object.entries(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Nothing written yet.
  }
  const items = await table.batchGet(written.map(([, pair]) => credentialKey(pair.client_id)));
  const stored = new Set([...items.values()].map((item) => item.pk));
  return new Map(written.filter(([, pair]) => stored.has(credentialKey(pair.client_id).pk)));
}
