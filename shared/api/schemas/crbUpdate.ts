import * as z from "zod";
import { businessDetails } from "./businessDetails.ts";
import { timezone } from "./codes.ts";

/** What to change of a CRB; what is not sent stays as it is (contract 9.3). */
export const crbUpdate = z
  .strictObject({ timezone: timezone.exactOptional(), ...businessDetails })
  .meta({ id: "CrbUpdate", description: "What to change of a CRB; what is not sent stays as it is" });
