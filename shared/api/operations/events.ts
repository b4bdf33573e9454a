import { defineOperation, E3, readsAsProvider } from "../operation.ts";
import { eventsQuery } from "../parameters.ts";
import { events } from "../schemas/event.ts";
import { exampleIds } from "./examples.ts";

export const listEvents = defineOperation({
  handler: "events/listEvents",
  routes: [{ operationId: "listEvents", path: "/service-providers/{sp_id}/events", ...readsAsProvider }],
  tag: "Events",
  summary: "List events",
  description:
    "If you follow the cursors, you receive every event at least once. The events of one CRB come in the order in which they were stored; events of different CRBs have no order. An event says what happened and has the ids with which you read the details. Events are kept, and cursors are valid, for 30 days; after that begin again without a cursor. Without the scope `point-of-sale:read`, the pages omit events of sales days, reconciliation days, state days, insights and statements, so a page may be empty although `has_more` is `true`. If `has_more` is `false`, wait a while and send the same `cursor` again.",
  query: eventsQuery,
  requests: { begin: { summary: "The oldest 100 events", query: { limit: "100" } } },
  businessField: "crb_id",
  success: {
    schema: events,
    description: "A page of events",
    example: {
      data: [
        {
          id: exampleIds.event,
          type: "document.status.changed",
          date: "2026-03-14T16:20:00.000Z",
          sp_id: exampleIds.serviceProvider,
          crb_id: exampleIds.crb,
          data: {
            document_id: exampleIds.document,
            requirement_id: exampleIds.requirement,
            from: "pending",
            to: "approved",
          },
        },
      ],
      cursor:
        "AXjhSH23A1Ea8Q1PxKeNNwAHhGAAAAAAAAMAAAAAAAUAAAAAAAcAAAAAAAQAAAAAAAYAAAAAAAMAAAAAAAUAAAAAAAcAAAAAAAQAAAAAAAYAAAAAAAMAAAAAAAUAAAAAAAcAAAAAAAQAAAAAAAYAAAAAAANwpkcD",
      has_more: false,
    },
  },
  errors: E3,
  permissionSets: ["events:read"],
});
