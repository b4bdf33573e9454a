import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import type { LoggedAccess } from "../../../shared/domain/accessLog/accessLines.ts";

/** A letter to a business whose data requests with a leaked credential received. */
export interface BreachLetter {
  crbId: string;
  text: string;
}

interface LetterFacts {
  /** granted requests with the leaked credential and those that it issued, oldest first */
  entries: readonly LoggedAccess[];
  from: Date;
  to: Date;
  /** parts of the access log that could not be read; requests in them are missing */
  unreadable: number;
  /** the name of a business, or its id if the business is not stored any more */
  nameOf: (crbId: string) => string;
}

const summaries = new Map(
  operationRegistry.flatMap(({ routes, summary }) =>
    routes.map((route) => [route.operationId, route.summary ?? summary] as const),
  ),
);

/**
 * Writes a letter for each business that a successful request concerns, by its path or in its response. A letter counts
 * requests and records. It contains no record, no credential and no source address.
 */
export function breachLetters({ entries, from, to, unreadable, nameOf }: LetterFacts): BreachLetter[] {
  const received = entries.filter(({ status }) => status < 400);
  const crbIds = new Set(received.flatMap(businessesOf));
  return [...crbIds].sort().map((crbId) => {
    const ofCrb = received.filter((entry) => businessesOf(entry).includes(crbId));
    const [first, last] = [ofCrb[0], ofCrb.at(-1)] as [LoggedAccess, LoggedAccess];
    const text = [
      `To ${nameOf(crbId)}`,
      "",
      "A credential of your service provider came into the hands of a stranger. It has been revoked, with all credentials that",
      "it had issued. These requests with them concerned your business:",
      "",
      ...rowsOf(ofCrb),
      "",
      `The first request was at ${first.time}, the last at ${last.time} (UTC).`,
      "A record that was returned twice counts twice. In lists of several businesses, all records count.",
      "The service stores names, telephone numbers, e-mail addresses and ID numbers of customers only as hashes. It stores",
      "dates of birth, postal addresses and genders in plain text. Documents are returned as they were uploaded.",
      `The service's access log was read from ${from.toISOString()} to ${to.toISOString()}.`,
      unreadable === 0
        ? "Every part of it could be read."
        : `${unreadable} part${unreadable === 1 ? "" : "s"} of it could not be read, so requests may be missing here.`,
      "",
    ].join("\n");
    return { crbId, text };
  });
}

const businessesOf = ({ crb_id, crb_ids }: LoggedAccess): string[] => (crb_id ? [crb_id] : (crb_ids ?? []));

/** A row for each operation and kinds of records. */
function rowsOf(entries: readonly LoggedAccess[]): string[] {
  const groups = Map.groupBy(entries, ({ operation_id, kinds }) => [operation_id, ...(kinds ?? [])].join(" "));
  return [...groups.values()].map((group) => {
    const [{ operation_id, kinds } = {} as LoggedAccess] = group;
    const records = group.reduce((sum, each) => sum + (each.records ?? 0), 0);
    const of = kinds ? ` (${kinds.join(", ")})` : "";
    const counted = records > 0 ? `, ${records} record${records === 1 ? "" : "s"}` : "";
    return `- ${summaries.get(operation_id) ?? operation_id}${of}: ${group.length} request${group.length === 1 ? "" : "s"}${counted}`;
  });
}
