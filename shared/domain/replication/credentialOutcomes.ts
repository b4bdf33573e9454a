import { hash } from "node:crypto";
import type { Connection } from "../../pos/connector.ts";
import type { Table } from "../../store/client.ts";
import { credentialOutcomesKey } from "../../store/keys/replication.ts";

// A wrong key of the service itself looks like rejected credentials of every CRB. So each POS type has an item with the last
// two CRBs whose credentials were accepted, and the last two whose credentials were rejected.

/** A CRB, by a digest that does not reveal its id, and a time (ISO 8601 UTC). */
interface CredentialOutcome {
  by: string;
  at: string;
}

/** The item of a POS type. Each list has at most two CRBs, the latest first. */
interface CredentialOutcomes {
  accepted?: CredentialOutcome[];
  refused?: CredentialOutcome[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Another outcome of the same CRB is written only after this time (ms). */
const recordIntervalMs = 5 * minute;
/** Rejections of several CRBs within this time (ms) have one cause. */
const coincidenceMs = hour;

/** The cause of a rejection: the CRB's own credentials, or a key of the service. */
export type RejectionCause = "own" | "service" | "undecided";

type About = Pick<Connection, "crbId" | "posType">;

/** Records that the POS accepted or rejected a CRB's credentials. Concurrent outcomes can get lost. */
export async function recordCredentialOutcome(
  table: Table,
  { crbId, posType }: About,
  list: keyof CredentialOutcomes,
  now: Date,
): Promise<void> {
  const by = markOf(crbId);
  const marks = (await read(table, posType))[list] ?? [];
  const [last] = marks;
  if (last?.by === by && now.getTime() - Date.parse(last.at) < recordIntervalMs) return;
  const others = marks.filter((mark) => mark.by !== by);
  await table.update(credentialOutcomesKey(posType), {
    [list]: [{ by, at: now.toISOString() }, ...others].slice(0, 2),
  });
}

/**
 * Decides whether a rejection is the CRB's own fault. It is if the POS has accepted another CRB of the type since. It is the
 * service's if the POS rejected another CRB at about the same time. Otherwise it stays undecided for two more attempts, or
 * is the CRB's own if no other CRB of the type was accepted within a day.
 *
 * @param since the first rejection
 * @param attempts the number of rejections in a row
 */
export async function attributeRejection(
  table: Table,
  { crbId, posType }: About,
  since: Date,
  attempts: number,
): Promise<RejectionCause> {
  const { accepted = [], refused = [] } = await read(table, posType);
  const other = (marks: readonly CredentialOutcome[]) =>
    Date.parse(marks.find(({ by }) => by !== markOf(crbId))?.at ?? new Date(0).toISOString());
  if (other(accepted) >= since.getTime()) return "own";
  if (other(refused) >= since.getTime() - coincidenceMs) return "service";
  return attempts > 2 || other(accepted) < since.getTime() - day ? "own" : "undecided";
}

async function read(table: Table, posType: string): Promise<CredentialOutcomes> {
  return ((await table.get(credentialOutcomesKey(posType), { consistent: true })) ?? {}) as CredentialOutcomes;
}

const markOf = (crbId: string) => hash("sha256", crbId).slice(0, 16);
