import { expect, test } from "vitest";
import { venueInfo } from "../../../../../shared/pos/connectors/posabit/responses.ts";
import { venueOf } from "../../../../../shared/pos/connectors/posabit/venue.ts";

const venue = (fields: object) => venueOf(venueInfo.parse({ name: "Example Dispensary", ...fields }));

test.each<[object, object]>([
  [{}, { name: "Example Dispensary", address: null, timezone: null, hasTaxInPrices: false }],
  [
    {
      address: "1 Main St, Kirkland, WA",
      street_address_line_1: "1 Main St",
      city: "Kirkland",
      state: "WA",
      zip_code: 98000,
    },
    { address: "1 Main St, Kirkland, WA 98000" },
  ],
  [{ address: "1 Main St, Kirkland, WA" }, { address: "1 Main St, Kirkland, WA" }],
  [{ timezone: "Pacific Time (US & Canada)" }, { timezone: "America/Los_Angeles" }],
  [{ timezone: "Arizona" }, { timezone: "America/Phoenix" }],
  [{ timezone: "America/Denver" }, { timezone: "America/Denver" }],
  [{ timezone: "Europe/Paris" }, { timezone: null }],
  [
    {
      tax_rates: [
        { rate: 3700, price_included: false },
        { rate: 900, price_included: true },
      ],
    },
    { hasTaxInPrices: true },
  ],
  [{ tax_rates: [{ rate: 3700, price_included: false }] }, { hasTaxInPrices: false }],
])("a venue %j is converted", (fields, expected) => {
  expect(venue(fields)).toMatchObject(expected);
});

test("a response without a name describes no venue", () => {
  expect(venueInfo.safeParse({ venues: [{ name: "Example Dispensary" }] }).success).toBe(false);
});
