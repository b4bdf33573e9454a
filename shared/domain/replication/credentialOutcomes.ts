import { hash } from "node:crypto";
import type { Connection } from "../../pos/connector.ts";
import type { Table } from "../../store/client.ts";
import { posTypeKey } from "../../store/keys/replication.ts";

// If the service's own key for a POS type is wrong, the POS rejects the requests of every CRB. To tell this from wrong
// credentials of one CRB, each POS type has an item. The item holds the last two CRBs that the POS accepted, and the last two
// CRBs that the POS rejected.

/** A CRB, as a digest that does not reveal its id (`by`), and the time of its last outcome (`at`, ISO 8601 UTC). */
interface CredentialOutcome {
  by: string;
  at: string;
}

/** The item of a POS type. Each list has at most two CRBs, the latest first. */
export interface CredentialOutcomes {
  accepted?: CredentialOutcome[];
  refused?: CredentialOutcome[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/**
 * If the latest outcome in a list is from the same CRB, the next outcome is written only after this time (ms). The same holds if
 * two other CRBs were accepted within this time.
 */
const recordIntervalMs = 5 * minute;
/** Rejections of several CRBs within this time (ms) are taken to have one common cause. */
const coincidenceMs = hour;

/** The cause of a rejection: the CRB's own credentials, or a key of the service. */
export type RejectionCause = "own" | "service" | "undecided";

type About = Pick<Connection, "crbId" | "posType">;

/**
 * Records that the POS accepted or rejected a CRB's credentials. If two calls are concurrent, one may overwrite the outcome of
 * the other.
 *
 * @param outcomes as read before the run. An outdated value only makes this call write too often or too rarely
 */
export async function recordCredentialOutcome(
  table: Table,
  { crbId, posType }: About,
  outcomes: CredentialOutcomes,
  list: keyof CredentialOutcomes,
  now: Date,
): Promise<void> {
  const by = markOf(crbId);
  const marks = outcomes[list] ?? [];
  const [last] = marks;
  const isRecent = ({ at }: CredentialOutcome) => now.getTime() - Date.parse(at) < recordIntervalMs;
  if (last?.by === by && isRecent(last)) return;
  // Two recent outcomes already show that the POS accepts other CRBs.
  if (list === "accepted" && marks.length === 2 && marks.every(isRecent)) return;
  const others = marks.filter((mark) => mark.by !== by);
  await table.update(posTypeKey(posType), { [list]: [{ by, at: now.toISOString() }, ...others].slice(0, 2) });
}

/**
 * Decides the cause of a rejection, by the first rule that holds:
 *
 * 1. `own` if the POS has accepted another CRB of the type since the first rejection.
 * 2. `service` if the POS has rejected another CRB of the type since an hour before the first rejection.
 * 3. `own` if this is at least the third rejection in a row, or no other CRB was accepted in the day before the first
 *   rejection.
 * 4. `undecided` otherwise.
 *
 * @param since the time of the first rejection
 * @param attempts the number of rejections in a row
 */
export async function attributeRejection(
  table: Table,
  { crbId, posType }: About,
  since: Date,
  attempts: number,
): Promise<RejectionCause> {
  const item = (await table.get(posTypeKey(posType), { consistent: true })) ?? {};
  const { accepted = [], refused = [] } = item as CredentialOutcomes;
  const other = (marks: readonly CredentialOutcome[]) =>
    Date.parse(marks.find(({ by }) => by !== markOf(crbId))?.at ?? new Date(0).toISOString());
  if (other(accepted) >= since.getTime()) return "own";
  if (other(refused) >= since.getTime() - coincidenceMs) return "service";
  return attempts > 2 || other(accepted) < since.getTime() - day ? "own" : "undecided";
}

const markOf = (crbId: string) => hash("sha256", crbId).slice(0, 16);
