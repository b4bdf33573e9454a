import { amountsOf, rooms, type Shop, type ShopCustomer, type ShopProduct, type ShopSale } from "./shop.ts";

// The shop's records as objects of Intacct. The forms of invoices, of their lines, and of the lines of Order Entry follow public
// client code (C in docs/pos/sage-intacct.md). Fees, discounts and taxes as lines are assumptions (A).

/** A row's fields; each row has its record number. */
export type IntacctRow = Readonly<Record<string, string>>;

/** The contact of a customer, which is an object of its own. */
export const related = "DISPLAYCONTACT";

/** A row that is created only when needed. Its record number is always known. */
export interface ListedRow {
  number: number;
  make(): IntacctRow;
}

/** A company's rows of an object. */
export interface IntacctObject {
  /** any of its rows */
  sample: IntacctRow | undefined;
  /** rows in the order of their record numbers; with keys, at least those that belong to them */
  rows(keys?: ReadonlySet<string>): readonly ListedRow[];
}

/** @param entity the session's entity: that of the shop, or none */
export function objectOf(shop: Shop, object: string, entity: string): IntacctObject | undefined {
  if (object === "ARINVOICEITEM") return linesOfInvoices(shop, object, (sale) => `${sale.number}`, linesOf);
  if (object === "SODOCUMENTENTRY") return linesOfInvoices(shop, object, numberOf, entriesOf);
  const find = finders[object];
  if (!find) return undefined;
  const rows = shop.views.of(object, entity, () => find(shop, entity).toSorted((a, b) => a.number - b.number));
  return { sample: rows[0]?.make(), rows: () => rows };
}

const finders: Readonly<Record<string, (shop: Shop, entity: string) => ListedRow[]>> = {
  LOCATION: () =>
    rooms.map(({ number, name }) => listed({ RECORDNO: `${number}`, LOCATIONID: `L${number}`, NAME: name })),
  WAREHOUSE: () =>
    withElsewhere(rooms).map(({ number, name }) =>
      listed({ RECORDNO: `${number}`, WAREHOUSEID: `W${number}`, NAME: name, MEGAENTITYID: entityOf(number) }),
    ),
  CUSTOMER: ({ customers }) =>
    withElsewhere(customers).map((one) => ({ number: one.number, make: () => customerRow(one) })),
  ITEM: ({ products }) => withElsewhere(products).map((one) => ({ number: one.number, make: () => itemRow(one) })),
  ARINVOICE: (shop, entity) => [
    ...invoicesOf(shop).map((sale) => ({ number: sale.number, make: () => document(sale, amountsOf(sale).total) })),
    ...(entity === "E100" ? [] : [listed({ RECORDNO: "9999999", TOTALENTERED: "1", STATE: "Posted" })]),
  ],
  ARADJUSTMENT: ({ sales }) =>
    sales
      .filter(({ kind, original }) => kind === "retail" && original !== null)
      .map((sale) => ({ number: sale.number, make: () => document(sale, -amountsOf(sale).total) })),
};

/** The record number of a row of the other entity. No shop has as many rows. */
const elsewhere = 9_999_998;

const withElsewhere = <Row extends { number: number }>(rows: readonly Row[]): Row[] => [
  ...rows,
  ...rows.slice(0, 1).map((row) => ({ ...row, number: elsewhere })),
];

/** The entity of a row; none if it belongs to the whole company. */
function entityOf(number: number): string {
  if (number === elsewhere) return "E200";
  return number % 5 === 0 ? "" : "E100";
}

export function listed(row: IntacctRow): ListedRow {
  return { number: Number(row.RECORDNO), make: () => row };
}

/** Wholesale sales are those of the other entity. */
const invoicesOf = ({ sales }: Shop) => sales.filter(({ original }) => original === null);

function linesOfInvoices(
  shop: Shop,
  object: string,
  keyOf: (sale: ShopSale) => string,
  linesOf: (sale: ShopSale) => IntacctRow[],
): IntacctObject {
  const invoices = shop.views.of(object, "", () => {
    const inOrder = invoicesOf(shop).toSorted((a, b) => a.number - b.number);
    return new Map(inOrder.map((sale) => [keyOf(sale), sale]));
  });
  return {
    sample: invoices.values().flatMap(linesOf).next().value,
    rows: (keys) => {
      const wanted = keys ? [...keys].flatMap((key) => invoices.get(key) ?? []) : [...invoices.values()];
      const rows = wanted.flatMap(linesOf).map(listed);
      return rows.sort((a, b) => a.number - b.number);
    },
  };
}

