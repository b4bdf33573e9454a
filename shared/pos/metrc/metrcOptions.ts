import type { Clock } from "../../time/clock.ts";

/** The options of a call of Metrc; tests use them. */
export interface MetrcOptions {
  /** the address of Metrc; `metrcBaseUrl` of the state by default */
  url?: string | undefined;
  clock?: Clock;
  /** see PosClientOptions */
  firstPauseMs?: number;
  timeoutMs?: number;
  requestsPerSecond?: number;
}
