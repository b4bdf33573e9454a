import type { Table } from "../../store/client.ts";
import { consentHistoryPrefix, crbHistoryPartition } from "../../store/keys/crbHistory.ts";

/** A consent to the terms, or its withdrawal. */
export interface ConsentChange {
  /** ISO 8601 UTC */
  date: string;
  event: "given" | "withdrawn";
  /** Version of the terms; null if a connection was withdrawn that needed no consent. */
  terms_version: string | null;
  /** Id of the user's invitation; null if it is unknown. */
  invitation_id: string | null;
}

/** Reads the consents of a CRB and their withdrawals, oldest first. */
export async function readConsentHistory(table: Table, crbId: string): Promise<ConsentChange[]> {
  const range = { prefix: consentHistoryPrefix, consistent: true };
  const items = await table.queryPartition(crbHistoryPartition(crbId), range);
  return items.map(({ sk, event, terms_version, by }) => ({
    date: sk.slice(consentHistoryPrefix.length),
    event: event as ConsentChange["event"],
    terms_version: terms_version as string | null,
    invitation_id: by as string | null,
  }));
}
