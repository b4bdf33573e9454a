import type { RecordKind } from "../../table/keys.ts";
import type { Connection, PullRequest } from "../connector.ts";
import type { DutchieStore } from "./dutchieApi.ts";

/** What the pages of one pull have in common. */
export interface DutchiePull<Kind extends RecordKind> {
  connection: Connection;
  request: PullRequest<Kind>;
  stores: readonly DutchieStore[];
  /** what Dutchie's clock showed first */
  date: Date | null;
}
