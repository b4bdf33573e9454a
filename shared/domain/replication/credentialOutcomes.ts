import { hash } from "node:crypto";
import type { Connection } from "../../pos/connector.ts";
import type { Table } from "../../store/client.ts";
import { posTypeKey } from "../../store/keys.ts";

// A key of the service itself with a POS company that is wrong looks like refused credentials, for every business at
// once. So it is noted for each POS type which two businesses were let in last, and which two were refused.

/** A business, by a digest that tells it from another one but does not name it, and when (ISO 8601 UTC). */
interface Mark {
  by: string;
  at: string;
}

/** The item of a POS type: each list has two businesses, the last first. */
interface CredentialOutcomes {
  accepted?: Mark[];
  refused?: Mark[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A business is noted again after so long. */
const stale = 5 * minute;
/** Businesses that are refused within so long are refused at once. */
const atOnce = hour;

/** Whose fault it is that a POS refuses a business's credentials: as long as nobody can know, `undecided`. */
export type RejectionCause = "own" | "service" | "undecided";

type About = Pick<Connection, "crbId" | "posType">;

/** Notes that a business's POS has let it in, or has refused its credentials. What comes at the same time may get lost. */
export async function recordCredentialOutcome(
  table: Table,
  { crbId, posType }: About,
  list: keyof CredentialOutcomes,
  now: Date,
): Promise<void> {
  const by = markOf(crbId);
  const marks = (await read(table, posType))[list] ?? [];
  const [last] = marks;
  if (last?.by === by && now.getTime() - Date.parse(last.at) < stale) return;
  const others = marks.filter((mark) => mark.by !== by);
  await table.update(posTypeKey(posType), { [list]: [{ by, at: now.toISOString() }, ...others].slice(0, 2) });
}

/**
 * Whether it is a business's own credentials that its POS refuses, as it is where others of its type have been let in since;
 * or what all have in common, where others are refused at the same time. Where neither is known, another attempt is
 * waited for; but not for ever, nor where there are no others.
 *
 * @param since when it was refused first
 * @param attempts how often it was, in a row
 */
export async function attributeRejection(
  table: Table,
  { crbId, posType }: About,
  since: Date,
  attempts: number,
): Promise<RejectionCause> {
  const { accepted = [], refused = [] } = await read(table, posType);
  const other = (marks: readonly Mark[]) =>
    Date.parse(marks.find(({ by }) => by !== markOf(crbId))?.at ?? new Date(0).toISOString());
  if (other(accepted) >= since.getTime()) return "own";
  if (other(refused) >= since.getTime() - atOnce) return "service";
  return attempts > 2 || other(accepted) < since.getTime() - day ? "own" : "undecided";
}

async function read(table: Table, posType: string): Promise<CredentialOutcomes> {
  return ((await table.get(posTypeKey(posType), { consistent: true })) ?? {}) as CredentialOutcomes;
}

const markOf = (crbId: string) => hash("sha256", crbId).slice(0, 16);
