import * as z from "zod";
import { holderMatches, licenseActorKinds, linkedLicenseStatuses } from "../enumerations.ts";
import { license } from "./license.ts";
import { person } from "./person.ts";
import { date, dateTime, uuid } from "./scalars.ts";

export const linkedBy = uuid
  .nullable()
  .describe("`client_id` of the credential, or id of the invitation, that linked it; null if the operator did");

export const licenseActorKind = z
  .enum(licenseActorKinds)
  .meta({
    id: "LicenseActorKind",
    description:
      "Who links or unlinks a license: a credential of the service provider, an invited user, or the operator",
  })
  .describe("Who linked it");

export const holderMatch = z
  .enum(holderMatches)
  .meta({ id: "HolderMatch", description: "How the names on a license relate to the names of the business" })
  .nullable()
  .describe(
    "How the holder and trade names of the license relate to `name` and `dba` of the CRB; null if the names do not say it, for example because the register names no holder",
  );

/** A license that is linked to a CRB (docs/spec.md#linked-licenses). */
export const linkedLicense = license
  .extend({
    status_date: date.describe(
      "First day of `status`: of `active`, `inactive` and `unknown` the date of the status in the register, of `expiring` 90 days before `expires_at`, of `expired` the day after `expires_at`, without one the date of the status in the register, of `missing` the day of the import that lacked the license",
    ),
    linked_date: dateTime.describe("When the license was linked"),
    linked_by: linkedBy,
    linked_by_person: person.nullable().describe("The person who linked it; null for programs and invited users"),
    linked_by_kind: licenseActorKind,
    holder_matches: holderMatch,
    status: z
      .enum(linkedLicenseStatuses)
      .describe(
        "`inactive` if the register says so; `unknown` if the register does not say whether the license permits business, or says before `expires_at` that it has expired; `expiring` within 90 days before `expires_at`; `missing` if the present register lacks the license",
      ),
    register_date: date.describe("UTC day of the last import of the license's register"),
  })
  .meta({ id: "LinkedLicense", description: "A license that is linked to a CRB, as in the present register" });

/** A linked license in the list of its CRB. */
export const crbLicense = linkedLicense
  .extend({
    also_linked_to: z
      .array(uuid)
      .describe("Other CRBs of the service provider that the license is linked to: a license has one holder"),
  })
  .meta({ id: "CrbLicense", description: "A license that is linked to a CRB, with the other CRBs that have it" });

export type CrbLicense = z.output<typeof crbLicense>;
export type LinkedLicense = z.output<typeof linkedLicense>;
