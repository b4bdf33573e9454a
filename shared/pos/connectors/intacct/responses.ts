import * as z from "zod";
import { fields, id, instant, list, money, number, text } from "../../framework/wireFields.ts";

// The fields of Intacct's responses. Values are text, and an element that occurs once is parsed as a value, not as a list.
// Amounts are dollars. Requests ask Intacct only for the fields of these schemas.

/** An element that occurs once or several times. */
const several = <T extends z.ZodType>(of: T) =>
  z.union([z.array(of), z.literal("").transform(() => []), of.transform((one) => [one])]).optional();

const status = z.object({ status: text });
const errors = z
  .object({ error: several(z.object({ errorno: text, description2: text }).partial()) })
  .or(z.literal(""))
  .nullish()
  .transform((value) => (value ? (value.error ?? []) : []));
export type Errors = z.output<typeof errors>;

export const response = z.object({
  response: z.object({
    control: status,
    errormessage: errors,
    operation: z
      .object({
        authentication: status,
        errormessage: errors,
        result: z.object({ status: text, errormessage: errors, data: z.unknown().optional() }).optional(),
      })
      .optional(),
  }),
});
export type Response = z.output<typeof response>["response"];

export const session = z.object({ api: z.object({ sessionid: id, endpoint: id }) });

export const page = z.looseObject({ "@numremaining": number, "@totalcount": number });

/** The definition of an object. The path of a related object and a dot precede the names of its fields. */
export const definition = z
  .object({
    Type: z.object({
      Fields: z.object({ Field: several(z.object({ ID: text })) }),
      Relationships: z
        .object({ Relationship: several(z.object({ OBJECTPATH: text })) })
        .or(z.literal("").transform(() => undefined))
        .nullish(),
    }),
  })
  .transform(({ Type: { Fields, Relationships } }) => ({
    fields: new Set((Fields.Field ?? []).map(({ ID }) => ID)),
    related: new Set((Relationships?.Relationship ?? []).map(({ OBJECTPATH }) => OBJECTPATH)),
  }));
export type Definition = z.output<typeof definition>;

export const entity = z.object({ RECORDNO: text, LOCATIONID: id, NAME: text });

/** The entity of a row; null if the row belongs to the whole company. */
const ofEntity = { MEGAENTITYID: text };

export const warehouse = z.object({
  ...fields(text, "RECORDNO", "NAME"),
  WAREHOUSEID: id,
  WHENMODIFIED: instant,
  ...ofEntity,
});
export type Warehouse = z.output<typeof warehouse>;

export const location = z.object({ RECORDNO: text, LOCATIONID: id, NAME: text, WHENMODIFIED: instant });
export type Location = z.output<typeof location>;

export const customer = z.object({
  ...fields(text, "RECORDNO", "NAME", "DISPLAYCONTACT.EMAIL1", "DISPLAYCONTACT.PHONE1"),
  ...fields(text, "DISPLAYCONTACT.MAILADDRESS.ADDRESS1", "DISPLAYCONTACT.MAILADDRESS.ADDRESS2"),
  ...fields(text, "DISPLAYCONTACT.MAILADDRESS.CITY", "DISPLAYCONTACT.MAILADDRESS.STATE"),
  "DISPLAYCONTACT.MAILADDRESS.ZIP": text,
  CUSTOMERID: id,
  WHENMODIFIED: instant,
  ...ofEntity,
});
export type Customer = z.output<typeof customer>;

export const item = z.object({
  ...fields(text, "RECORDNO", "NAME", "PRODUCTLINEID", "UPC"),
  ITEMID: id,
  ...fields(money, "BASEPRICE", "STANDARD_COST"),
  WHENMODIFIED: instant,
  ...ofEntity,
});
export type Item = z.output<typeof item>;

/** A line of an invoice. It has no number of units, so its amount is not a unit price. */
export const line = z.object({ RECORDNO: text, RECORDKEY: id, ITEMID: text, ITEMNAME: text, AMOUNT: money });
export type Line = z.output<typeof line>;

/** A line of a document of Order Entry. `DOCNO` is the number of the invoice that was posted from the document. */
export const entry = z.object({
  ...fields(text, "RECORDNO", "ITEMID", "ITEMNAME", "UNIT"),
  DOCNO: id,
  QUANTITY: number,
  ...fields(money, "PRICE", "TOTAL"),
});
export type Entry = z.output<typeof entry>;

/** An adjustment: a credit memo if its total is below 0, else a debit memo. */
export const adjustment = z.object({
  RECORDNO: id,
  ...fields(text, "RECORDID", "CUSTOMERID", "WHENCREATED", "STATE", "CURRENCY", "BASECURR", "DESCRIPTION"),
  ...fields(money, "TOTALENTERED", "TOTALPAID", "TOTALDUE"),
  WHENMODIFIED: instant,
  ...ofEntity,
});
export type Adjustment = z.output<typeof adjustment>;

export const invoice = adjustment.extend({ lines: list(line), entries: list(entry) });
export type Invoice = z.output<typeof invoice>;
