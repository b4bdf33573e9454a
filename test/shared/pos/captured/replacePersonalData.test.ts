import { expect, test } from "vitest";
import { replacePersonalData } from "./replacePersonalData.ts";

test.each<[object, object]>([
  [{ first_name: "Robin" }, { first_name: "firstname" }],
  [{ lastName: "Reed" }, { lastName: "lastname" }],
  [{ customer: { id: 7, name: "Robin Reed" } }, { customer: { id: 7, name: "name" } }],
  [{ placedBy: { name: "Robin" } }, { placedBy: { name: "name" } }],
  [{ customerName: "Robin" }, { customerName: "customername" }],
  [{ contact: "robin@shop.test, or kim@shop.test" }, { contact: "person@example.com, or person@example.com" }],
  [{ phone: "(303) 555-9876" }, { phone: "(303) 555-0100" }],
  [{ mobile_phone: "+13035559876" }, { mobile_phone: "+13035550100" }],
  [{ fax: 3035559876 }, { fax: 3035550100 }],
  [{ text: "call 303-555-9876 before noon" }, { text: "call 303-555-0100 before noon" }],
  [{ dateOfBirth: "1985-02-03T00:00:00Z" }, { dateOfBirth: "1990-05-31T00:00:00Z" }],
  [{ dob: "2/3/1985" }, { dob: "05/31/1990" }],
  [{ birthday: 476_236_800_000 }, { birthday: 644_112_000_000 }],
  [{ licenseNumber: "C10-0420AB" }, { licenseNumber: "X00-0000XX" }],
  [{ medical_id: "P1" }, { medical_id: "X0" }],
  [
    { address: { street1: "12 Elm St", city: "Salem", state: "OR", zip: 97301, lat: 44.9 } },
    { address: { street1: "1 Main Street", city: "Boulder", state: "OR", zip: 80302, lat: 0 } },
  ],
  [{ api_key: "k-123" }, { api_key: "removed" }],
  [{ accessToken: "t" }, { accessToken: "removed" }],
  [{ notes: "Likes tea" }, { notes: "Note" }],
  [{ voidedReason: "Wrong person" }, { voidedReason: "Note" }],
])("%j is replaced, and a second replacement changes nothing", (body, expected) => {
  expect(replacePersonalData(body)).toEqual(expected);
  expect(replacePersonalData(expected)).toEqual(expected);
});

test.each<object>([
  { product: { name: "Blue Dream" }, brandName: "Acme" },
  { phone: "(303) 555-0142", ext: "12" },
  { licenseExpiry: "2028-05-31", licenseType: "Retail" },
  { phone: "", notes: null, isMedical: true },
  { id: 3035559876, total: "1,234.50", rate: 9.5, upc: "012345678905", updatedAt: "2026-03-10T19:30:00.000Z" },
])("%j stays", (body) => {
  expect(replacePersonalData(body)).toEqual(body);
});

test("fields of an XML document are replaced", () => {
  const body = "<r><c><DISPLAYCONTACT.FIRSTNAME>Robin</DISPLAYCONTACT.FIRSTNAME><PHONE1>303-555-9876</PHONE1></c></r>";
  const expected =
    "<r><c><DISPLAYCONTACT.FIRSTNAME>firstname</DISPLAYCONTACT.FIRSTNAME><PHONE1>303-555-0100</PHONE1></c></r>";
  expect(replacePersonalData(body)).toBe(expected);
  expect(replacePersonalData(expected)).toBe(expected);
});
