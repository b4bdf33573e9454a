import * as z from "zod";
import { states, timezones } from "../enumerations.ts";
import { uuid } from "./scalars.ts";

/** A service provider's organisation (contract 9.1). */
export const serviceProvider = z
  .strictObject({
    id: uuid.describe("The `sp_id`"),
    name: z.string(),
    street_address: z.string(),
    city: z.string(),
    ein: z.string().describe("Employer identification number"),
    phone_number: z.string(),
    postal_code: z.string(),
    country: z.string(),
    website: z.string(),
    state: z.enum(states),
    timezone: z.enum(timezones),
    primary_point_of_contact: z
      .strictObject({
        firstName: z.string(),
        lastName: z.string(),
        title: z.string(),
        emailAddress: z.string(),
        phoneNumber: z.string(),
      })
      .optional(),
  })
  .meta({ id: "ServiceProvider" });

export type ServiceProvider = z.output<typeof serviceProvider>;
