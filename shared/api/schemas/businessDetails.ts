import { CITY, EIN, PHONE, POSTAL_CODE } from "../patterns.ts";
import { country, entityType, state } from "./codes.ts";
import { anyName, anyText, countAsText, day, nameRule, patterned, text, website } from "./requestFields.ts";
import { count } from "./scalars.ts";

const city = patterned(CITY, "letters, spaces, dots and hyphens");
const postalCode = patterned(POSTAL_CODE, "a postal code, ##### or #####-####");

/**
 * Fields that a CRB may have at creation and may change later; none may be null (docs/spec.md#crb-update,
 * docs/spec.md#checks-of-a-new-crb).
 */
export const businessDetails = {
  street_address: text.exactOptional().describe("Street"),
  street_address_2: anyText.exactOptional().describe("Second address line"),
  city: city.exactOptional().describe("City"),
  postal_code: postalCode.exactOptional().describe("Postal code, `#####` or `#####-####`"),
  country: country.exactOptional(),
  mailing_street_address: text.exactOptional().describe("Street of the mailing address"),
  mailing_city: city.exactOptional().describe("City of the mailing address"),
  mailing_state: state.exactOptional().describe("State of the mailing address"),
  mailing_postal_code: postalCode.exactOptional().describe("Postal code of the mailing address"),
  ein: patterned(EIN, "an employer identification number, ##-#######")
    .exactOptional()
    .describe("Employer identification number, `##-#######`"),
  phone_number: patterned(PHONE, "a telephone number, (###) ###-####")
    .exactOptional()
    .describe("Telephone, `(###) ###-####`"),
  website: website.exactOptional().describe("Web address with the scheme `http` or `https`, or without a scheme"),
  established_date: day.exactOptional().describe("Day the business was established"),
  ftEmployees: count.exactOptional().describe("Full-time employees"),
  ptEmployees: count.exactOptional().describe("Part-time employees"),
  entityType: entityType.exactOptional(),
  dba: anyName.exactOptional().describe(`Trading name (Doing Business As); ${nameRule}`),
  monthlySales: countAsText.exactOptional().describe("Estimated monthly sales; text in responses"),
  monthlyCustomers: count.exactOptional().describe("Estimated monthly customers"),
};
