import { describe, expect, test } from "vitest";
import { compareHolder } from "../../../shared/text/compareHolder.ts";

const business = { dba: null, city: null };
const compare = (licensee: string | null, name: string) =>
  compareHolder({ licensee, tradeNames: [], locality: null }, { ...business, name });

describe("same", () => {
  test.each([
    ["ROOTSTOCK VENTURES", "Rootstock Ventures"],
    ["Café Ñandú", "cafe nandu"],
    ["Straße Blüte", "strasse blute"],
    ["İstanbul Gardens", "Istanbul Gardens"],
    ["I\u0307stanbul", "istanbul"],
    ["KADİR ILICA", "Kadir Ilıca"],
    ["Smørrebrød Gardens", "Smorrebrod Gardens"],
    ["Owen’s Gardens", "Owens Gardens"],
    ["Root-Stock, Ventures.", "Rootstock Ventures"],
    ["A.B.C. Gardens", "ABC Gardens"],
    ["Harris & Daughters", "Harris and Daughters"],
    ["Harris&Daughters", "Harris & Daughters"],
    ["The Rootstock", "Rootstock"],
    ["Rootstock LLC, The", "The Rootstock"],
    ["  Rootstock\u00a0 Ventures ", "Rootstock Ventures"],
    ["Rootstock LLC", "Rootstock, L.L.C."],
    ["Rootstock L. L. C.", "Rootstock L.L.C"],
    ["Rootstock Limited Liability Company", "Rootstock"],
    ["Rootstock, a Colorado limited liability company", "Rootstock LLC"],
    ["Rootstock Inc.", "Rootstock Incorporated"],
    ["Rootstock Corp", "Rootstock Corporation"],
    ["Rootstock Public Benefit Corporation", "Rootstock PBC"],
    ["Rootstock Co., LLC", "Rootstock"],
    ["Rootstock Ltd.", "Rootstock Limited"],
    ["The Rootstock Co. Ltd. LLC Inc., The", "Rootstock"],
    ["Rootstock, an Oregon nonprofit corporation, a Company", "Rootstock"],
    ["Rootstock LLP", "Rootstock L.L.P."],
    ["Rootstock L.P.", "Rootstock Limited Partnership"],
    ["Harris Holdings LLC dba Rootstock", "Rootstock"],
    ["Harris Holdings LLC d/b/a: Rootstock", "Rootstock"],
    ["Harris Holdings LLC (D.B.A. Rootstock)", "Rootstock"],
    ["Harris Holdings LLC, doing business as Rootstock", "Rootstock LLC"],
    ["Green Cannabis Dispensary LLC", "Green Cannabis Dispensary"],
    ["1234567 Canada Inc", "1234567 Canada Inc."],
    ["绿叶", "绿叶"],
  ])("%s, %s", (holder, name) => {
    expect([compare(holder, name), compare(name, holder)]).toEqual(["same", "same"]);
  });
});

describe("similar", () => {
  test.each([
    // Two kinds of entity can be two companies.
    ["Rootstock LLC", "Rootstock Inc."],
    ["Rootstock LP", "Rootstock Corporation"],
    ["Harris, Jordan", "Jordan Harris"],
    ["Rootstock Holdings LLC", "Rootstock Dispensary"],
    ["Rootstock 1 LLC", "Rootstock 2 LLC"],
    ["Rootstok Ventures", "Rootstock Ventures"],
    ["Rootstcok Ventures", "Rootstock Ventures"],
    ["Native Root LLC", "Native Roots"],
    ["Mtn Laurel LLC", "Mountain Laurel LLC"],
    ["Laurel Rd LLC", "Laurel Road LLC"],
    ["12 Oak St LLC", "12 Oak Street L.L.C."],
    ["St. Harris Farms", "Saint Harris Farms"],
    ["Harris Bros. LLC", "Harris Brothers LLC"],
    ["FRB LLC", "Front Range Botanicals"],
    ["Harris Holdings LLC dba Rootstock Gardens", "Rootstock"],
    // Deceptive characters never make names the same.
    ["Rootst\u043eck Ventures", "Rootstock Ventures"],
    ["Root\u200bstock Ventures", "Rootstock Ventures"],
    ["Root\u00adstock Ventures", "Rootstock Ventures"],
    ["\u202eRootstock Ventures", "Rootstock Ventures"],
    ["Ｒｏｏｔｓｔｏｃｋ Ventures", "Rootstock Ventures"],
    ["𝐑𝐨𝐨𝐭𝐬𝐭𝐨𝐜𝐤 Ventures", "Rootstock Ventures"],
    ["Rootst0ck Ventures Maple", "Rootstock Ventures Maple"],
  ])("%s, %s", (holder, name) => {
    expect([compare(holder, name), compare(name, holder)]).toEqual(["similar", "similar"]);
  });
});

