import { createHash } from "node:crypto";
import type { ApiClient } from "./apiClient.ts";
import { type ChangeStore, type CrbIds, followChanges, type Kinds } from "./followChanges.ts";

/** The fields of a record that its digest covers. */
export interface DatedRecord {
  id: string;
  svc_updated_date?: string;
  svc_created_date?: string;
}

/** A copy that can be verified. */
export interface VerifiableStore extends ChangeStore {
  /** All stored records of a kind, in any order. */
  readRecords(kind: keyof Kinds): Iterable<DatedRecord> | AsyncIterable<DatedRecord>;
}

/** The number of records of a set, and their digest. */
export interface Summary {
  records: number;
  /** 64 hex digits. Null if the operator must rebuild the list first. */
  digest: string | null;
}

/**
 * Computes the digest of records, as `listCrbReplications`, exports and sales days have it. Equal digests prove that no record
 * is missing or outdated.
 */
export async function digestOf(records: Iterable<DatedRecord> | AsyncIterable<DatedRecord>): Promise<Summary> {
  const sums = new Uint32Array(8); // each adds modulo 2^32
  let count = 0;
  for await (const { id, svc_updated_date, svc_created_date } of records) {
    const hash = createHash("sha256")
      .update(`${id} ${svc_updated_date ?? svc_created_date}`)
      .digest();
    sums.forEach((sum, i) => {
      sums[i] = sum + hash.readUInt32BE(4 * i);
    });
    count++;
  }
  return { records: count, digest: Array.from(sums, (sum) => sum.toString(16).padStart(8, "0")).join("") };
}

const maxAttempts = 10;

/**
 * Brings a copy of one kind up to date, and compares its digest with that of the service.
 * @returns whether both are equal, and both summaries
 * @throws Error if the list changes during each of ten attempts
 */
export async function verifyCopy(
  client: ApiClient,
  crb: CrbIds,
  kind: keyof Kinds,
  store: VerifiableStore,
): Promise<{ isComplete: boolean; copy: Summary; service: Summary }> {
  await followChanges(client, crb, kind, store);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { data } =
      crb.sp_id === undefined
        ? await client.get("/crbs/{crb_id}/replications", { params: { path: crb } })
        : await client.get("/service-providers/{sp_id}/crbs/{crb_id}/replications", { params: { path: crb } });
    const listed = data.find((one) => one.kind === kind);
    if (!listed) throw new Error(`${kind}: the service has no replication of this kind`);
    // The digest may include a change that the copy does not have yet.
    if ((await followChanges(client, crb, kind, store)) > 0) continue;
    const copy = await digestOf(store.readRecords(kind));
    const service = { records: listed.records, digest: listed.digest };
    return { isComplete: copy.digest === service.digest, copy, service };
  }
  throw new Error(`${kind}: the list changed during every attempt; verify it later`);
}
