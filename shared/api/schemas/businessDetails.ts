import * as z from "zod";
import { countries } from "../countries.ts";
import { entityTypes, states } from "../enumerations.ts";
import { CITY, EIN, PHONE, POSTAL_CODE } from "../patterns.ts";
import { anyText, countAsText, day, patterned, text, website } from "./requestFields.ts";
import { count } from "./scalars.ts";

const city = patterned(CITY, "letters, spaces, dots and hyphens");
const postalCode = patterned(POSTAL_CODE, "a postal code, ##### or #####-####");

/** What a CRB may be created with and may change later; none may be null (contract 9.3 and 9.4). */
export const businessDetails = {
  street_address: text.exactOptional(),
  street_address_2: anyText.exactOptional(),
  city: city.exactOptional(),
  postal_code: postalCode.exactOptional(),
  country: z.enum(countries).exactOptional(),
  mailing_street_address: text.exactOptional(),
  mailing_city: city.exactOptional(),
  mailing_state: z.enum(states).exactOptional(),
  mailing_postal_code: postalCode.exactOptional(),
  ein: patterned(EIN, "an employer identification number, ##-#######").exactOptional(),
  phone_number: patterned(PHONE, "a telephone number, (###) ###-####").exactOptional(),
  website: website.exactOptional(),
  established_date: day.exactOptional().describe("Day the business was established"),
  ftEmployees: count.exactOptional().describe("Full-time employees"),
  ptEmployees: count.exactOptional().describe("Part-time employees"),
  entityType: z.enum(entityTypes).exactOptional().describe("Legal form"),
  dba: anyText.exactOptional().describe("Trading name (Doing Business As)"),
  monthlySales: countAsText.exactOptional().describe("Estimated monthly sales"),
  monthlyCustomers: count.exactOptional().describe("Estimated monthly customers"),
};
