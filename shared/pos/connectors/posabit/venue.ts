import { timezones } from "../../../api/enumerations.ts";
import { address } from "../../framework/conversions/address.ts";
import type { VenueInfo } from "./responses.ts";

/** The facts about a venue that POSaBIT describes. */
export interface Venue {
  name: string;
  address: string | null;
  /** IANA name; null if POSaBIT states no time zone or an unknown time zone */
  timezone: string | null;
  /** whether prices of products include at least one tax */
  hasTaxInPrices: boolean;
}

export function venueOf(info: VenueInfo): Venue {
  return {
    name: info.name,
    address: address(info.street_address_line_1, info.city, [info.state, info.zip_code]) ?? info.address,
    timezone: timezoneOf(info.timezone),
    hasTaxInPrices: info.tax_rates.some(({ price_included }) => price_included),
  };
}

/** The time zones of the United States by their names in Ruby on Rails, which POSaBIT uses. */
const railsTimezones = new Map([
  ["Eastern Time (US & Canada)", "America/New_York"],
  ["Indiana (East)", "America/Indiana/Indianapolis"],
  ["Central Time (US & Canada)", "America/Chicago"],
  ["Mountain Time (US & Canada)", "America/Denver"],
  ["Arizona", "America/Phoenix"],
  ["Pacific Time (US & Canada)", "America/Los_Angeles"],
  ["Alaska", "America/Juneau"],
  ["Hawaii", "Pacific/Honolulu"],
  ["Puerto Rico", "America/Puerto_Rico"],
  ["Guam", "Pacific/Guam"],
  ["American Samoa", "Pacific/Pago_Pago"],
]);

function timezoneOf(name: string | null): string | null {
  const found = railsTimezones.get(name ?? "") ?? name;
  return timezones.find((timezone) => timezone === found) ?? null;
}
