import * as z from "zod";
import { timezones } from "../enumerations.ts";
import { businessDetails } from "./businessDetails.ts";

/** What to change of a CRB; what is not sent stays as it is (contract 9.3). */
export const crbUpdate = z
  .strictObject({ timezone: z.enum(timezones).exactOptional(), ...businessDetails })
  .meta({ id: "CrbUpdate" });
