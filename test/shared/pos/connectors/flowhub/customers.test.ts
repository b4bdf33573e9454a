import { expect, test } from "vitest";
import { customerRecord, nameParts } from "../../../../../shared/pos/connectors/flowhub/customerPages.ts";
import { customer } from "../../../../../shared/pos/connectors/flowhub/responses.ts";

test.each<[string | null, string | null, string | null, string | null]>([
  ["Ada Lovelace", "Ada", null, "Lovelace"],
  ["Ada Augusta  King Lovelace", "Ada", "Augusta King", "Lovelace"],
  ["Ada", "Ada", null, null],
  [null, null, null, null],
])("the name %s is split into its parts", (name, first_name, middle_name, last_name) => {
  expect(nameParts(name)).toEqual({ first_name, middle_name, last_name });
});

test("a customer is converted", () => {
  const row = customer.parse({
    id: "c",
    type: "medCustomer",
    birthDate: "1980-02-29T00:00:00Z",
    isLoyal: true,
    loyaltyPoints: 12.5,
    streetAddress1: "1 Main",
    updatedAt: "2026-03-10T19:30:00.123456Z",
  });
  expect(customerRecord(row)).toMatchObject({
    pos_customer_id: "c",
    svc_customer_type: "medical",
    pos_customer_type: "medCustomer",
    dob: "1980-02-29",
    loyalty_member: true,
    loyalty_points: "12.5",
    address_1: "1 Main",
    pos_updated_date: "2026-03-10T19:30:00.123Z",
    cell_phone: null,
  });
});
