import { defineOperation, E4 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { type Replication, replication } from "../schemas/replication.ts";
import { exampleList } from "./examples.ts";

const current: Replication = {
  kind: "customers",
  state: "current",
  data_as_of: "2026-03-01T17:00:02.118Z",
  initial_sync_completed_date: "2026-02-11T18:31:47.902Z",
  last_started_date: "2026-03-01T17:00:07.118Z",
  last_succeeded_date: "2026-03-01T17:00:09.540Z",
  next_due_date: "2026-03-01T17:15:44.000Z",
  progress: null,
  awaiting_confirmation: null,
  records: 2143,
  rejected_records: 1,
  last_run: { read: 12, created: 2, changed: 4, unchanged: 6, rejected: 0 },
  error: null,
};

const initial: Replication = {
  ...current,
  kind: "sales",
  state: "initial",
  data_as_of: null,
  initial_sync_completed_date: null,
  last_succeeded_date: null,
  progress: { read: 3500, total: 5120 },
  records: 3500,
  rejected_records: 0,
  last_run: null,
};

const failing: Replication = {
  ...current,
  kind: "inventory",
  state: "failing",
  last_started_date: "2026-03-01T17:15:51.330Z",
  next_due_date: "2026-03-01T17:18:22.000Z",
  records: 641,
  rejected_records: 0,
  last_run: { read: 641, created: 0, changed: 9, unchanged: 632, rejected: 0 },
  error: "unreachable",
};

export const listReplications = defineOperation({
  handler: "replications/listReplications",
  routes: [
    {
      operationId: "listCrbReplications",
      method: "GET",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/replications",
      caller: "serviceProvider",
      scope: "point-of-sale:read",
    },
    {
      operationId: "listReplications",
      method: "GET",
      path: "/crbs/{crb_id}/replications",
      caller: "crb",
      scope: "point-of-sale:read",
      summary: "Read how fresh your own records are",
    },
  ],
  tag: "Changes",
  summary: "Read how fresh a CRB's records are",
  description:
    "Returns one entry for each of the five kinds: the state of its replication, the time up to which the data of the POS is stored, the number of records, and the number of rejected records.",
  query: noQuery,
  success: {
    schema: listOf(replication),
    description: "The five kinds",
    example: exampleList(
      current,
      { ...current, kind: "products", records: 412, rejected_records: 0 },
      failing,
      { ...current, kind: "inventory-locations", records: 3, rejected_records: 0 },
      initial,
    ),
  },
  errors: E4,
  permissionSets: ["replications:read"],
});
