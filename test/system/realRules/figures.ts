/**
 * The behavior that the layer adds to the engine, in figures. The rules that always hold on AWS are on by default,
 * with the figures of DynamoDB's developer guide; accidents are off, see `accidents`. Times are milliseconds of
 * virtual time, chances are percentages.
 */
export interface Figures {
  /** whether a transaction holds its items from begin to commit, so that other requests for them are rejected */
  holds: boolean;
  /** whether reads of several items may see a part of a commit: "read-committed" in the guide's words */
  tornReads: boolean;
  /**
   * maximum duration of a transaction's commit; items are committed one after the other, so consistent reads
   * meanwhile may find new and old ones, in any order. 0 for at once
   */
  commitWindow: number;
  /** maximum lag of an eventually consistent read of the table; 0 for none. The guide says a second */
  tableLag: number;
  /** the same for an index. The guide names no bound; half a minute is observed under load */
  indexLag: number;
  /** the lag of nine of ten changes at most, whatever the maximum */
  usualLag: number;
  /** units that a partition accepts per second; infinite for no bound */
  writeUnits: number;
  readUnits: number;
  /** percentage of queries whose response ends early */
  shortPages: number;
  /** percentage of batches that leave keys unprocessed */
  unprocessed: number;
  /** percentage of calls that begin a burst of throttling, and its maximum duration */
  throttled: number;
  burst: number;
  /** percentage of requests that never arrive */
  lostRequests: number;
  /** percentage of writes that are carried out though the caller gets a timeout or a lost connection */
  lostAnswers: number;
  /** percentage of writes that arrive only after such an error */
  lateWrites: number;
  /**
   * percentage of single writes that the SDK sends twice because the first response was lost; the caller gets the
   * second response
   */
  repeatedWrites: number;
  /** maximum time until the caller gets a timeout, including the SDK's own retries */
  timeout: number;
  /** maximum travel time of a request or a response */
  latency: number;
  /** percentage of them that take longer, and the maximum time */
  stalls: number;
  stall: number;
  /** maximum offset of an actor's clock, if none is given */
  skew: number;
  /**
   * number of calls and sleeps after which an actor's clock is corrected; its offset is then another one of at most
   * `skew`
   */
  clockCorrections: number;
}

export const defaultFigures: Figures = {
  holds: true,
  tornReads: true,
  commitWindow: 10,
  tableLag: 1_000,
  indexLag: 30_000,
  usualLag: 20,
  writeUnits: 1_000,
  readUnits: 3_000,
  shortPages: 10,
  unprocessed: 10,
  throttled: 0,
  burst: 3_000,
  lostRequests: 0,
  lostAnswers: 0,
  lateWrites: 0,
  repeatedWrites: 0,
  timeout: 15_000,
  latency: 10,
  stalls: 1,
  stall: 5_000,
  skew: 1_000,
  clockCorrections: 0,
};

/** Rare events that can happen at any call. */
export const accidents: Partial<Figures> = {
  throttled: 1,
  lostRequests: 1,
  lostAnswers: 1,
  lateWrites: 1,
  repeatedWrites: 1,
};

/** Adds nothing: only the engine, the order of calls and virtual time remain. */
export const bareEngine: Partial<Figures> = {
  holds: false,
  tornReads: false,
  commitWindow: 0,
  tableLag: 0,
  indexLag: 0,
  writeUnits: Number.POSITIVE_INFINITY,
  readUnits: Number.POSITIVE_INFINITY,
  shortPages: 0,
  unprocessed: 0,
};
