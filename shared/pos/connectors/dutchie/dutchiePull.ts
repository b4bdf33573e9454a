import type { RecordKind } from "../../../api/kinds.ts";
import type { Connection, PullRequest } from "../../connector.ts";
import type { DutchieStore } from "./dutchieApi.ts";

/** The context of all pages of one pull. */
export interface DutchiePull<Kind extends RecordKind> {
  connection: Connection;
  request: PullRequest<Kind>;
  stores: readonly DutchieStore[];
  /** the time on Dutchie's clock in its first response */
  date: Date | null;
}

/** The part of a cache key that names the locations of a pull, for data that these locations share. */
export function locationsOf({ connection, stores }: DutchiePull<RecordKind>): string {
  return [connection.crbId, ...stores.map(({ store }) => store.locationid)].join(" ");
}
