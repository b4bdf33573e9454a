import type { RecordKind } from "../../../api/kinds.ts";
import type { Clock } from "../../../time/clock.ts";
import type { Connection, PullRequest } from "../../connector.ts";
import { idFieldsOf } from "../../framework/readRow.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import type { FlowhubApi } from "./flowhubApi.ts";
import type { Store } from "./responses.ts";

/** The context of all pages of one pull. */
export interface FlowhubPull<Kind extends RecordKind> {
  api: FlowhubApi;
  connection: Connection;
  request: PullRequest<Kind>;
  store: Store;
  /** time zone of the store, IANA name */
  timezone: string;
  /** the time on Flowhub's clock in its first response */
  date: Date | null;
  /** measures the time to the request's deadline */
  clock: Clock;
}

/**
 * Separates rows of the pull's store from rows of the client's other stores, in lists of stock and orders. A store has
 * two ids. Flowhub does not document which of the two ids a row's `locationId` contains, so both are accepted.
 */
export class FlowhubStoreRows extends StoreRows {
  constructor({ locationId, importId }: Store) {
    super(locationId, importId);
  }

  /** Whether an unparsed row belongs to the store; see StoreRows. */
  hasRow(row: unknown): boolean {
    return this.has(idFieldsOf(row)("locationId"));
  }
}
