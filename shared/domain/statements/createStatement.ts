import { randomUUID } from "node:crypto";
import { conflict, invalid, notFound, ServiceError } from "../../api/errors.ts";
import { type PersonName, toPerson } from "../../api/schemas/person.ts";
import type { StatementCreation } from "../../api/schemas/statement.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { exists, type Table } from "../../store/client.ts";
import { countOnDay, secondsToNextDay } from "../../store/dayCount.ts";
import { type IdempotentRequest, readFirstResponse, rememberWrite } from "../../store/idempotency.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { statementDueKey, statementsPartition, storedStatementsKey } from "../../store/keys/statements.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { readStatement, type StoredStatement, statementItem } from "./storedStatement.ts";

/** Maximum number of statements of a CRB that did not fail (docs/spec.md#limits). */
const maxStored = 200;
/** Maximum number of statements of a CRB that are created on a UTC day (docs/spec.md#limits). */
const maxPerDay = 20;

export interface StatementRequest {
  spId: string;
  crbId: string;
  body: StatementCreation;
  idempotencyKey?: string | undefined;
  /** The credential that requests it, and the person who uses it; the client id is null for the operator. */
  by: { clientId: string | null; person?: PersonName | undefined };
}

/**
 * Creates a statement that a worker then makes. If a request is repeated with the same `Idempotency-Key` within 24 hours, it gets
 * the statement of the first request in its present state.
 *
 * @throws ServiceError "notFound" if the association has ended; "throttled" at the limit of the day, with the seconds to the next
 *   day; "conflict" at the limit of stored statements; "invalid" if `compare_with` is no ready statement of the same days, or the
 *   key was sent with another body; "unauthorized" if the credential is revoked meanwhile
 */
export async function createStatement(
  table: Table,
  { spId, crbId, body, idempotencyKey, by }: StatementRequest,
  clock: Clock = systemClock,
): Promise<StoredStatement> {
  const request: IdempotentRequest | undefined =
    idempotencyKey === undefined
      ? undefined
      : { spId, key: idempotencyKey, body: { operation: "createStatement", crb_id: crbId, ...body } };
  return retryOnConflict(clock, async () => {
    const repeated = request && (await readRepeated(table, request, crbId, clock));
    if (repeated) return repeated;
    if (body.compare_with !== undefined) await checkComparison(table, crbId, body, body.compare_with);
    const now = clock.now();
    const created = newStatement({ spId, crbId, body, by }, now);
    const counted = countOnDay(table, statementsPartition(crbId), maxPerDay, now);
    const stored = table.updateWrite(
      storedStatementsKey(crbId),
      { expression: "ADD kept :one", values: { ":one": 1, ":max": maxStored } },
      "attribute_not_exists(kept) OR kept < :max",
    );
    const writes = [
      table.putWrite(statementItem(created)),
      table.putWrite({ ...statementDueKey(created.created_date, crbId, created.id) }),
      ...(request ? [rememberWrite(table, request, { crbId, answer: created.id }, now)] : []),
    ];
    const association = table.checkWrite(associationKey(spId, crbId), exists);
    try {
      await withActiveCredential(table, by.clientId === null ? null : { clientId: by.clientId }, 3, (check) =>
        table.transact([association, counted, stored, ...check, ...writes]),
      );
    } catch (error) {
      if (isUnmet(error, 0)) throw notFound("CRB");
      if (isUnmet(error, 1) || isUnmet(error, 2)) {
        // A concurrent request with the same key may have created the last permitted statement.
        const same = request && (await readRepeated(table, request, crbId, clock));
        if (same) return same;
        if (isUnmet(error, 1)) throw usedUp(now);
        const message = `A CRB can have ${maxStored} statements. They stay until the CRB is purged.`;
        throw conflict("statement_limit", message);
      }
      throw error;
    }
    return created;
  });
}

async function readRepeated(table: Table, request: IdempotentRequest, crbId: string, clock: Clock) {
  const first = await readFirstResponse(table, request, clock.now());
  if (!first) return undefined;
  const stored = await readStatement(table, crbId, first.answer, clock.now());
  if (!stored) throw notFound("statement");
  return stored;
}

async function checkComparison(
  table: Table,
  crbId: string,
  { start_date, end_date }: StatementCreation,
  other: string,
): Promise<void> {
  const stored = await readStatement(table, crbId, other);
  if (stored?.status === "ready" && stored.start_date === start_date && stored.end_date === end_date) return;
  throw invalid({ "body.compare_with": { message: "must be a ready statement of the same days" } });
}

const usedUp = (now: Date) =>
  new ServiceError("throttled", {
    code: "statement_day_limit",
    message: `A CRB has ${maxPerDay} new statements a UTC day at most. Try again after Retry-After.`,
    retryAfter: secondsToNextDay(now),
  });

function newStatement({ spId, crbId, body, by }: Omit<StatementRequest, "idempotencyKey">, now: Date): StoredStatement {
  const { start_date, end_date, format, compare_with = null } = body;
  return {
    ...{ id: randomUUID(), crb_id: crbId, sp_id: spId, version: 1 },
    ...{ start_date, end_date, format, compare_with },
    ...{ status: "queued", error: null, created_date: now.toISOString(), created_by: by.clientId },
    created_by_person: toPerson(by.person),
    ...{ as_of: null, sha256: null, files: [], held_until: 0, attempts: 0 },
  };
}
