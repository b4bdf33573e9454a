import * as z from "zod";
import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { changesQuery } from "../parameters.ts";
import { changes, kindName } from "../schemas/changes.ts";
import { exampleProduct } from "./products.ts";

export const listChanges = defineOperation({
  handler: "changes/listChanges",
  routes: bothFamilies(
    {
      operationIds: ["listCrbChanges", "listChanges"],
      below: "/changes/{kind}",
      ownSummary: "List the changes of your own records",
    },
    { holdsCustomers: "byKind" },
  ),
  tag: "Changes",
  summary: "List the changes of a CRB's records",
  description:
    "If you follow the cursors from the beginning, you receive every record of the kind and then every change, each at least once and in order. None is missed, so a copy needs no other operation. Store the records of a page and its `cursor` in one transaction. A page may hold fewer records than `limit`; only `has_more` says whether more follow. If `data` is empty and `has_more` is `true`, wait the number of seconds in `Retry-After`. An erased customer comes as a record without personal data.",
  path: z.object({ kind: kindName.describe("The kind of records") }),
  query: changesQuery,
  requests: { begin: { summary: "The first 100 records", path: { kind: "products" }, query: { limit: "100" } } },
  success: {
    schema: changes,
    description: "A page of changes",
    example: { data: [exampleProduct], cursor: "AVK0Yw5bJ0nNn2m7aV3u8QAcwAj8kEoAB9kZ", has_more: false },
  },
  errors: E4,
  permissionSets: ["changes:read"],
});
