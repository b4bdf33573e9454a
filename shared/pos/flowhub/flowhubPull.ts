import type { RecordKind } from "../../kinds.ts";
import type { Clock } from "../../time/clock.ts";
import type { Connection, PullRequest } from "../connector.ts";
import type { Store } from "./answers.ts";
import type { FlowhubApi } from "./flowhubApi.ts";

/** What the pages of one pull have in common. */
export interface FlowhubPull<Kind extends RecordKind> {
  api: FlowhubApi;
  connection: Connection;
  request: PullRequest<Kind>;
  store: Store;
  /** of the store, IANA */
  timezone: string;
  /** what Flowhub's clock showed first */
  date: Date | null;
  /** by which the deadline of the request counts */
  clock: Clock;
}
