/**
 * The messages that one invocation of the replication worker handles in parallel, and the assumed seconds of a full
 * batch in which no run finds a change (docs/bench/notes.md#sizes-of-functions). A run mostly waits for its POS, so a
 * batch takes as long as the slowest of its ten runs. The order of messages does not matter, because a lease protects
 * each list.
 */
export const replicationBatch = { messages: 5, seconds: 2.6 } as const;

/** How long Lambda collects messages for a batch. The planner sends the messages of a minute together. */
export const batchWindowSeconds = 5;
