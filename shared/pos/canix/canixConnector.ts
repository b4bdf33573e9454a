import type { Connector, PullPage } from "../connector.ts";
import type { ConnectorOptions } from "../reading/connectorOptions.ts";
import { firstPermitted } from "../reading/firstPermitted.ts";
import { Memo } from "../reading/memo.ts";
import { observeGuess, unobserved } from "../reading/observed.ts";
import { pagedRecords } from "../reading/pagedList.ts";
import { PosClient } from "../reading/posClient.ts";
import { posPath } from "../reading/posPath.ts";
import type { IdField } from "../reading/readRow.ts";
import { type StorePull, storeConnector } from "../reading/storeConnector.ts";
import { customer, item, room, salesOrder, stockPackage } from "./answers.ts";
import { CanixApi } from "./canixApi.ts";
import { customerRecord, inventoryRecords, isGone, placeOf, productRecord, roomRecord } from "./records.ts";
import { isElsewhere, isUndone, saleRecords } from "./sales.ts";

const posIdOf = (field: IdField) => field("id");
/** So often all is read again. */
const weekly = 7;

/** Canix (docs/pos/canix.md). A key reaches a whole company; the connection's location is one of its facilities. */
export function canixConnector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  // Read once in a pull, by each process that is at it.
  const locations = new Memo<ReadonlySet<string>>(8, 15 * 60_000);
  return storeConnector(options, (connection) => new CanixApi(client, connection), {
    location: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/locations`, pull.store.id, "parameter", 0), {
        schema: room,
        posIdOf,
        make: (row) => [roomRecord(row)],
      }),
    product: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/items`, pull.store.id, "parameter", weekly), {
        schema: item,
        posIdOf,
        make: (row) => [productRecord(row)],
      }),
    // Of the whole company; the list leaves out those who are not active any more.
    customer: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/customers`, pull.store.id, "none", weekly), {
        schema: customer,
        posIdOf,
        make: (row) => [customerRecord(row)],
      }),
    inventory: (pull) => inventoryPage(pull, locations),
    sale: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/sales_orders`, pull.store.id, "condition", weekly), {
        schema: salesOrder,
        posIdOf,
        make: (row) => {
          if (!isElsewhere(row, pull.store.id)) return saleRecords(row, pull.connection.timezone);
          observeGuess("facility of an order", "elsewhere");
          return [];
        },
        undoes: isUndone,
      }),
  });
}

/**
 * Packages. That their list is asked for by facility is not documented, so each package must prove that it is there: one
 * of another facility is left out, one that does not tell is rejected, and either keeps the list from being whole.
 */
async function inventoryPage(
  { api, connection, request, store, date }: StorePull<CanixApi, "inventory">,
  locations: Memo<ReadonlySet<string>>,
): Promise<PullPage<"inventory">> {
  const known = await locations.get(`${connection.crbId} ${store.id} ${request.now.toISOString()}`, () =>
    unobserved(() => firstPermitted([() => api.locationIds(store.id), async () => new Set<string>()])),
  );
  const list = api.list(posPath`/packages`, store.id, "condition", 0);
  const isSure = (raw: unknown) => {
    const row = stockPackage.safeParse(raw).data;
    return row !== undefined && placeOf(row, store.id, known) === "here";
  };
  return pagedRecords(
    { request, date },
    { ...list, isSure },
    {
      schema: stockPackage,
      posIdOf,
      make: (row) => {
        const place = placeOf(row, store.id, known);
        if (place !== "here") observeGuess("facility of a package", place);
        if (place === "unknown") return { field: "facility_id", reason: "unknown_facility" };
        return place === "here" ? inventoryRecords(row) : [];
      },
      undoes: isGone,
    },
  );
}
