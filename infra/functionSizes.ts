/** What functions are given, by what they do: memory (MB) and time (s). Memory decides on the share of a processor too: 1,769 are a whole one. */
export const functionSizes = {
  /** One record, small answers. */
  record: { memory: 512, timeout: 28 },
  /** Lists of up to 6 MB; measured at 221 MB resident. */
  page: { memory: 1024, timeout: 28 },
  /** A document of 5 MB in the request; measured at below 256 MB resident. */
  document: { memory: 1024, timeout: 28 },
  /** A page of a POS at a time; measured at below 256 MB resident. */
  replication: { memory: 1024, timeout: 15 * 60 },
  /** Short work by a queue or a schedule. */
  chore: { memory: 256, timeout: 60 },
} as const;

export type FunctionSize = keyof typeof functionSizes;
