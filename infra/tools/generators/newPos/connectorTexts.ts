import { capitalized } from "../files/capitalized.ts";
import { type Credential, type Draft, filesOf } from "./draft.ts";

// The text of a new connector. The formatter breaks its lines.

/** The files below shared/, by their path in the project. */
export function connectorTexts(draft: Draft): Map<string, string> {
  const files = filesOf(draft);
  return new Map([
    [files.answers, answersText(draft)],
    [files.api, apiText(draft)],
    [files.connector, connectorText(draft)],
    [files.inventory, inventoryText],
    [files.sales, salesText(draft)],
  ]);
}

const answersText = ({ posType }: Draft): string => `import * as z from "zod";
import { id, instant, list, money, number, text } from "../../framework/wireFields.ts";

// The fields of ${posType}'s responses that the connector reads. Other fields, such as notes, are never read.
// TODO: every field is made up. Use the API's fields, and state the unit of its amounts. Here they are dollars.

export const page = z.object({ data: z.array(z.unknown()), total: number });

export const store = z.object({ id, name: text, address: text });

export const stockPackage = z.object({
  id,
  status: text,
  product_id: text,
  product_name: text,
  sku: text,
  barcode: text,
  quantity: number,
  updated_at: instant,
});
export type StockPackage = z.output<typeof stockPackage>;

const item = z.object({ product_id: text, name: text, quantity: number, unit_price: money, discount: money });
export type Item = z.output<typeof item>;

export const sale = z.object({
  id,
  status: text,
  closed_at: instant,
  customer_id: text,
  employee_id: text,
  subtotal: money,
  discount: money,
  tax: money,
  fee: money,
  total: money,
  items: list(item),
  payments: list(z.object({ type: text, amount: money })),
});
export type Sale = z.output<typeof sale>;
`;

const apiText = ({
  posType,
  name,
  credentials,
}: Draft): string => `import type { Connection } from "../../connector.ts";
import { JsonApi } from "../../framework/jsonApi.ts";
import type { PagedList } from "../../framework/pagedList.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { partitionRows, readRow } from "../../framework/readRow.ts";
import { requireCredential } from "../../framework/toPosError.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { page, store } from "./responses.ts";

// TODO: the largest page that the API documents.
const maxPageSize = 100;

/** Requests to ${posType} with the credentials of one connection. */
export class ${capitalized(name)}Api implements StoreApi {
  readonly #api: JsonApi;

  constructor(client: PosClient, { crbId, credentials }: Connection) {
    // TODO: send the credentials as the API expects them: other headers, Basic, a token (treez/treezAccess.ts).
    const headers = { ${credentials.map(headerText).join(", ")} };
    // TODO: pass \`rejectionOf\` if the status of a response does not tell whether it rejects the credentials.
    this.#api = new JsonApi({ client, rateLimitBucket: crbId, headers });
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    // TODO: a request that rejects wrong credentials and lists the stores of valid ones.
    const { body, date } = await this.#api.read(page, posPath\`/v1/stores\`, {}, options);
    const { rows, rejected } = partitionRows(body.data.map((row) => readRow(store, row, (field) => field("id"))));
    const stores = rows.map(({ id, name, address }) => ({ id, name: name ?? \`Store \${id}\`, address }));
    return { stores, hasUnreadable: rejected.length > 0, date };
  }

  /**
   * A list of a store.
   *
   * @param fullEveryDays see PagedList
   */
  list(path: PosPath, storeId: string, fullEveryDays: number): PagedList {
    // TODO: the parameters for pages and changes, the order of the rows, and how the list ends.
    return {
      size: maxPageSize,
      fullEveryDays,
      isOrdered: true,
      idField: "id",
      fetch: async (since, index, size) => {
        const changed = since && { updated_since: since.toISOString() };
        const query = { store_id: storeId, page: index + 1, page_size: size, ...changed };
        const { body } = await this.#api.read(page, path, query);
        return { rows: body.data, isLast: body.data.length === 0, total: body.total };
      },
    };
  }
}
`;

function headerText({ name, type, header }: Credential): string {
  const value = type === "number" ? `credentials.${name}?.toString()` : `credentials.${name}`;
  return `"${header}": requireCredential(${value})`;
}

const connectorText = ({
  posType,
  name,
  page,
}: Draft): string => `import type { Connector, PosStore } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { posPath } from "../../framework/posPath.ts";
import type { IdField } from "../../framework/readRow.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { sale, stockPackage } from "./responses.ts";
import { inventoryRecords, isGone } from "./inventory.ts";
import { isCanceled, saleRecords } from "./sales.ts";
import { ${capitalized(name)}Api } from "./${name}Api.ts";

/** Days after which all sales are read again. */
const weekly = 7;

/** ${posType} (docs/pos/${page}.md). */
export function ${name}Connector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  // TODO: the other kinds that the POS has. Remove each from \`lacks\` in shared/api/pos/posTypes.ts.
  return storeConnector(options, (connection) => new ${capitalized(name)}Api(client, connection), {
    // Always read as a whole: stock that the complete list does not name goes to 0.
    inventory: (pull) =>
      pagedRecords(pull, pull.api.list(posPath\`/v1/inventory\`, pull.store.id, 0), {
        ...rowsOf(pull),
        schema: stockPackage,
        make: inventoryRecords,
        undoes: isGone,
      }),
    sale: (pull) =>
      pagedRecords(pull, pull.api.list(posPath\`/v1/sales\`, pull.store.id, weekly), {
        ...rowsOf(pull),
        schema: sale,
        make: saleRecords,
        undoes: isCanceled,
      }),
  });
}

/** The fields with the ids of a row and of its store. Rows of other stores are dropped and counted. */
// TODO: the fields of the API.
const rowsOf = ({ store }: { store: PosStore }) => ({
  posIdOf: (field: IdField) => field("id"),
  store: { ids: [store.id], idOf: (field: IdField) => field("store_id") },
});
`;

