import type { PosClientOptions } from "./posClient.ts";

export interface ConnectorOptions extends PosClientOptions {
  /** a history that is read by day ends after this many days without rows; 365 by default */
  quietDays?: number;
  /** records per page of a list that the POS returns in one piece; 250 by default */
  listPageSize?: number;
}
