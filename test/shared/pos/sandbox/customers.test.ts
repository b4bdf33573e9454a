import { beforeAll, describe, expect, test } from "vitest";
import { states } from "../../../../shared/api/enumerations.ts";
import { CITY, POSTAL_CODE } from "../../../../shared/api/patterns.ts";
import type { PosCustomer } from "../../../../shared/pos/posRecords.ts";
import { placesIn } from "../../../../shared/pos/sandbox/places.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { pullAll, testConnection } from "./testConnection.ts";

let shoppers: PosCustomer[];
let buyers: PosCustomer[];

beforeAll(async () => {
  const connector = sandboxConnector(15);
  const now = "2026-03-02T00:00:00.000Z";
  shoppers = (await pullAll("customer", connector, testConnection, null, now)).records;
  buyers = (await pullAll("customer", connector, { ...testConnection, businessType: "wholesale" }, null, now)).records;
});

/** The percentage of records with a property. */
function share(records: PosCustomer[], holds: (record: PosCustomer) => boolean): number {
  return (100 * records.filter(holds).length) / records.length;
}

test("every state has realistic places", () => {
  for (const state of states) {
    for (const { city, zipCodes, areaCodes } of placesIn(state)) {
      expect(city).toMatch(CITY);
      for (const zipCode of zipCodes) expect(zipCode).toMatch(POSTAL_CODE);
      for (const areaCode of areaCodes) expect(areaCode).toMatch(/^[2-9]\d{2}$/);
    }
  }
});

describe("customers of a shop", () => {
  test("live in its state, at a consistent address", () => {
    const places = new Map(placesIn("CO").map((place) => [place.city, place]));
    const housed = shoppers.filter(({ city }) => city !== null);
    expect(housed.length).toBeGreaterThan(1700);
    for (const { city, state, zip_code, address_1 } of housed) {
      expect(state).toBe("CO");
      expect(places.get(city ?? "")?.zipCodes).toContain(zip_code);
      expect(address_1).toMatch(/^\d+ \w+ \w+$/);
    }
  });

  test("have no real phone number or mailbox", () => {
    const areaCodes = placesIn("CO").flatMap((place) => place.areaCodes);
    for (const { phone, cell_phone, email_address } of shoppers) {
      for (const number of [phone, cell_phone]) {
        if (number === null) continue;
        expect(number).toMatch(/^\(\d{3}\) 555-01\d{2}$/);
        expect(areaCodes).toContain(number.slice(1, 4));
      }
      if (email_address !== null) expect(email_address).toMatch(/^[a-z]+\.[a-z]+\d+@(\w+\.)?example\.com$/);
    }
  });

  test("are of age, medical or adult-use, with matching ids", () => {
    for (const record of shoppers.filter(({ anonymous }) => !anonymous)) {
      expect(record.dob && record.dob > "1945" && record.dob < "2005-03-02").toBe(true);
      expect(record.medical_id === null).toBe(record.svc_customer_type !== "medical");
      const papers = [
        [record.medical_id, record.medical_id_expiration_date],
        [record.drivers_license_id, record.drivers_license_expiration_date],
        [record.other_id, record.other_id_expiration_date],
      ];
      for (const [id, expires] of papers) {
        expect(id === null).toBe(expires === null);
        if (expires !== null) expect(expires).toMatch(/^20\d\d-\d\d-\d\d$/);
      }
      expect(record.loyalty_points === null).toBe(record.loyalty_member !== true);
      if (record.loyalty_points !== null) expect(record.loyalty_points).toMatch(/^\d+(\.\d{1,2})?$/);
    }
    expect(share(shoppers, ({ svc_customer_type }) => svc_customer_type === "medical")).toBeGreaterThan(20);
    expect(share(shoppers, ({ svc_customer_type }) => svc_customer_type === "rec")).toBeGreaterThan(50);
  });

  test("are anonymous in some cases, and then have only an id", () => {
    const guests = shoppers.filter(({ anonymous }) => anonymous);
    expect(share(shoppers, ({ anonymous }) => anonymous === true)).toBeGreaterThan(1);
    expect(share(shoppers, ({ anonymous }) => anonymous === true)).toBeLessThan(6);
    for (const guest of guests) {
      const known = Object.entries(guest)
        .filter(([, value]) => value !== null)
        .map(([field]) => field);
      expect(known.sort()).toEqual([
        "anonymous",
        "pos_customer_id",
        "pos_customer_type",
        "pos_updated_date",
        "svc_customer_type",
      ]);
    }
  });

  test("lack some values", () => {
    for (const field of ["middle_name", "address_2", "phone", "cell_phone", "email_address", "gender"] as const) {
      expect(share(shoppers, (record) => record[field] === null)).toBeGreaterThan(5);
      expect(share(shoppers, (record) => record[field] === null)).toBeLessThan(95);
    }
  });
});

test("customers of a wholesaler are people who buy for a business", () => {
  for (const buyer of buyers) {
    expect(buyer).toMatchObject({ anonymous: false, svc_customer_type: null, dob: null, medical_id: null });
    expect(buyer.other_id).toMatch(/^CO-\d{3}-\d{6}$/);
    expect(buyer.last_name).not.toBeNull();
  }
});
