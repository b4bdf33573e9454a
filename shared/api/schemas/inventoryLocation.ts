import * as z from "zod";
import { posTypeName } from "./codes.ts";
import { dateTime, localDateTime, uuid } from "./scalars.ts";

/** A place where a CRB keeps inventory, such as a room (docs/spec.md#products-and-inventory). */
export const inventoryLocation = z
  .strictObject({
    id: uuid.describe("The `location_id`"),
    crb_id: uuid.describe("Owning CRB"),
    name: z.string().describe("Name of the location"),
    pos_type: posTypeName.describe("Source POS"),
    pos_location_id: z.string().describe("Id in the POS"),
    pos_location_type: z.string().nullable().describe("Type in the POS, if it has one"),
    pos_updated_date: dateTime.nullable().describe("Last update in the POS"),
    pos_updated_date_local: localDateTime.nullable(),
    svc_created_date: dateTime.nullable().describe("When the record was created in the service"),
    svc_created_date_local: localDateTime.nullable(),
  })
  .meta({ id: "Location", description: "A place where a CRB keeps inventory, such as a room" });
