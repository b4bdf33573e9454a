import * as z from "zod";
import { state, timezone } from "./codes.ts";
import { name, onlyWeb, withoutOtherScheme } from "./requestFields.ts";
import { uuid } from "./scalars.ts";

const contactPerson = z.strictObject({
  firstName: z.string().describe("First name"),
  lastName: z.string().describe("Last name"),
  title: z.string().describe("Position"),
  emailAddress: z.string().describe("E-mail address"),
  phoneNumber: z.string().describe("Telephone"),
});

/** A service provider's organization (docs/spec.md#crb-records). */
export const serviceProvider = z
  .strictObject({
    id: uuid.describe("The `sp_id`"),
    name: z.string().describe("Name of the organization"),
    street_address: z.string().describe("Street"),
    city: z.string().describe("City"),
    ein: z.string().describe("Employer identification number"),
    phone_number: z.string().describe("Telephone"),
    postal_code: z.string().describe("Postal code"),
    country: z.string().describe("Country"),
    website: z.string().describe("Web address"),
    state,
    timezone,
    primary_point_of_contact: contactPerson.optional().describe("Contact person"),
  })
  .meta({ id: "ServiceProvider", description: "A service provider's organization" });

export type ServiceProvider = z.output<typeof serviceProvider>;

/** A service provider as the operator enters it: names and web address follow docs/spec.md#patterns-and-value-lists. */
export const enteredServiceProvider = serviceProvider.extend({
  name,
  website: z.string().refine(withoutOtherScheme, onlyWeb),
  primary_point_of_contact: contactPerson.extend({ firstName: name, lastName: name }).exactOptional(),
});
