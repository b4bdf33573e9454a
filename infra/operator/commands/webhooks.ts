import { readServiceProvider } from "../../../shared/table/crbs.ts";
import { endpointAnswer } from "../../../shared/webhooks/answer.ts";
import { readEndpoints } from "../../../shared/webhooks/endpoint.ts";
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
