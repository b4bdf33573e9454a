import type { RecordKind } from "../../../api/kinds.ts";
import type { Connection, PullRequest } from "../../connector.ts";
import type { DutchieStore } from "./dutchieApi.ts";

/** What the pages of one pull have in common. */
export interface DutchiePull<Kind extends RecordKind> {
  connection: Connection;
  request: PullRequest<Kind>;
  stores: readonly DutchieStore[];
  /** what Dutchie's clock showed first */
  date: Date | null;
}

/** The locations that a pull reads, as part of a key under which what they all tell is kept. */
export function locationsOf({ connection, stores }: DutchiePull<RecordKind>): string {
  return [connection.crbId, ...stores.map(({ store }) => store.locationid)].join(" ");
}
