import type { PosStore } from "../../connector.ts";
import { companyRecord } from "../../framework/companyRecord.ts";
import { dollarsToCents, dollarsToFineCents, nullIfNegative, price } from "../../framework/conversions/cents.ts";
import { cannabisOf, productCategory } from "../../framework/conversions/productCategory.ts";
import { emptyProduct, type PosCustomer, type PosProduct, posLocation } from "../../posRecords.ts";
import type { Customer, Item, Location, Warehouse } from "./responses.ts";

export const warehouseRecord = ({ WAREHOUSEID, NAME, WHENMODIFIED }: Warehouse) =>
  posLocation(WAREHOUSEID, NAME ?? `Warehouse ${WAREHOUSEID}`, WHENMODIFIED);

/** A location of a company without warehouses. The prefix distinguishes its id from the ids of warehouses and entities. */
export const locationRecord = ({ LOCATIONID, NAME, WHENMODIFIED }: Location) =>
  posLocation(`location-${LOCATIONID}`, NAME ?? `Location ${LOCATIONID}`, WHENMODIFIED);

export const entityPlace = ({ id, name }: PosStore) => posLocation(`entity-${id}`, name);

export function customerRecord(row: Customer): PosCustomer {
  return companyRecord({
    id: row.CUSTOMERID,
    name: row.NAME,
    email: row["DISPLAYCONTACT.EMAIL1"],
    phone: row["DISPLAYCONTACT.PHONE1"],
    license: null,
    address: [
      row["DISPLAYCONTACT.MAILADDRESS.ADDRESS1"],
      row["DISPLAYCONTACT.MAILADDRESS.ADDRESS2"],
      row["DISPLAYCONTACT.MAILADDRESS.CITY"],
      row["DISPLAYCONTACT.MAILADDRESS.STATE"],
      row["DISPLAYCONTACT.MAILADDRESS.ZIP"],
    ],
    updated: row.WHENMODIFIED,
  });
}

export function productRecord(row: Item): PosProduct {
  return {
    ...emptyProduct,
    pos_product_id: row.ITEMID,
    name: row.NAME ?? `Item ${row.ITEMID}`,
    svc_product_category_name: productCategory(row.PRODUCTLINEID),
    pos_product_category_name: row.PRODUCTLINEID,
    medicated: cannabisOf([row.PRODUCTLINEID]),
    sku: row.UPC,
    price: price(dollarsToCents(row.BASEPRICE)),
    unit_cost: nullIfNegative(dollarsToFineCents(row.STANDARD_COST)),
    pos_updated_date: row.WHENMODIFIED,
  };
}