function customerRow({ number, lastName, email, phone, street, changedAt }: ShopCustomer): IntacctRow {
  return {
    RECORDNO: `${number}`,
    CUSTOMERID: `C-${number}`,
    NAME: lastName,
    [`${related}.EMAIL1`]: email,
    [`${related}.PHONE1`]: phone,
    [`${related}.MAILADDRESS.ADDRESS1`]: street,
    [`${related}.MAILADDRESS.ADDRESS2`]: "",
    [`${related}.MAILADDRESS.CITY`]: "Boulder",
    [`${related}.MAILADDRESS.STATE`]: "CO",
    [`${related}.MAILADDRESS.ZIP`]: "80302",
    WHENMODIFIED: modified(changedAt),
    MEGAENTITYID: entityOf(number),
  };
}

function itemRow({ number, name, kind, price, cost, changedAt }: ShopProduct): IntacctRow {
  return {
    RECORDNO: `${number}`,
    ITEMID: `I-${number}`,
    NAME: `${name} <"&'>`,
    PRODUCTLINEID: kind,
    UPC: `0${number}`,
    BASEPRICE: dollars(price),
    STANDARD_COST: dollars(cost),
    WHENMODIFIED: modified(changedAt),
    MEGAENTITYID: entityOf(number),
  };
}

/** The lines of an invoice: products, a fee, a discount, and the tax. */
function linesOf(sale: ShopSale): IntacctRow[] {
  const { discount, tax } = amountsOf(sale);
  const lines = [
    ...entriesOf(sale).map(({ ITEMID = "", ITEMNAME = "", TOTAL = "" }) => ({ ITEMID, ITEMNAME, AMOUNT: TOTAL })),
    ...(discount === 0 ? [] : [{ ITEMID: "DISCOUNT", ITEMNAME: "Volume", AMOUNT: dollars(-discount) }]),
    { ITEMID: "TAX", ITEMNAME: "State tax", AMOUNT: dollars(tax) },
  ];
  return lines.map((line, at) => ({ RECORDNO: `${sale.number * 10 + at}`, RECORDKEY: `${sale.number}`, ...line }));
}

/** The products of an invoice in Order Entry. */
function entriesOf(sale: ShopSale): IntacctRow[] {
  const products = sale.lines.map(({ product: { number, name }, quantity, price }) => ({
    ...{ ITEMID: `I-${number}`, ITEMNAME: name, quantity, price },
  }));
  const fees = sale.fee === 0 ? [] : [{ ITEMID: "FREIGHT", ITEMNAME: "Delivery", quantity: 1, price: sale.fee }];
  return [...products, ...fees].map(({ ITEMID, ITEMNAME, quantity, price }, at) => ({
    RECORDNO: `${sale.number * 10 + at}`,
    DOCNO: numberOf(sale),
    ITEMID,
    ITEMNAME,
    QUANTITY: `${quantity}`,
    UNIT: "Each",
    PRICE: dollars(price),
    TOTAL: dollars(price * quantity),
  }));
}

const numberOf = ({ number }: ShopSale) => `INV-${number}`;

/** A sale that the shop voids is posted here, because the storage of a reversed sale depends on an earlier pull. */
const states = { sold: "Paid", voided: "Posted", pending: "Draft", canceled: "Reversed" } as const;

/** Some pending documents have an unknown state. */
const stateOf = ({ number, status }: ShopSale) =>
  status === "pending" && number % 4 === 2 ? "Disputed" : states[status];

/** An invoice, or an adjustment. */
export function document(sale: ShopSale, total: number): IntacctRow {
  const { number, kind, customer, at, changedAt } = sale;
  const state = stateOf(sale);
  return {
    RECORDNO: `${number}`,
    RECORDID: numberOf(sale),
    CUSTOMERID: customer ? `C-${customer.number}` : "",
    WHENCREATED: modified(at).slice(0, 10),
    TOTALENTERED: dollars(total),
    TOTALPAID: dollars(total),
    TOTALDUE: "0",
    STATE: number % 2 === 0 ? state : state.toUpperCase(),
    CURRENCY: kind === "transfer" ? "CAD" : "USD",
    BASECURR: "USD",
    DESCRIPTION: "",
    WHENMODIFIED: modified(changedAt),
    MEGAENTITYID: kind === "wholesale" ? "E200" : entityOf(number),
  };
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

function modified(instant: number): string {
  const [year, month, day, time] = new Date(instant).toISOString().split(/[-T.]/);
  return `${month}/${day}/${year} ${time}`;
}
