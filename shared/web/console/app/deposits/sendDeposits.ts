import { Rejection } from "../../../browser/failures.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { inDollars } from "../format.ts";
import type { Client, Output } from "../operations.ts";
import type { CheckedRow, Deposit } from "./checkRows.ts";

/** Deposits in one request at most (docs/spec.md#limits). */
const maxInRequest = 1_000;

export type Sent = Output<"storeDeposits">;

/** Rows that the service rejects, with its reasons by their numbers. The parts of the file before them are stored. */
export class RejectedRows extends Error {
  readonly reasons: ReadonlyMap<number, string>;

  constructor(reasons: ReadonlyMap<number, string>) {
    super("The service rejects some rows. They are the first ones below; send the other rows now.");
    this.reasons = reasons;
  }
}

/**
 * Sends the deposits of a business in parts, one after another. A part that was sent before is recognized by its ids, so
 * the same call completes a call that failed.
 *
 * @param sum counts what each part stored, so it is right after a failure, too
 * @param stored is called after each part
 * @throws RejectedRows, or the failure of the part that failed
 */
export async function sendDeposits(
  client: Client,
  crbId: string,
  rows: readonly CheckedRow[],
  sum: Sent,
  stored: () => void,
): Promise<void> {
  for (let first = 0; first < rows.length; first += maxInRequest) {
    const part = rows.slice(first, first + maxInRequest);
    const deposits = part.flatMap(({ deposit }) => deposit ?? []);
    const request = client("storeDeposits", { path: { crb_id: crbId }, body: { deposits } });
    const { accepted, unchanged, replaced } = await request.catch((failure) => {
      const reasons = reasonsIn(failure, part);
      throw reasons.size > 0 ? new RejectedRows(reasons) : failure;
    });
    sum.accepted += accepted;
    sum.unchanged += unchanged;
    sum.replaced += replaced;
    stored();
  }
}

/** The reasons for the rows of a part that the service rejects; empty if the failure names none. */
function reasonsIn(failure: unknown, part: readonly CheckedRow[]): Map<number, string> {
  const fields = failure instanceof Rejection && failure.status === 422 ? failure.fields : {};
  const found = Object.entries(fields).flatMap(([field, { message }]): [number, string][] => {
    const [, index, name] = /^body\.deposits\.(\d+)(?:\.(\w+))?$/.exec(field) ?? [];
    const row = part[Number(index)];
    return row ? [[row.number, `${name ?? "The row"} ${message}`]] : [];
  });
  return new Map(found);
}

/** The stored state of a row, with the stored amount of a changed one in words. */
export type StoredState = readonly [state: "new" | "changed" | "unchanged", words?: string];

/**
 * Compares rows with the stored deposits of their days. A row whose deposit is stored on a day out of all of these counts as
 * new.
 *
 * @param rows the rows to send, by `crb_id`
 * @returns the state of each row, by its number
 */
export async function compareWithStored(
  client: Client,
  rows: ReadonlyMap<string, readonly CheckedRow[]>,
): Promise<Map<number, StoredState>> {
  const states = new Map<number, StoredState>();
  for (const [crb_id, its] of rows) {
    const days = its.flatMap(({ deposit }) => deposit?.business_date ?? deposit?.posted_date ?? []).sort();
    const window = { start_date: days[0] ?? "", end_date: days.at(-1) ?? "", limit: 1_000 };
    const stored = new Map<string, Output<"listDeposits">["data"][number]>();
    let cursor: string | undefined;
    do {
      const page = await client("listDeposits", {
        path: { crb_id },
        query: { ...window, ...(cursor !== undefined && { cursor }) },
      });
      for (const each of page.data) stored.set(each.id, each);
      cursor = page.has_more ? page.cursor : undefined;
    } while (cursor);
    for (const { number, deposit } of its) if (deposit) states.set(number, stateOf(deposit, stored.get(deposit.id)));
  }
  return states;
}

function stateOf(deposit: Deposit, stored: Output<"listDeposits">["data"][number] | undefined): StoredState {
  if (!stored) return ["new"];
  const isSame =
    stored.amount === deposit.amount &&
    stored.type === deposit.type &&
    stored.posted_date === deposit.posted_date &&
    stored.business_date === (deposit.business_date ?? null) &&
    stored.excluded_reason === null;
  return isSame
    ? ["unchanged"]
    : ["changed", `was ${inDollars(stored.amount)} on ${formatShortDay(stored.posted_date)}`];
}
