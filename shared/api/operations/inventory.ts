import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { expandQuery, inventoryQuery, locationInventoryQuery } from "../parameters.ts";
import { inventory, locationInventory } from "../schemas/inventory.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";
import { exampleProduct } from "./products.ts";

const exampleStock = {
  id: exampleIds.inventory,
  crb_id: exampleIds.crb,
  pos_type: "Dutchie",
  product_id: exampleIds.product,
  name: exampleProduct.name,
  sku: exampleProduct.sku,
  barcode: "1A4000A00000522000048317",
  total_quantity: 186,
  pos_updated_date: "2026-03-02T19:41:07.000Z",
  pos_updated_date_local: "2026-03-02 12:41:07.000",
  svc_created_date: "2026-02-11T18:33:20.014Z",
  svc_updated_date: "2026-03-02T19:45:26.871Z",
} as const;

const exampleInventory = {
  ...exampleStock,
  location_data: [
    { name: "Sales Floor", quantity: 36, location_id: exampleIds.salesFloor, pos_location_type: "Sales Floor, POS" },
    { name: "Vault", quantity: 150, location_id: exampleIds.vault, pos_location_type: "Vault" },
  ],
} as const;

const vanished = "Stock that the POS no longer has stays listed, with a quantity of 0.";

const expanding =
  "With `expand=true` each record has its `product`, or null if the product is unknown; without it the field is absent.";

export const listInventory = defineOperation({
  handler: "inventory/listInventory",
  routes: bothFamilies({
    operationIds: ["listCrbInventory", "listInventory"],
    below: "/inventory",
    ownSummary: "List your own inventory",
  }),
  tag: "Inventory",
  summary: "List the inventory of a CRB",
  description: `The record that changed last comes first. Paging by \`offset\` misses no record that stays unchanged meanwhile. To read those that changed, set \`last_updated_from\` to the day on which you began. ${vanished} ${expanding}`,
  query: inventoryQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(inventory),
    description: "A page of inventory records",
    example: exampleList(exampleInventory),
  },
  errors: E4,
  permissionSets: ["inventory:list"],
});

export const getInventory = defineOperation({
  handler: "inventory/getInventory",
  routes: bothFamilies({
    operationIds: ["getCrbInventory", "getInventory"],
    below: "/inventory/{inventory_id}",
    ownSummary: "Read one of your own inventory records",
  }),
  tag: "Inventory",
  summary: "Read an inventory record of a CRB",
  description: `Stock that the POS no longer has stays readable, with a quantity of 0. ${expanding}`,
  query: expandQuery,
  requests: { expanded: { summary: "With its product", query: { expand: "true" } } },
  success: {
    schema: inventory,
    description: "The inventory record",
    example: { ...exampleInventory, product: exampleProduct },
  },
  errors: E4,
  permissionSets: ["inventory:read"],
});

export const listLocationInventory = defineOperation({
  handler: "inventory/listLocationInventory",
  routes: bothFamilies({
    operationIds: ["listCrbLocationInventory", "listLocationInventory"],
    below: "/inventory-locations/{location_id}/inventory",
    ownSummary: "List your own inventory at one location",
  }),
  tag: "Inventory",
  summary: "List the inventory at one location of a CRB",
  description: `With \`date\`, returns the records and quantities at the end of that day in the CRB's time zone; without it, or for today, the current ones. For a day before the first replication the list is empty. A day in the future, or a \`date\` together with \`last_updated_from\` or \`last_updated_to\`, is rejected. ${expanding}`,
  query: locationInventoryQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(locationInventory),
    description: "A page of the location's inventory records",
    example: exampleList({ ...exampleStock, quantity: 36 }),
  },
  errors: E4,
  rejections: {
    422: {
      description: "An identifier or a parameter is invalid.",
      examples: {
        future: { fields: { "query.date": { message: "must not be in the future", value: "2031-01-01" } } },
        window: {
          fields: {
            "query.date": {
              message: "must not be sent together with last_updated_from or last_updated_to",
              value: "2026-03-01",
            },
          },
        },
      },
    },
  },
  permissionSets: ["locationInventory:list"],
});
