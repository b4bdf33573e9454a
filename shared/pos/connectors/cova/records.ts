import { sum } from "../../../money/sums.ts";
import { dollarsToCents, fine, price } from "../../framework/conversions/cents.ts";
import { images } from "../../framework/conversions/images.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { productCategory } from "../../framework/conversions/productCategory.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { emptyCustomer, emptyProduct, type PosCustomer, type PosInventory, type PosProduct } from "../../posRecords.ts";
import type { Customer, Place, Product, Stock } from "./responses.ts";

/** The parts of an address. Cova documents two names for each of them in the same example. */
export function addressOf(place: Place | null | undefined) {
  return {
    address_1: place?.StreetAddress1 ?? place?.AddressLine1 ?? null,
    address_2: place?.StreetAddress2 ?? place?.AddressLine2 ?? null,
    city: place?.Locality ?? place?.City ?? null,
    state: place?.StateCode ?? place?.StateName ?? null,
    zip_code: place?.PostalCode ?? place?.Zip ?? null,
  };
}

/** Cova does not show the fields that say whether a customer is a patient, nor those of identifications, so they are not read. */
export function customerRecord(row: Customer): PosCustomer {
  const contact = (category: string) =>
    preferred(row.ContactMethods.filter((one) => one.ContactMethodCategory?.toLowerCase() === category))?.Value ?? null;
  return {
    ...emptyCustomer,
    pos_customer_id: row.Id,
    first_name: row.PrimaryName,
    middle_name: row.MiddleName,
    last_name: row.FamilyName,
    dob: plainDay(row.DateOfBirth),
    ...addressOf(preferred(row.Addresses)),
    phone: contact("phone"),
    email_address: contact("email"),
    pos_customer_type: row.CustomerType,
    merged_into_pos_customer_id: row.MergedIntoCustomerId,
    pos_updated_date: row.LastModifiedDateUtc,
  };
}

const preferred = <Entry extends { Default: boolean | null }>(entries: readonly Entry[]): Entry | undefined =>
  entries.find((entry) => entry.Default) ?? entries[0];

export function productRecord(row: Product, locationId: string): PosProduct {
  return {
    ...emptyProduct,
    pos_product_id: row.ProductId,
    name: row.Name ?? `Product ${row.ProductId}`,
    svc_product_category_name: productCategory(row.ClassificationPath, row.ClassificationName),
    pos_product_category_name: row.ClassificationName,
    sku: row.CatalogSku,
    description: row.LongDescription ?? row.ShortDescription,
    pos_unit_of_measure: row.MeasurementType,
    price: price(dollarsToCents(priceOf(row, locationId))),
    pos_updated_date: row.UpdatedDateUtc,
    images: images([row.HeroShotUri]),
  };
}

/** The location's own price for all customers; else the company's price. A price of a tier, a group or a shelf is neither. */
function priceOf({ Prices, CompanyLevelRegularPrice }: Product, locationId: string): string | null {
  const own = Prices.find(
    ({ LocationId, TierId, GroupId, ShelfId }) => LocationId === locationId && !TierId && !GroupId && !ShelfId,
  );
  return own?.Price ?? CompanyLevelRegularPrice?.Price ?? null;
}

/** Rejects a product whose stock is unknown. An empty list means that the location has none. */
export function inventoryRecords(row: Stock, locationId: string): RecordsOrRejection<PosInventory> {
  if (!row.Availability) return { field: "Availability", reason: "no_quantity" };
  const own = row.Availability.filter(({ LocationId }) => LocationId === null || LocationId === locationId);
  const quantities = own.map(({ InStockQuantity }) => InStockQuantity);
  if (quantities.includes(null)) return { field: "Availability", reason: "no_quantity" };
  const packages = new Set(own.map(({ PackageId }) => PackageId));
  const dates = [row, ...own].flatMap(({ UpdatedDateUtc }) => UpdatedDateUtc ?? []).sort();
  return [
    {
      pos_inventory_id: row.ProductId,
      pos_product_id: row.ProductId,
      name: row.Name ?? `Product ${row.ProductId}`,
      sku: row.CatalogSku,
      barcode: packages.size === 1 ? ([...packages][0] ?? null) : null,
      total_quantity: fine(sum(quantities)),
      pos_updated_date: dates.at(-1) ?? null,
      location_data: null,
    },
  ];
}
