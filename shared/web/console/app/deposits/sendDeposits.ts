import { Rejection } from "../../../browser/failures.ts";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { addDays, counted, inDollars } from "../format.ts";
import type { Client, Output } from "../operations.ts";
import { depositName, excludedReason } from "../texts.ts";
import type { CheckedRow, Deposit } from "./checkRows.ts";

/** Deposits in one request at most (docs/spec.md#limits). */
const maxInRequest = 1_000;

/** Days before the first day of a file from which on stored deposits are read. That covers ids that begin again each year. */
const daysBefore = 400;

export type Sent = Output<"storeDeposits">;
type Stored = Output<"listDeposits">["data"][number];

/** An upload that ends before all rows are sent. The parts of the file before are stored. */
export class EndedUpload extends Error {
  /** The reasons for the rows that the service rejects, by their numbers. */
  readonly reasons: ReadonlyMap<number, string>;

  constructor(message: string, reasons: ReadonlyMap<number, string> = new Map()) {
    super(message);
    this.reasons = reasons;
  }
}

/** A row next to the stored deposit of its id. */
export interface ComparedRow {
  number: number;
  /** The content to send: the row, and facts about the stored posting that no file states. */
  deposit: Deposit;
  /** `moved` if the stored posting is of another day, so its id may belong to two postings. */
  state: "new" | "changed" | "moved" | "unchanged";
  /** How the stored deposit differs. */
  words?: string;
}

/**
 * Sends the deposits of a business in parts, one after another. A part that was sent before is recognized by its ids, so
 * the same call completes a call that failed.
 *
 * @param sum counts what each part stored, so it is right after a failure, too
 * @param stored is called after each part
 * @throws EndedUpload, or the failure of the part that failed
 */
export async function sendDeposits(
  client: Client,
  crbId: string,
  rows: readonly ComparedRow[],
  sum: Sent,
  stored: () => void,
): Promise<void> {
  for (let first = 0; first < rows.length; first += maxInRequest) {
    const part = rows.slice(first, first + maxInRequest);
    const deposits = part.map(({ deposit }) => deposit);
    const request = client("storeDeposits", { path: { crb_id: crbId }, body: { deposits } });
    const { accepted, unchanged, replaced } = await request.catch((failure) => {
      const reasons = reasonsIn(failure, part);
      throw reasons.size > 0
        ? new EndedUpload(
            "The service rejects some rows. They are the first ones below; send the other rows now.",
            reasons,
          )
        : failure;
    });
    sum.accepted += accepted;
    sum.unchanged += unchanged;
    sum.replaced += replaced;
    stored();
    const more = replaced - part.filter(({ state }) => state === "changed" || state === "moved").length;
    if (more > 0)
      throw new EndedUpload(
        `${counted(more, "row")} more than shown replaced a stored posting. Check the ids before you send the rows again.`,
      );
  }
}

/** The reasons for the rows of a part that the service rejects; empty if the failure names none. */
function reasonsIn(failure: unknown, part: readonly ComparedRow[]): Map<number, string> {
  const fields = failure instanceof Rejection && failure.status === 422 ? failure.fields : {};
  const found = Object.entries(fields).flatMap(([field, { message }]): [number, string][] => {
    const [, index, name] = /^body\.deposits\.(\d+)(?:\.(\w+))?$/.exec(field) ?? [];
    const row = part[Number(index)];
    return row ? [[row.number, `${name ?? "The row"} ${message}`]] : [];
  });
  return new Map(found);
}

/** The first day from which on stored deposits are compared with rows. @param rows at least one with a deposit */
export function firstCompared(rows: readonly CheckedRow[]): string {
  const days = rows.flatMap(({ deposit }) => (deposit ? [deposit.business_date ?? deposit.posted_date] : []));
  return addDays(days.sort()[0] ?? "", -daysBefore);
}

/** Reads the deposits of businesses from a day on. @returns the deposits by id, by `crb_id` */
export async function readStoredDeposits(
  client: Client,
  crbIds: readonly string[],
  start_date: string,
): Promise<Map<string, Map<string, Stored>>> {
  const found = new Map<string, Map<string, Stored>>();
  for (const crb_id of crbIds) {
    const stored = new Map<string, Stored>();
    let cursor: string | undefined;
    do {
      const query = { start_date, limit: 1_000, ...(cursor !== undefined && { cursor }) };
      const page = await client("listDeposits", { path: { crb_id }, query });
      for (const each of page.data) stored.set(each.id, each);
      cursor = page.has_more ? page.cursor : undefined;
    } while (cursor);
    found.set(crb_id, stored);
  }
  return found;
}

/**
 * Compares a row with the stored deposit of its id, which it replaces. Files have no reasons for exclusion, and few have
 * business days. So those of the same posting stay.
 */
export function compareRow({ number, texts }: CheckedRow, deposit: Deposit, stored?: Stored): ComparedRow {
  if (!stored) return { number, deposit, state: "new" };
  const { posted_date, business_date: day, excluded_reason: reason } = stored;
  const isMoved = posted_date !== deposit.posted_date;
  const sent: Deposit = {
    ...deposit,
    ...(day && !isMoved && texts.business_date === undefined && { business_date: day }),
    ...(reason && !isMoved && { excluded_reason: reason }),
  };
  const reasonWords = reason && excludedReason(reason).toLowerCase();
  const was = [
    stored.amount !== sent.amount && inDollars(stored.amount),
    stored.type !== sent.type && depositName(stored.type),
    isMoved && `posted ${formatShortDay(posted_date)}`,
    day !== (sent.business_date ?? null) && (day ? `of business day ${formatShortDay(day)}` : "without a business day"),
    reason && isMoved && `left out as ${reasonWords}, and would count now`,
  ].filter(Boolean);
  const words = [was.length > 0 && `was ${was.join(", ")}`, reason && !isMoved && `does not count: ${reasonWords}`];
  return {
    ...{ number, deposit: sent, words: words.filter(Boolean).join("; ") },
    state: isMoved ? "moved" : was.length > 0 ? "changed" : "unchanged",
  };
}
