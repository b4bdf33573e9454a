import { amountsOf, rooms, type Shop, type ShopCustomer, type ShopProduct, type ShopSale } from "./shop.ts";

// What a shop holds as Intacct's objects have it.

/** A row's fields; each row has its record number. */
export type IntacctRow = Readonly<Record<string, string>>;

/** Of the contact of a customer, which is an object of its own. */
export const related = "DISPLAYCONTACT";

/** @param entity of the session: that of the shop, or none */
export function rowsOf(shop: Shop, object: string, entity: string): IntacctRow[] | undefined {
  const invoices = () => shop.sales.filter(({ kind, original }) => kind !== "wholesale" && original === null);
  const elsewhere = entity === "E100" ? [] : [{ RECORDNO: "9999999", TOTALENTERED: "1", STATE: "Posted" }];
  switch (object) {
    case "LOCATION":
      return rooms.map(({ number, name }) => ({ RECORDNO: `${number}`, LOCATIONID: `L${number}`, NAME: name }));
    case "WAREHOUSE":
      return rooms.map(({ number, name }) => ({ RECORDNO: `${number}`, WAREHOUSEID: `W${number}`, NAME: name }));
    case "CUSTOMER":
      return shop.customers.map(customerRow);
    case "ITEM":
      return shop.products.map(itemRow);
    case "ARINVOICE":
      return [...invoices().map((sale) => document(sale, amountsOf(sale).total)), ...elsewhere];
    case "ARINVOICEITEM":
      return invoices().flatMap(linesOf);
    case "ARADJUSTMENT":
      return shop.sales
        .filter(({ kind, original }) => kind === "retail" && original !== null)
        .map((sale) => document(sale, -amountsOf(sale).total));
  }
  return undefined;
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
  };
}

function linesOf({ number, lines }: ShopSale): IntacctRow[] {
  return lines.map(({ product }, at) => ({
    RECORDNO: `${number * 10 + at}`,
    RECORDKEY: `${number}`,
    ITEMID: `I-${product.number}`,
    ITEMNAME: product.name,
  }));
}

/** What is voided elsewhere is posted here: whether what is reversed is stored depends on who looked at it before. */
const states = { sold: "Paid", voided: "Posted", pending: "Draft", canceled: "Reversed" } as const;

/** An invoice, or an adjustment. */
export function document({ number, kind, customer, status, at, changedAt }: ShopSale, total: number): IntacctRow {
  return {
    RECORDNO: `${number}`,
    RECORDID: `INV-${number}`,
    CUSTOMERID: customer ? `C-${customer.number}` : "",
    WHENCREATED: modified(at).slice(0, 10),
    TOTALENTERED: dollars(total),
    TOTALPAID: dollars(total),
    TOTALDUE: "0",
    STATE: states[status],
    CURRENCY: kind === "transfer" ? "CAD" : "USD",
    BASECURR: "USD",
    DESCRIPTION: "",
    WHENMODIFIED: modified(changedAt),
  };
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

function modified(instant: number): string {
  const [year, month, day, time] = new Date(instant).toISOString().split(/[-T.]/);
  return `${month}/${day}/${year} ${time}`;
}
