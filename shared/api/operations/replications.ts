import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { listOf } from "../schemas/list.ts";
import { type Replication, replication } from "../schemas/replication.ts";
import { exampleList } from "./examples.ts";

/** Invented values in the format of digests. The records of these lists are not part of the examples. */
const exampleDigests = {
  products: "913fb2e84a07dc56c8e1604f3bd27a950e5f9a83d64c21b7f7280d9eb13ca564",
  locations: "4cd8075be2916fa3a60be37f19c8d4522f97c1ae508b63d4db04f8617e92c35a",
};

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
  digest: "0f7b21c9e5a84d3366d0a1be72f94c85d3816e0fa2c95b7714e8f06d39b2ca41",
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
  digest: "b25d4ef0913c7a6851e08f2dc4b9763a0cd81f95e6a3427bf87d1506ac39e812",
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
  digest: "6ea9d30c18f5b7424d70c2e9518ab3f60b94ef2763d1c85aa90e47f1852cb6d3",
  rejected_records: 0,
  last_run: { read: 641, created: 0, changed: 9, unchanged: 632, rejected: 0 },
  error: "unreachable",
};

export const listReplications = defineOperation({
  handler: "replications/listReplications",
  routes: bothFamilies({
    operationIds: ["listCrbReplications", "listReplications"],
    below: "/replications",
    ownSummary: "Read how fresh your own records are",
  }),
  tag: "Changes",
  summary: "Read how fresh a CRB's records are",
  description:
    "Returns one entry for each of the five kinds: the state of its replication, the time up to which the data of the POS is stored, the number of records, a digest of the records, and the number of rejected records. With the digest you can check that your copy is complete.",
  query: noQuery,
  success: {
    schema: listOf(replication),
    description: "The five kinds",
    example: exampleList(
      current,
      { ...current, kind: "products", records: 412, digest: exampleDigests.products, rejected_records: 0 },
      failing,
      { ...current, kind: "inventory-locations", records: 3, digest: exampleDigests.locations, rejected_records: 0 },
      initial,
    ),
  },
  errors: E4,
  permissionSets: ["replications:read"],
});
