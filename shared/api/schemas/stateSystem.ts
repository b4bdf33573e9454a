import * as z from "zod";
import { stateBases } from "../../insights/stateCodes.ts";
import { metrcCustomerTypes, stateConnectionErrors, stateConnectionStatuses, stateSystems } from "../enumerations.ts";
import { state } from "./codes.ts";
import { depositId } from "./deposit.ts";
import { digest } from "./digest.ts";
import { licenseActorKind } from "./linkedLicense.ts";
import { person } from "./person.ts";
import { cents, count, date, dateTime, openEnum, uuid } from "./scalars.ts";

/** A license number in a path. It has the form of other ids that no service chose. */
export const licenseNumber = depositId;

const stateSystem = openEnum(stateSystems, {
  id: "StateSystem",
  description: "The track-and-trace system of a state, in which its licenses record their sales",
});

export const stateConnectionRequest = z
  .strictObject({
    system: z.enum(stateSystems).describe("The system of the state that issued the license"),
    user_key: z
      .string()
      .regex(/^[!-~]{1,255}$/, { error: "must be 1 to 255 visible ASCII characters" })
      .describe("A key of a user of the business who may only view sales"),
  })
  .meta({ id: "StateConnectionRequest", description: "A connection of a license to the state's system" });

export const stateConnection = z
  .strictObject({
    license_number: z.string().describe("The license, as in `license_identifier` of the linked license"),
    system: stateSystem,
    state: state.describe("The state that issued the license"),
    status: openEnum(stateConnectionStatuses, {
      id: "StateConnectionStatus",
      description: "`waiting` until the first reading, `failing` if the last reading failed, else `current`",
    }),
    error: openEnum(stateConnectionErrors, { id: "StateConnectionError", description: "Why the last reading failed" })
      .nullable()
      .describe("Why the last reading failed; null otherwise"),
    data_as_of: dateTime.nullable().describe("The last reading that succeeded; null before"),
    view_only: z
      .boolean()
      .nullable()
      .describe(
        "true if the system has shown that the key cannot manage sales; null if it does not show the permissions of the key",
      ),
    connected_date: dateTime.describe("When the present key was stored"),
    connected_by: uuid
      .nullable()
      .describe(
        "`client_id` of the credential, or id of the invitation, that stored the key; null for invited users if the service provider stored it",
      ),
    connected_by_person: person
      .nullable()
      .describe("The person who stored the key; null for programs and invited users"),
    connected_by_kind: licenseActorKind.describe("Who stored the key"),
  })
  .meta({ id: "StateConnection", description: "A connection of a license to the state's system, without its key" });

export type StateConnection = z.output<typeof stateConnection>;

const stateCustomerSum = z
  .strictObject({
    type: openEnum(metrcCustomerTypes, {
      id: "StateCustomerType",
      description: "Type of customer in a receipt; `Other` for one that is not known",
    }),
    receipts: count.describe("Number of receipts that are not voided"),
    total: cents.describe("Cents: sum of their totals"),
  })
  .meta({ id: "StateDayCustomers", description: "The receipts of a state day with one type of customer" });

/** The totals of a license on one day, as the state's system has them (docs/spec.md#state-days). */
export const stateDay = z
  .strictObject({
    crb_id: uuid.describe("Owning CRB"),
    date: date.describe("Business day: the local day of the sales"),
    license_number: z.string().describe("The license"),
    system: stateSystem,
    receipts: count.describe("Number of receipts that are not voided"),
    voided: count.describe("Number of voided receipts"),
    total: cents.describe("Cents: sum of the totals of the receipts that are not voided"),
    by_customer_type: z
      .array(stateCustomerSum)
      .describe("The same by type of customer, without types that do not occur"),
    data_as_of: dateTime.describe("When the day was read from the state's system"),
    complete: z.boolean().describe("Whether the day had ended at that time, and all its receipts could be read"),
    digest: digest.describe("Digest of the receipts of the day. Equal digests mean equal receipts"),
    pos_total: cents
      .nullable()
      .describe("`total_paid` of the complete sales day; null if it is not complete, or a sale lacks it"),
    pos_subtotal: cents
      .nullable()
      .describe("`subtotal` of the complete sales day; null if it is not complete, or a sale lacks it"),
    variance: cents
      .nullable()
      .describe(
        "Cents: the totals of all licenses on the day, less the figure that `basis` names. Null unless the day is complete in the POS, for each connected license, and for each other linked license that may have had sales, and the figure is known",
      ),
    variance_percent: z
      .number()
      .nullable()
      .describe("`variance` in percent of that figure; null if the figure is 0 or unknown"),
    basis: z
      .enum(stateBases)
      .nullable()
      .describe(
        "The figure of the sales day that is nearer to the totals of this CRB; null before the first comparison",
      ),
  })
  .meta({
    id: "StateDay",
    description: "The totals of a license on one day in the state's system, next to the sales day",
  });

export type StateDay = z.output<typeof stateDay>;
