/**
 * What the layer adds to the engine, and how much of it. The laws that always hold on AWS are in force by default, with
 * the figures of DynamoDB's developer guide; accidents are not, see `accidents`. Times are milliseconds of virtual time,
 * chances are so many of a hundred.
 */
export interface Figures {
  /** whether a transaction holds its items from begin to commit, so that others on them are refused */
  holds: boolean;
  /** whether reads of several items see a commit in their midst in part: "read-committed" in the guide's words */
  tornReads: boolean;
  /**
   * How long at most a transaction's items are committed one after the other, so that consistent reads during it may
   * find one new and another one old, in any order; 0 for at once.
   */
  commitWindow: number;
  /** the longest time by which an eventually consistent read of the table is behind; 0 for none. The guide: a second */
  tableLag: number;
  /** the same of an index. The guide names no bound; half a minute is seen under load */
  indexLag: number;
  /** nine of ten changes show after so long at most, whatever is the longest */
  usualLag: number;
  /** units that one partition takes in a second; infinite for no bound */
  writeUnits: number;
  readUnits: number;
  /** in how many cases a query's answer ends before it must */
  shortPages: number;
  /** in how many cases a batch leaves keys unprocessed */
  unprocessed: number;
  /** at how many calls a burst of throttling begins, and how long it lasts at most */
  throttled: number;
  burst: number;
  /** how many requests never arrive */
  lostRequests: number;
  /** how many are carried out, but the caller is told of a timeout or a lost connection */
  lostAnswers: number;
  /** how many writes arrive only after the caller was told so */
  lateWrites: number;
  /** how many single writes the SDK sends twice, since the first answer got lost; the second one's is the answer */
  repeatedWrites: number;
  /** how long a caller waits at most until it is told of a timeout, the SDK's own retries included */
  timeout: number;
  /** how long a request or an answer is on its way, at most */
  latency: number;
  /** how many of them take longer, and how long at most */
  stalls: number;
  stall: number;
  /** by how much an actor's clock is ahead or behind at most, where none is given */
  skew: number;
  /** after how many calls and sleeps an actor's clock is corrected: it is then off by another amount of at most `skew` */
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

/** What can happen at any call, though it seldom does. */
export const accidents: Partial<Figures> = {
  throttled: 1,
  lostRequests: 1,
  lostAnswers: 1,
  lateWrites: 1,
  repeatedWrites: 1,
};

/** Nothing is added: what remains is the engine, the order of calls and virtual time. */
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
