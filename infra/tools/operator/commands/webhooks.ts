import type { WebhookDelivery, WebhookEndpoint } from "../../../../shared/api/schemas/webhookEndpoint.ts";
import { readDeliveries } from "../../../../shared/domain/webhooks/deliveryLog.ts";
import { readEndpoint, readEndpoints } from "../../../../shared/domain/webhooks/endpoint.ts";
import { toEndpointResponse } from "../../../../shared/domain/webhooks/toEndpointResponse.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { readShards } from "../../../../shared/store/eventLog/sequenceEvents.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { serviceProviderArgument, uuid } from "../arguments.ts";
import type { MakeCommand } from "../session.ts";
import { stateCell } from "../stateStyles.ts";
import { type Columns, fields, jsonOption, printList } from "../table.ts";
import { serviceProviderOf } from "./crbOf.ts";

export const listWebhooks: MakeCommand = (session) =>
  newProgram(
    "list",
    "Lists the webhook endpoints of a service provider with the status of their deliveries, newest first.",
  )
    .addArgument(serviceProviderArgument())
    .addOption(jsonOption())
    .action(async (spId, { json }) => {
      const { table } = session.target;
      await serviceProviderOf(table, spId);
      printList(session, await endpointRows(table, spId), endpointColumns, {
        json,
        none: `Service provider ${spId} has no webhook endpoint.`,
      });
    });

type EndpointRow = Pick<
  WebhookEndpoint,
  "status" | "undelivered" | "last_error" | "last_delivered_date" | "event_types" | "url"
> & { endpoint_id: string };

/** The endpoints of a service provider, newest first. */
export async function endpointRows(table: Table, spId: string): Promise<EndpointRow[]> {
  const [endpoints, heads] = await Promise.all([readEndpoints(table, spId), readShards(table, spId)]);
  const answers = await Promise.all(endpoints.map((endpoint) => toEndpointResponse(table, endpoint, heads)));
  return answers.map(({ id, status, undelivered, last_error, last_delivered_date, event_types, url }) => ({
    ...{ endpoint_id: id, status, undelivered, last_error, last_delivered_date, event_types },
    url: withoutQuery(url),
  }));
}

const endpointColumns: Columns<EndpointRow> = {
  endpoint_id: (row) => row.endpoint_id,
  status: (row) => stateCell(row.status),
  ...fields("undelivered", "last_error", "last_delivered_date"),
  event_types: (row) => (row.event_types.length > 0 ? row.event_types.join(" ") : "all"),
  url: (row) => row.url,
};

/** A URL without its query, which may contain a token of the receiver. */
const withoutQuery = (url: string): string => {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search && "?…"}`;
};

/** The maximum of attempts in the list. */
const newest = 100;

export const listDeliveries: MakeCommand = (session) =>
  newProgram("deliveries", "Lists the newest attempts to deliver events to a webhook endpoint, with time and result.")
    .addArgument(serviceProviderArgument())
    .argument("<ENDPOINT_ID>", "id of the endpoint; webhooks list shows all ids", uuid("ENDPOINT_ID"))
    .addOption(jsonOption())
    .action(async (spId, endpointId, { json }) => {
      const { table } = session.target;
      if (!(await readEndpoint(table, spId, endpointId)))
        throw new StageError(
          `Service provider ${spId} has no webhook endpoint ${endpointId}; webhooks list SP_ID shows all endpoints.`,
        );
      const { total, records } = await readDeliveries(table, endpointId, { offset: 0, limit: newest });
      const rows = records.map((text) => JSON.parse(text) as WebhookDelivery);
      printList(session, rows, deliveryColumns, { json, none: "The endpoint had no delivery in the last 30 days." });
      if (!json && rows.length > 0) session.print(`${rows.length} of ${total} attempts of the last 30 days.`);
    });

const deliveryColumns: Columns<WebhookDelivery> = {
  ...fields("date", "event_type", "crb_id", "attempt", "status_code"),
  error: (row) => row.error && { style: "red", text: row.error },
  ...fields("next_attempt_date", "duration_ms", "event_id"),
};
