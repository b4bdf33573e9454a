import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { noQuery, pagedUpdatedQuery } from "../parameters.ts";
import { inventoryLocation } from "../schemas/inventoryLocation.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";

const exampleSalesFloor = {
  id: exampleIds.salesFloor,
  crb_id: exampleIds.crb,
  name: "Sales Floor",
  pos_type: "Dutchie",
  pos_location_id: "731",
  pos_location_type: "Sales Floor, POS",
  pos_updated_date: null,
  pos_updated_date_local: null,
  svc_created_date: "2026-02-11T18:29:31.772Z",
  svc_created_date_local: "2026-02-11 11:29:31.772",
} as const;

const exampleVault = {
  ...exampleSalesFloor,
  id: exampleIds.vault,
  name: "Vault",
  pos_location_id: "734",
  pos_location_type: "Vault",
} as const;

export const listInventoryLocations = defineOperation({
  handler: "inventoryLocations/listInventoryLocations",
  routes: bothFamilies({
    operationIds: ["listCrbInventoryLocations", "listInventoryLocations"],
    below: "/inventory-locations",
    ownSummary: "List your own inventory locations",
  }),
  tag: "Inventory Locations",
  summary: "List the inventory locations of a CRB",
  description:
    "The location that changed last comes first. `last_updated_from` and `last_updated_to` filter by the time of the last change in the service; this time is not part of the record.",
  query: pagedUpdatedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(inventoryLocation),
    description: "A page of locations",
    example: exampleList(exampleVault, exampleSalesFloor),
  },
  errors: E4,
  permissionSets: ["locations:list"],
});

export const getInventoryLocation = defineOperation({
  handler: "inventoryLocations/getInventoryLocation",
  routes: bothFamilies({
    operationIds: ["getCrbInventoryLocation", "getInventoryLocation"],
    below: "/inventory-locations/{location_id}",
    ownSummary: "Read one of your own inventory locations",
  }),
  tag: "Inventory Locations",
  summary: "Read an inventory location of a CRB",
  description: "`listLocationInventory` lists the stock of the location.",
  query: noQuery,
  success: { schema: inventoryLocation, description: "The location", example: exampleSalesFloor },
  errors: E4,
  permissionSets: ["locations:read"],
});
