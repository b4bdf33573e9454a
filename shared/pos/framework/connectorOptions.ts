import type { PosClientOptions } from "./posClient.ts";

/** How one POS is read. */
export interface ConnectorOptions extends PosClientOptions {
  /** a history that is read day after day ends where so many days there was nothing; 365 unless given */
  quietDays?: number;
  /** records of a page of what the POS gives in one piece; 250 unless given */
  listPageSize?: number;
}
