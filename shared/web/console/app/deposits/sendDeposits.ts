import { Rejection } from "../../../browser/failures.ts";
import type { Client } from "../client.ts";
import type { Output } from "../operations.ts";
import type { CheckedRow } from "./checkRows.ts";

/** Deposits in one request at most (docs/spec.md#limits). */
const maxInRequest = 1_000;

export type Sent = Output<"storeDeposits">;

/** A part of a file whose deposits the service rejects; the parts before it are stored. */
class RejectedPart extends Error {
  readonly rejection: Rejection;
  readonly part: readonly CheckedRow[];

  constructor(rejection: Rejection, part: readonly CheckedRow[]) {
    super(rejection.message);
    this.rejection = rejection;
    this.part = part;
  }
}

/**
 * Sends the deposits of a business in parts, one after another. A part that was sent before is recognized by its ids, so
 * the same call completes a call that failed.
 *
 * @param sum counts what each part stored, so it is right after a failure, too
 * @throws the failure of the part that failed
 */
export async function sendDeposits(
  client: Client,
  crbId: string,
  rows: readonly CheckedRow[],
  sum: Sent,
): Promise<void> {
  for (let first = 0; first < rows.length; first += maxInRequest) {
    const part = rows.slice(first, first + maxInRequest);
    const deposits = part.flatMap(({ deposit }) => deposit ?? []);
    const { accepted, unchanged, replaced } = await client("storeDeposits", {
      path: { crb_id: crbId },
      body: { deposits },
    }).catch((failure) => {
      throw failure instanceof Rejection && failure.status === 422 ? new RejectedPart(failure, part) : failure;
    });
    sum.accepted += accepted;
    sum.unchanged += unchanged;
    sum.replaced += replaced;
  }
}

/** The rows that the service rejects, with its reasons; undefined if it did not name rows. */
export function rejectedRows(failure: unknown): Map<number, string> | undefined {
  if (!(failure instanceof RejectedPart)) return undefined;
  const { rejection, part } = failure;
  const found = Object.entries(rejection.fields).flatMap(([field, { message }]): [number, string][] => {
    const [, index, name] = /^body\.deposits\.(\d+)(?:\.(\w+))?$/.exec(field) ?? [];
    const row = part[Number(index)];
    return row ? [[row.number, `${name ?? "The row"} ${message}`]] : [];
  });
  return found.length > 0 ? new Map(found) : undefined;
}