const inventoryText = `import { statusFinder } from "../../framework/conversions/statuses.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import type { PosInventory } from "../../posRecords.ts";
import type { StockPackage } from "./responses.ts";

// TODO: all statuses of the API. A package with any other status is rejected.
const stateOf = statusFinder({ stocked: "available", gone: "finished" });

/** Whether a package holds no stock any more. It is a record only if it was stored before. */
export const isGone = ({ status }: StockPackage) => stateOf(status) === "gone";

export function inventoryRecords(row: StockPackage): RecordsOrRejection<PosInventory> {
  if (stateOf(row.status) === null) return { field: "status", reason: "unknown_status" };
  const quantity = isGone(row) ? 0 : row.quantity;
  // A missing quantity is not 0.
  if (quantity === null) return { field: "quantity", reason: "no_quantity" };
  return [
    {
      pos_inventory_id: row.id,
      pos_product_id: row.product_id,
      name: row.product_name ?? \`Package \${row.id}\`,
      sku: row.sku,
      barcode: row.barcode,
      total_quantity: quantity,
      pos_updated_date: row.updated_at,
      location_data: null,
    },
  ];
}
`;

const buyers = {
  retail: {
    imports:
      'import { emptySaleCustomer, emptySaleLine, type PosLineItem, type PosRetailSale } from "../../posRecords.ts";',
    type: "PosRetailSale",
    fields: "customer: { ...emptySaleCustomer, pos_customer_id: row.customer_id },",
  },
  wholesale: {
    imports: `import { emptySaleLine, type PosLineItem, type PosWholesaleSale } from "../../posRecords.ts";
import { companyOfSale } from "../../framework/companyRecord.ts";`,
    type: "PosWholesaleSale",
    fields: `customer: companyOfSale(row.customer_id),
    invoice: {
      id: row.id,
      pos_customer_id: row.customer_id,
      memo: null,
      open_balance: null,
      total: dollarsToCents(row.total),
    },`,
  },
} as const;

function salesText({ businessType }: Draft): string {
  const { imports, type, fields } = buyers[businessType];
  return `import { dollarsToCents, dollarsToFineCents } from "../../framework/conversions/cents.ts";
import { namedPayment } from "../../framework/conversions/paymentType.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import { chooseReading } from "../../framework/conversions/sums.ts";
${imports}
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import type { Item, Sale } from "./responses.ts";

// TODO: all statuses of the API. A sale with any other status is rejected.
const stateOf = statusFinder({
  open: "open",
  sale: "completed",
  return: "returned",
  voided: "voided",
  canceled: "canceled",
});

/** Whether a sale never took place. It is a record only if it was stored before. */
export const isCanceled = ({ status }: Sale) => stateOf(status) === "canceled";

export function saleRecords(row: Sale): RecordsOrRejection<${type}> {
  const state = stateOf(row.status);
  if (state === null) return { field: "status", reason: "unknown_status" };
  if (state === "open") return [];
  if (row.closed_at === null) return { field: "closed_at", reason: "no_instant" };
  if (state === "voided" || state === "canceled") return [voided(saleOf(row, row.closed_at, null))];
  const subtotal = subtotalOf(row);
  if (subtotal === null) return { field: "subtotal", reason: "unclear_subtotal" };
  const sale = saleOf(row, row.closed_at, subtotal);
  return [state === "return" ? returned(sale) : sale];
}

/** The amount after discounts and before tax and fees; null if no reading of the row's subtotal adds up to its total. */
// TODO: one reading is enough if the API documents whether its subtotal is before or after discounts.
function subtotalOf(row: Sale): number | null {
  const subtotal = dollarsToCents(row.subtotal);
  if (subtotal === null) return null;
  const added = (dollarsToCents(row.tax) ?? 0) + (dollarsToCents(row.fee) ?? 0);
  const readings = [subtotal, subtotal - (dollarsToCents(row.discount) ?? 0)];
  const reading = chooseReading(
    readings.map((net) => ({ net, total: net + added })),
    dollarsToCents(row.total),
  );
  return reading?.net ?? null;
}

function saleOf(row: Sale, date: string, subtotal: number | null): ${type} {
  const fee = dollarsToCents(row.fee) ?? 0;
  return {
    type: "${businessType}",
    pos_sale_id: row.id,
    completed_by_replicated: true,
    subtotal,
    total_discounts: dollarsToCents(row.discount),
    tax_paid: dollarsToCents(row.tax),
    total_paid: dollarsToCents(row.total),
    date,
    transaction_type: "sale",
    employee_id: row.employee_id,
    line_items: row.items.map(lineItem),
    // The lines have the discounts.
    discounts: [],
    taxes: [{ flat_amount: dollarsToCents(row.tax), pct_amount: null, name: null }],
    payments: row.payments.map(({ type, amount }) => namedPayment(dollarsToCents(amount) ?? 0, type)),
    fees: fee ? [{ fee_name: null, percent_amount: null, flat_amount: fee, included_in_subtotal: false }] : [],
    ${fields}
  };
}

function lineItem({ product_id, name, quantity, unit_price, discount }: Item): PosLineItem {
  const off = dollarsToCents(discount) ?? 0;
  return {
    ...emptySaleLine,
    pos_product_id: product_id,
    product_name: name,
    num_units: quantity,
    price_per_unit: dollarsToFineCents(unit_price),
    line_item_discounts: off ? [{ flat_amount: off, pct_amount: null, name: null }] : [],
  };
}
`;
}
