import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { v5 } from "uuid";
import { invalid, notFound } from "../../api/errors.ts";
import { keyedDigest } from "../../platform/crypto/serviceKey.ts";
import type { Item, Table } from "../../store/client.ts";
import { associationKey, idempotencyKey } from "../../store/keys/crbs.ts";

/** How long a creation is known by its `Idempotency-Key`, in seconds (docs/spec.md#idempotency). */
const lifetime = 24 * 60 * 60;

/** Fixed for ever: another namespace would give a repeated creation another id. */
const namespace = "4b1f0a6e-8d27-4c95-b3e1-70c9d2a5f684";

/** A request that carries an `Idempotency-Key`. */
export interface IdempotentRequest {
  spId: string;
  key: string;
  /** The valid body, which may hold secrets; only a keyed digest of it is stored. */
  body: unknown;
}

/** What a request did the first time. */
interface FirstAnswer {
  crbId: string;
  /** JSON text */
  answer: string;
}

interface Remembered {
  crb_id: string;
  digest: string;
  answer: string;
  /** Epoch seconds; also the attribute by which DynamoDB removes the item some time later. */
  expires: number;
}

const epochSeconds = (now: Date) => Math.floor(now.getTime() / 1000);

/** The id of the CRB that a request creates: the same one whichever of its repetitions gets there first. */
export const crbIdOf = ({ spId, key }: IdempotentRequest): string => v5(JSON.stringify([spId, key]), namespace);

/**
 * What the same request did before, within its time.
 *
 * @throws ServiceError "invalid" when it had another body; "notFound" when the association of what it created has ended
 */
export async function readFirstResponse(
  table: Table,
  request: IdempotentRequest,
  now: Date,
): Promise<FirstAnswer | undefined> {
  const key = idempotencyKey(request.spId, request.key);
  const item = (await table.get(key, { consistent: true })) as (Item & Remembered) | undefined;
  if (!item || item.expires <= epochSeconds(now)) return undefined;
  if (item.digest !== digestOf(request)) {
    throw invalid({ "header.idempotency-key": { message: "was sent before with another body" } });
  }
  const association = associationKey(request.spId, item.crb_id);
  if (!(await table.get(association, { consistent: true }))) throw notFound();
  return { crbId: item.crb_id, answer: item.answer };
}

/** What remembers a request's answer, for the transaction that does what is answered; refused when another one did. */
export function rememberWrite(
  table: Table,
  request: IdempotentRequest,
  { crbId, answer }: FirstAnswer,
  now: Date,
): TransactWriteItem {
  const expires = epochSeconds(now) + lifetime;
  const remembered: Remembered = { crb_id: crbId, digest: digestOf(request), answer, expires };
  return table.putWrite(
    { ...idempotencyKey(request.spId, request.key), ...remembered },
    {
      expression: "attribute_not_exists(pk) OR expires <= :now",
      values: { ":now": epochSeconds(now) },
    },
  );
}

/** Digest of a body whatever the order of its fields. */
function digestOf({ spId, body }: IdempotentRequest): string {
  const text = JSON.stringify(body, (_name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return keyedDigest(`idempotency of ${spId}`, text).toString("hex");
}
