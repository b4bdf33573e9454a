import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { v5 } from "uuid";
import { invalid, notFound } from "../api/errors.ts";
import { keyedDigest } from "../platform/crypto/serviceKey.ts";
import type { Item, Table } from "./client.ts";
import { associationKey, idempotencyKey } from "./keys/crbs.ts";

/** Lifetime of an `Idempotency-Key` in seconds (docs/spec.md#idempotency). */
const lifetime = 24 * 60 * 60;

/** Never change this value. With another namespace, a repeated request would get a different CRB id from the first request. */
const namespace = "4b1f0a6e-8d27-4c95-b3e1-70c9d2a5f684";

export interface IdempotentRequest {
  spId: string;
  key: string;
  /** The validated body. The body may contain secrets, so only a keyed digest of it is stored. */
  body: unknown;
}

interface FirstAnswer {
  /** The CRB that the request created or concerned; a repetition is rejected once its association has ended. */
  crbId?: string | undefined;
  /** A text, usually JSON, from which the response is made again. */
  answer: string;
}

const epochSeconds = (now: Date) => Math.floor(now.getTime() / 1000);

/** The id of the CRB that a request creates. All repetitions get the same id. */
export const crbIdOf = ({ spId, key }: IdempotentRequest): string => v5(JSON.stringify([spId, key]), namespace);

/**
 * Reads the response to an earlier request with the same key; undefined if there is none within the lifetime of the key.
 *
 * @throws ServiceError "invalid" if the first request had another body; "notFound" if the association of its CRB has ended
 */
export async function readFirstResponse(
  table: Table,
  request: IdempotentRequest,
  now: Date,
): Promise<FirstAnswer | undefined> {
  const key = idempotencyKey(request.spId, request.key);
  const item = await table.get(key, { consistent: true });
  // DynamoDB deletes the item some time after its expiry.
  if (!item || Number(item.expires) <= epochSeconds(now)) return undefined;
  if (item.digest !== digestOf(request)) {
    throw invalid({ "header.idempotency-key": { message: "was sent before in another request; use a new key" } });
  }
  const { crb_id: crbId, answer } = item as Item & { crb_id?: string; answer: string };
  if (crbId !== undefined && !(await table.get(associationKey(request.spId, crbId), { consistent: true }))) {
    throw notFound("CRB");
  }
  return { crbId, answer };
}

/** A write that stores the response to a request. The transaction fails if a response with the same key is already stored. */
export function rememberWrite(
  table: Table,
  request: IdempotentRequest,
  { crbId, answer }: FirstAnswer,
  now: Date,
): TransactWriteItem {
  const seconds = epochSeconds(now);
  const remembered = { crb_id: crbId, digest: digestOf(request), answer, expires: seconds + lifetime };
  const isFree = { expression: "attribute_not_exists(pk) OR expires <= :now", values: { ":now": seconds } };
  return table.putWrite({ ...idempotencyKey(request.spId, request.key), ...remembered }, isFree);
}

/** The keyed digest of a body, independent of the order of its fields. */
function digestOf({ spId, body }: IdempotentRequest): string {
  const text = JSON.stringify(body, (_name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return keyedDigest(`idempotency of ${spId}`, text).toString("hex");
}
