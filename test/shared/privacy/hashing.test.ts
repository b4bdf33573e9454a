import { describe, expect, test } from "vitest";
import { sensitiveHasher } from "../../../shared/privacy/hashing.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";

useTestServiceKey();

const crbId = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const otherCrbId = "a1f4c9d2-7b38-4e56-9c0a-3d2e8f617b01";

// Computed with Python's hmac and with openssl (kdf HKDF, then mac HMAC), not with this code.
const zoe = "2435fcc34e9420ae08c40eaa685b5a1d7521abdbe72313740c3d73b9f1295323";
const mail = "e897733de0edf01b20460af2f980cee902c5b84039b64249802d17cb51104aa1";
const phone = "600e84d32520ecc1ca366500032878a5ac850e18a3e14f9f4a8f8cc96f3c342b";
const licence = "e0cf26c1b20578debfde7dbc496ede1113927910b809be0d6e12a664b6e2fa48";

describe("the hash of a value is that of its normalised form", () => {
  const hash = sensitiveHasher(crbId);

  test.each(["zoë o'hara", "Zoë O'Hara", "  ZOË O'HARA\t"])("name %j", (value) => {
    expect(hash.name(value)).toBe(zoe);
  });
  test.each(["ana@example.com", " Ana@EXAMPLE.com "])("e-mail %j", (value) => {
    expect(hash.email(value)).toBe(mail);
  });
  test.each(["3035550142", "(303) 555-0142", "303.555.0142", " 303 555 0142 "])("phone %j", (value) => {
    expect(hash.phone(value)).toBe(phone);
  });
  test.each(["Md-0042 x", "\nMd-0042 x "])("id %j", (value) => {
    expect(hash.id(value)).toBe(licence);
  });
  test("letter case and inner spaces count in an id, inner spaces in a name", () => {
    expect(hash.id("MD-0042 X")).not.toBe(licence);
    expect(hash.id("Md-0042x")).not.toBe(licence);
    expect(hash.name("zoëo'hara")).not.toBe(zoe);
  });
  test.each([null, undefined, "", "   ", "\t\n"])("nothing for %j", (value) => {
    expect([hash.name(value), hash.email(value), hash.phone(value), hash.id(value)]).toEqual([null, null, null, null]);
  });
  test("nothing for a phone without digits", () => {
    expect(hash.phone("none / unknown")).toBeNull();
  });
});

test("another business has other hashes of the same value", () => {
  expect(sensitiveHasher(otherCrbId).name("Zoë O'Hara")).toBe(
    "125cdf35dddf1eb391a09f7f5895a2863f4c5b8927a1bdaf2c0a3b5aea194ae2",
  );
});

test("the letter case of the business's id makes no difference", () => {
  expect(sensitiveHasher(crbId.toUpperCase()).phone("3035550142")).toBe(phone);
});

test("more businesses than are remembered keep their hashes", () => {
  for (let i = 0; i < 1_200; i++) sensitiveHasher(`business ${i}`);
  expect(sensitiveHasher(crbId).email("ana@example.com")).toBe(mail);
});
