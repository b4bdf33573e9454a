import * as z from "zod";
import { linkedLicenseStatuses } from "../enumerations.ts";
import { license } from "./license.ts";
import { date, dateTime } from "./scalars.ts";

/** A license that a service provider has linked to a CRB (docs/spec.md#linked-licenses). */
export const linkedLicense = license
  .extend({
    status_date: date.describe(
      "First day of `status`: of `active` and `inactive` the date of the status in the register, of `expiring` 90 days before `expires_at`, of `expired` the day after `expires_at`, of `missing` the day of the import that lacked the license",
    ),
    linked_date: dateTime.describe("When the license was linked"),
    status: z
      .enum(linkedLicenseStatuses)
      .describe(
        "`inactive` if the register says so; `expiring` within 90 days before `expires_at`; `missing` if the present register lacks the license",
      ),
    register_date: date.describe("UTC day of the last import of the license's register"),
  })
  .meta({ id: "LinkedLicense", description: "A license that is linked to a CRB, as in the present register" });

export type LinkedLicense = z.output<typeof linkedLicense>;
