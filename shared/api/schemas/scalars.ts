import * as z from "zod";
import { LOCAL_DATE_TIME, UUID } from "../patterns.ts";

/** The plain types of record fields (docs/spec.md#identifiers-times-and-money). */
export const uuid = z.string().regex(UUID).meta({ format: "uuid" });
const int32 = z.int32().meta({ format: "int32" });
export const count = int32.min(0);
/** ISO 8601 UTC with milliseconds and `Z`. */
export const dateTime = z.iso.datetime({ precision: 3 });
export const date = z.iso.date();
/** A moment in the CRB's own time zone. */
export const localDateTime = z
  .string()
  .regex(LOCAL_DATE_TIME)
  .meta({ id: "LocalDateTime", description: "A moment in the CRB's time zone, `yyyy-MM-dd HH:mm:ss.SSS`" });
/** A whole amount in cents; negative in a return. A sum may exceed 32 bits. */
export const cents = z.int().meta({ format: "int64" });
/** A moment of a token or a link. The unit is that of the field's description. */
export const epoch = z.int().meta({ format: "int64" });
/** A price in whole cents. */
export const price = int32.min(0);

/** Milligrams of THC in one unit of a product or of a line (docs/spec.md#thc). */
export const thcPerUnit = z
  .number()
  .min(0)
  .nullable()
  .describe("Milligrams of THC in one unit; null unless the POS certainly states it");

/**
 * An enumeration of responses that may get values in any release (docs/spec.md#open-enumerations). In the API description it
 * is a string with the known values as `x-extensible-enum`, so that generated clients accept unknown values.
 */
export const openEnum = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  { id, description }: { id: string; description: string },
) =>
  z
    .enum(values)
    .meta({
      id,
      description: `${description}. More values may come at any time: accept those that you do not know`,
      "x-extensible-enum": values,
    });
