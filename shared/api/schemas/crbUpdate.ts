import * as z from "zod";
import { businessDetails } from "./businessDetails.ts";
import { timezone } from "./codes.ts";

/** Changes to a CRB. Fields that are not sent keep their values (docs/spec.md#crb-update). */
export const crbUpdate = z
  .strictObject({ timezone: timezone.exactOptional(), ...businessDetails })
  .meta({ id: "CrbUpdate", description: "Fields of a CRB to change; fields that are not sent stay unchanged" });