describe("different", () => {
  test.each([
    ["Harris Holdings LLC", "Rootstock Ventures"],
    // The shared words are in many names.
    ["Green Wellness Dispensary LLC", "Green Wellness Collective"],
    ["Cannabis Collective LLC", "Cannabis Farms"],
    ["Maple Cannabis Holdings", "Cedar Cannabis Holdings"],
    ["Green Maple Farms", "Green Cedar Farms"],
    ["Store 12 Holdings", "Store 13 Holdings"],
    ["5th Avenue Cannabis", "6th Avenue Cannabis"],
    ["1234 Main St LLC", "1235 Main Street LLC"],
    ["Rootstock Cultivation Facility", "Cultivation Facility LLC"],
    ["Colorado Provisions", "Colorado Remedies"],
    ["1234567 Canada Inc", "7654321 Canada Inc"],
    ["Club 1 23", "Club 12 3"],
    // One word of several is not enough, nor is a letter in a short name.
    ["Maple", "Maple Rootstock Harris"],
    ["Kind", "Kiva"],
    ["Cedar Ridge", "Cedar Creek"],
  ])("%s, %s", (holder, name) => {
    expect([compare(holder, name), compare(name, holder)]).toEqual(["different", "different"]);
  });
});

describe("unknown", () => {
  test.each([null, "", " - ", "Data Not Available", "N/A", "n.a.", "Unknown", "NOT PUBLISHED", "LLC", "\u200b"])(
    "a register without a holder: %s",
    (holder) => expect(compare(holder, "Rootstock")).toBeNull(),
  );

  test.each([
    ...[
      "Unavailable",
      "Data Unavailable",
      "Information Not Available",
      "No Data",
      "Not Public",
      "Not on File",
      "Blank",
    ],
    ...[
      "Unspecified",
      "Name Withheld",
      "(missing)",
      "Private",
      "See DBA",
      "TBA",
      "XXXXX",
      "No disponible",
      "Not Entered",
    ],
  ])("a text in place of a holder: %s", (holder) => {
    expect([compare(holder, "Rootstock"), compare(`${holder} Reserve`, "Rootstock")]).toEqual([null, "different"]);
  });

  test.each([
    ["Green Cannabis", "Cannabis Green"],
    ["Green Cannabis LLC", "Green Cannabis Inc"],
    ["Green Leaf LLC", "Greenleaf Inc"],
    ["Green Cannabis", "Green Cannabis Collective"],
    ["绿叶", "Green Leaf"],
    ["АСЕ", "ACE"],
  ])("names that say too little, or are in different scripts: %s, %s", (holder, name) => {
    expect([compare(holder, name), compare(name, holder)]).toEqual([null, null]);
  });
});

test("trade names of the license and the dba of the business count, and the closest pair decides", () => {
  const holder = { licensee: "Harris Holdings LLC", tradeNames: ["Maple Wellness", "Rootstock"], locality: null };
  expect(compareHolder(holder, { ...business, name: "Rootstock LLC" })).toBe("same");
  expect(compareHolder(holder, { ...business, name: "Cedar LLC", dba: "Maple" })).toBe("similar");
  expect(compareHolder(holder, { ...business, name: "Cedar LLC", dba: "Kiva" })).toBe("different");
});

test("a trade name that differs does not make an unknown holder a different one", () => {
  const holder = { licensee: null, tradeNames: ["Maple"], locality: null };
  expect(compareHolder(holder, { ...business, name: "Rootstock" })).toBeNull();
  expect(compareHolder(holder, { ...business, name: "Maple LLC" })).toBe("same");
});

test("the place of the license or of the business distinguishes no holder", () => {
  const names = { name: "Pueblo Provisions", dba: null };
  const holder = { licensee: "Pueblo Remedies LLC", tradeNames: [] };
  expect(compareHolder({ ...holder, locality: "Pueblo" }, { ...names, city: null })).toBe("different");
  expect(compareHolder({ ...holder, locality: null }, { ...names, city: "PUEBLO" })).toBe("different");
});
