import type { PosClientOptions } from "./posClient.ts";

export interface ConnectorOptions extends PosClientOptions {
  /**
   * number of consecutive days without rows after which a connector that reads a history by day stops; 365 by default
   */
  quietDays?: number;
  /** records per page of a list that the POS returns in one piece; 250 by default */
  listPageSize?: number;
}
