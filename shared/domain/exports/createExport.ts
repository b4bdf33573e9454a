import { randomUUID } from "node:crypto";
import { conflict, notFound, ServiceError } from "../../api/errors.ts";
import { type KindName, kindsByName } from "../../api/kinds.ts";
import type { ExportCreation } from "../../api/schemas/export.ts";
import { toPerson } from "../../api/schemas/person.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { exists, type Table } from "../../store/client.ts";
import { countOnDay, secondsToNextDay } from "../../store/dayCount.ts";
import { type IdempotentRequest, readFirstResponse, rememberWrite } from "../../store/idempotency.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { exportDueKey, exportKey, liveExportsKey } from "../../store/keys/exports.ts";
import { endsWithOf, type Maker } from "../../store/madeWith.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { exportItem, readExport, type StoredExport, waitingItem } from "./storedExport.ts";

/** Maximum number of live exports of a CRB (docs/spec.md#exports). */
const maxLiveExports = 5;
/** Maximum number of exports of a CRB that are created on a UTC day (docs/spec.md#exports). */
const maxPerDay = 20;

/** Milliseconds after its creation until an export expires. */
const life = 7 * 24 * 60 * 60_000;

export interface ExportRequest {
  spId: string;
  crbId: string;
  body: ExportCreation;
  idempotencyKey?: string | undefined;
  /** The requesting caller; null for the operator. */
  createdBy: Maker | null;
}

/**
 * Creates an export. If a request is repeated with the same `Idempotency-Key` within 24 hours, it gets the export of
 * the first request in its present state.
 *
 * @throws ServiceError "notFound" if the association has ended; "throttled" at the limit of the day, with the seconds
 *   to the next day; "conflict" at the limit of live exports; "invalid" if the key was sent with another body;
 *   "unauthorized" if the credential or its key has ended meanwhile
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
    const now = clock.now();
    const created = newExport({ spId, crbId, kinds, format, createdBy }, now);
    const remembered = { crbId, answer: created.id };
    const association = table.checkWrite(associationKey(spId, crbId), exists);
    const added = table.updateWrite(
      liveExportsKey(crbId),
      { expression: "ADD ids :one", values: { ":one": new Set([created.id]), ":max": maxLiveExports } },
      "attribute_not_exists(ids) OR size(ids) < :max",
    );
    const counted = countOnDay(table, exportKey(crbId, "").pk, maxPerDay, now);
    const writes = [
      table.putWrite(exportItem(created)),
      table.putWrite(waitingItem(created)),
      table.putWrite({ ...exportDueKey(created.due, crbId, created.id) }),
      ...(request ? [rememberWrite(table, request, remembered, now)] : []),
    ];
    try {
      await withActiveCredential(table, createdBy, 3, (check) =>
        table.transact([association, counted, added, ...check, ...writes]),
      );
    } catch (error) {
      if (isUnmet(error, 0)) throw notFound("CRB");
      if (isUnmet(error, 1) || isUnmet(error, 2)) {
        // A concurrent request with the same key may have created the last permitted export.
        const same = request && (await readFirstResponse(table, request, clock.now()));
        const stored = same && (await readExport(table, crbId, same.answer, clock.now()));
        if (stored) return stored;
        if (isUnmet(error, 1)) throw usedUp(now);
        throw conflict("export_limit", `The CRB has ${maxLiveExports} live exports, the maximum. Delete one of them.`);
      }
      throw error;
    }
    return created;
  });
}

const usedUp = (now: Date) =>
  new ServiceError("throttled", {
    code: "export_day_limit",
    message: `A CRB has ${maxPerDay} new exports a UTC day at most, deleted ones included. Try again after Retry-After.`,
    retryAfter: secondsToNextDay(now),
  });

type NewExport = Pick<ExportRequest, "spId" | "crbId" | "createdBy"> & Pick<StoredExport, "kinds" | "format">;

function newExport({ spId, crbId, kinds, format, createdBy }: NewExport, now: Date): StoredExport {
  return {
    ...{ crb_id: crbId, id: randomUUID(), sp_id: spId, version: 1, status: "queued", error: null, kinds, format },
    ...{ created_at: now.toISOString(), created_by: createdBy?.clientId ?? null },
    ...{ created_by_person: toPerson(createdBy?.person), ...endsWithOf(createdBy) },
    ...{ expires_at: new Date(now.getTime() + life).toISOString(), started_at: null, due: now.toISOString() },
    ...{ held_until: 0, failures: 0, progress: [], parts: [] },
  };
}
