import * as z from "zod";
import {
  fields,
  flag,
  id,
  imageUrl,
  instant,
  list,
  longText,
  money,
  number,
  text,
} from "../../framework/wireFields.ts";

// The fields of Cova's responses that the connector reads. Amounts are dollars.

/** A token of iQmetrix, whose accounts Cova uses. Some clients read the lifetime as text. */
export const token = z.object({ access_token: z.string().min(1), expires_in: number });

/** The reason for a rejected sign-in, as OAuth 2 names it. */
export const signInFailure = z.object({ error: z.string() });

/** A list: bare as documented, or in the envelope that a client reads. */
export const rows = z.union([
  z.array(z.unknown()),
  z.object({ _embedded: z.object({ self: z.array(z.unknown()) }) }).transform(({ _embedded }) => _embedded.self),
]);

export const productPage = z.object({ Products: z.array(z.unknown()) });

/** The id of a row; null for the id of zeros, which .NET writes for a missing one. */
const optionalId = text.transform((value) => (/^[0-]*$/.test(value ?? "") ? null : value));

const place = z.object({
  ...{ StreetAddress1: text, StreetAddress2: text, AddressLine1: text, AddressLine2: text },
  ...{ Locality: text, City: text, StateCode: text, StateName: text, PostalCode: text, Zip: text },
});
export type Place = z.output<typeof place>;

/** A store of the company. Its id becomes part of a path. */
export const location = z.object({
  Id: id.pipe(z.string().regex(/^\d{1,15}$/, { error: "unreadable_character" })),
  Name: text,
  Address: place.nullish(),
});

export const customer = z.object({
  Id: id,
  ...fields(text, "PrimaryName", "MiddleName", "FamilyName", "DateOfBirth", "CustomerType"),
  MergedIntoCustomerId: optionalId,
  LastModifiedDateUtc: instant,
  Addresses: list(place.extend({ Default: flag })),
  ContactMethods: list(z.object({ ContactMethodCategory: text, Value: text, Default: flag })),
});
export type Customer = z.output<typeof customer>;

const price = z.object({ LocationId: text, TierId: text, GroupId: text, ShelfId: text, Price: money });

const item = z.object({ ProductId: id, Name: text, CatalogSku: text, UpdatedDateUtc: instant });

export const product = item.extend({
  ...fields(text, "ClassificationName", "ClassificationPath", "MeasurementType"),
  ...fields(longText, "LongDescription", "ShortDescription"),
  HeroShotUri: imageUrl,
  Prices: list(price),
  CompanyLevelRegularPrice: z.object({ Price: money }).nullish(),
});
export type Product = z.output<typeof product>;

/** The same row as a product, with its stock in each room of each store. */
export const stock = item.extend({
  Availability: z
    .array(z.object({ LocationId: text, PackageId: text, InStockQuantity: number, UpdatedDateUtc: instant }))
    .nullish(),
});
export type Stock = z.output<typeof stock>;

const line = z.object({
  ...fields(optionalId, "ProductId", "CatalogId", "CatalogItemId"),
  ...fields(text, "ProductName", "Classification"),
  Quantity: number,
  ...fields(money, "SoldAtPrice", "ListPrice"),
});
export type Line = z.output<typeof line>;

/** An amount with its name. Cova's pages do not show the fields of taxes, payments and discounts. */
const part = z.object({ Amount: money, TaxAmount: money, Value: money, Name: text, TaxName: text, PaymentType: text });
export type Part = z.output<typeof part>;

/** Whether a number of an identification is present. The number itself is not kept. */
const isPresent = text.transform((value) => value !== null);

export const invoice = z.object({
  Id: id,
  ...fields(text, "Type", "CustomerDateOfBirth", "Medical"),
  ...fields(optionalId, "SoldByEmployeeId", "CustomerId"),
  ...fields(isPresent, "MedicalRecommendationNumber", "DriverLicenseNumber"),
  CreatedDateUtc: instant,
  ...fields(money, "ChangeDue", "CashBack"),
  Taxes: list(part),
  PostTaxDiscounts: list(part),
  // Without these lists, nothing would be sold and paid, and the amounts of the invoice would seem to add up.
  Payments: z.array(part),
  Products: z.array(line),
});
export type Invoice = z.output<typeof invoice>;
