import { randomUUID } from "node:crypto";
import { conflict, notFound } from "../../api/errors.ts";
import { type KindName, kindsByName } from "../../api/kinds.ts";
import type { ExportCreation } from "../../api/schemas/export.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { exists, type Table } from "../../store/client.ts";
import { type IdempotentRequest, readFirstResponse, rememberWrite } from "../../store/idempotency.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { exportDueKey, liveExportsKey } from "../../store/keys/exports.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { exportItem, readExport, type StoredExport } from "./storedExport.ts";

/** Maximum number of live exports of a CRB (docs/spec.md#exports). */
const maxLiveExports = 5;

const day = 24 * 60 * 60_000;
/** Milliseconds after its creation until an export expires. */
const life = 7 * day;
/** Milliseconds after its creation for which an export is listed. */
const listedFor = 14 * day;

export interface ExportRequest {
  spId: string;
  crbId: string;
  body: ExportCreation;
  idempotencyKey?: string | undefined;
  /** Client id of the requesting credential; null for the operator. */
  createdBy: string | null;
}

/**
 * Creates an export. If a request is repeated with the same `Idempotency-Key` within 24 hours, it gets the export of the
 * first request in its present state.
 *
 * @throws ServiceError "notFound" if the association has ended; "conflict" at the limit of live exports; "invalid" if the
 *   key was sent with another body; "unauthorized" if the credential is revoked meanwhile
 */
export async function createExport(
  table: Table,
  { spId, crbId, body, idempotencyKey, createdBy }: ExportRequest,
  clock: Clock = systemClock,
): Promise<StoredExport> {
  const { format } = body;
  // The order of the kinds has no meaning, so two orders are the same request.
  const kinds = (Object.keys(kindsByName) as KindName[]).filter((kind) => body.kinds.includes(kind));
  const request: IdempotentRequest | undefined =
    idempotencyKey === undefined
      ? undefined
      : { spId, key: idempotencyKey, body: { operation: "createExport", crb_id: crbId, kinds, format } };
  return retryOnConflict(clock, async () => {
    const first = request && (await readFirstResponse(table, request, clock.now()));
    if (first) {
      const stored = await readExport(table, crbId, first.answer, clock.now());
      if (!stored) throw notFound("export");
      return stored;
    }
    const created = newExport({ spId, crbId, kinds, format, createdBy }, clock.now());
    const remembered = { crbId, answer: created.id };
    const association = table.checkWrite(associationKey(spId, crbId), exists);
    const added = table.updateWrite(
      liveExportsKey(crbId),
      { expression: "ADD ids :one", values: { ":one": new Set([created.id]), ":max": maxLiveExports } },
      "attribute_not_exists(ids) OR size(ids) < :max",
    );
    const writes = [
      table.putWrite(exportItem(created)),
      table.putWrite({ ...exportDueKey(created.due, crbId, created.id) }),
      ...(request ? [rememberWrite(table, request, remembered, clock.now())] : []),
    ];
    try {
      await withActiveCredential(table, createdBy, 2, (check) =>
        table.transact([association, added, ...check, ...writes]),
      );
    } catch (error) {
      if (isUnmet(error, 0)) throw notFound("CRB");
      if (isUnmet(error, 1)) {
        // A concurrent request with the same key may have created the last permitted export.
        const same = request && (await readFirstResponse(table, request, clock.now()));
        const stored = same && (await readExport(table, crbId, same.answer, clock.now()));
        if (stored) return stored;
        throw conflict("export_limit", `The CRB has ${maxLiveExports} live exports, the maximum. Delete one of them.`);
      }
      throw error;
    }
    return created;
  });
}

function newExport(
  {
    spId,
    crbId,
    kinds,
    format,
    createdBy,
  }: Pick<ExportRequest, "spId" | "crbId" | "createdBy"> & Pick<StoredExport, "kinds" | "format">,
  now: Date,
): StoredExport {
  return {
    crb_id: crbId,
    id: randomUUID(),
    sp_id: spId,
    version: 1,
    status: "queued",
    error: null,
    kinds,
    format,
    created_at: now.toISOString(),
    created_by: createdBy,
    expires_at: new Date(now.getTime() + life).toISOString(),
    due: now.toISOString(),
    held_until: 0,
    failures: 0,
    progress: [],
    parts: [],
    expires: Math.floor((now.getTime() + listedFor) / 1_000),
  };
}
