import type { WebhookDelivery } from "../../../shared/api/schemas/webhookEndpoint.ts";
import { readServiceProvider } from "../../../shared/table/crbs.ts";
import { endpointAnswer } from "../../../shared/webhooks/answer.ts";
import { readDeliveries } from "../../../shared/webhooks/deliveryLog.ts";
import { readEndpoint, readEndpoints } from "../../../shared/webhooks/endpoint.ts";
import { readShards } from "../../../shared/webhooks/progress.ts";
import { StageError } from "../../local/stageError.ts";
import type { Command } from "../command.ts";
import { columns } from "../terminal.ts";

export const listWebhooks: Command = {
  name: "webhooks list",
  parameters: ["SP_ID"],
  summary: "Lists the webhook endpoints of a service provider, newest first, with how their deliveries go.",
  async run({ target: { table }, print }, [spId = ""]) {
    if (!(await readServiceProvider(table, spId))) throw new StageError(`There is no service provider ${spId}.`);
    const [endpoints, heads] = await Promise.all([readEndpoints(table, spId), readShards(table, spId)]);
    const answers = await Promise.all(endpoints.map((endpoint) => endpointAnswer(table, endpoint, heads)));
    if (answers.length === 0) {
      print(`There is no webhook endpoint of ${spId}.`);
      return;
    }
    const rows = answers.map(({ id, status, undelivered, last_error, last_delivered_date, event_types, url }) => [
      ...[id, status, String(undelivered), last_error ?? "-", last_delivered_date ?? "-"],
      ...[event_types.length > 0 ? event_types.join(" ") : "all", withoutQuery(url)],
    ]);
    const names = ["endpoint_id", "status", "undelivered", "last_error", "last_delivered_date", "event_types", "url"];
    print(...columns(names, rows));
  },
};

/** A url without its query, which may hold a token of its receiver's. */
const withoutQuery = (url: string): string => {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search && "?…"}`;
};

/** So many attempts are shown. */
const newest = 100;

export const listDeliveries: Command = {
  name: "webhooks deliveries",
  parameters: ["SP_ID", "ENDPOINT_ID"],
  summary: "Lists the newest attempts to deliver to a webhook endpoint: what was tried, when, and what came of it.",
  async run({ target: { table }, print }, [spId = "", endpointId = ""]) {
    if (!(await readEndpoint(table, spId, endpointId)))
      throw new StageError(`There is no webhook endpoint ${endpointId} of ${spId}.`);
    const { total, records } = await readDeliveries(table, endpointId, { offset: 0, limit: newest });
    const rows = records.map((text) => {
      const made = JSON.parse(text) as WebhookDelivery;
      return [
        ...[made.date, made.event_type, made.crb_id ?? "-", String(made.attempt), String(made.status_code ?? "-")],
        ...[made.error ?? "-", String(made.duration_ms), made.next_attempt_date ?? "-", made.event_id],
      ];
    });
    const names = ["date", "event_type", "crb_id", "attempt", "status_code", "error", "duration_ms"];
    if (rows.length > 0) print(...columns([...names, "next_attempt_date", "event_id"], rows));
    print(`${rows.length} of ${total} attempts of the last 30 days.`);
  },
};
