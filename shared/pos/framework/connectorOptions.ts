import type { PosClientOptions } from "./posClient.ts";

export interface ConnectorOptions extends PosClientOptions {
  /** number of days without rows after which the reading of a history by day ends; 365 by default */
  quietDays?: number;
  /** records per page of a list that the POS returns in one piece; 250 by default */
  listPageSize?: number;
}
