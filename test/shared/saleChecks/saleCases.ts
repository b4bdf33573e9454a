import type { Compliance } from "../../../shared/saleChecks/checkSale.ts";
import type { CheckedLine, CheckedSale, SaleRule } from "../../../shared/saleChecks/saleRule.ts";

type Status = Compliance["compliance_status"];

/** A name, a state, a sale, the expected status, and the ids of the rules that the sale violates, of both severities. */
export type SaleCase = readonly [name: string, state: string, sale: CheckedSale, status: Status, ...rules: string[]];

interface LineChanges extends Partial<Omit<CheckedLine, "line_item_discounts">> {
  name?: string | null;
  /** cents */
  discounts?: (number | null)[];
}

const names: Readonly<Record<string, string>> = {
  flower: "Blue Dream",
  "oil/concentrate": "Live Resin Cartridge",
  extract: "Badder",
  edible: "Gummies",
  edible_liquid: "Lemonade",
  liquid: "Tincture",
  topical: "Relief Balm",
  accessory: "Rolling Papers",
  seed: "Seeds",
};

/** A cannabis line of one unit for 30 dollars, unless it is an accessory. */
function line(category: string | null, grams: number | null, changes: LineChanges = {}): CheckedLine {
  const { name = names[category ?? ""] ?? null, discounts = [], ...others } = changes;
  return {
    product_name: name,
    product_type: category,
    cannabis_product: category !== "accessory",
    num_units: 1,
    price_per_unit: 3000,
    grams,
    line_item_taxes: [],
    line_item_discounts: discounts.map((flat_amount) => ({ flat_amount })),
    ...others,
  };
}
const flower = (grams: number | null, changes?: LineChanges) => line("flower", grams, changes);
const extract = (grams: number | null, changes?: LineChanges) => line("extract", grams, changes);
const cartridge = (grams: number | null, changes?: LineChanges) => line("oil/concentrate", grams, changes);
const edible = (grams: number | null, changes?: LineChanges) => line("edible", grams, changes);
/** Edibles of 10 g with THC. */
const gummies = (num_units: number | null, thc_mg_per_unit: number | null) =>
  edible(10, { num_units, thc_mg_per_unit });

interface SaleChanges extends Partial<CheckedSale>, Partial<CheckedSale["customer"]> {
  /** local time, perhaps with seconds: `12:00` of November 20, 2026, noon of `2026-11-21`, or `2026-11-21 00:10` */
  at?: string;
  lines?: CheckedLine[];
}

/** A taxed adult-use sale of 3.5 g of flower at noon to a person of 36 years. */
function sale(changes: SaleChanges, ...lines: CheckedLine[]): CheckedSale {
  const { at = "12:00", type = "rec", dob = "1990-05-05", ...others } = changes;
  const { id_type = null, id_expiration_date = null, ...fields } = others;
  const [day, time] = at.includes(" ") ? at.split(" ") : at.includes("-") ? [at, "12:00"] : ["2026-11-20", at];
  const local = `${day} ${time}`;
  return {
    date: "2026-11-20T20:00:00.000Z",
    local_date: `${local}${":00.000".slice(local.length - 16)}`,
    svc_created_date: "2026-11-20T20:05:00.000Z",
    transaction_type: "sale",
    pos_name: "Dutchie",
    tax_paid: 450,
    total_paid: 3450,
    taxes: [{}],
    line_items: lines.length > 0 ? lines : [flower(3.5)],
    customer: { type, dob, id_type, id_expiration_date },
    ...fields,
  };
}

const minor = "2005-11-21";
const free = { price_per_unit: 0 };
const medical = { type: "medical" } as const;
const unknown = { type: null };

const ages: SaleCase[] = [
  ["21 years today", "CA", sale({ dob: "2005-11-20" }), "svc_checked"],
  ["21 years tomorrow", "CA", sale({ dob: "2005-11-21" }), "red_flag", "CA.adult.minimum_age"],
  ["21 years yesterday", "CA", sale({ dob: "2005-11-19" }), "svc_checked"],
  ["February 29, in a common year", "CA", sale({ dob: "2004-02-29", at: "2025-02-28" }), "svc_checked"],
  ["on March 1", "CA", sale({ dob: "2004-02-29", at: "2025-03-01" }), "svc_checked"],
  ["a day early", "CA", sale({ dob: "2004-02-29", at: "2025-02-27" }), "red_flag", "CA.adult.minimum_age"],
  ["a sale on February 29", "CA", sale({ dob: "2003-02-28", at: "2024-02-29" }), "svc_checked"],
  ["21 the day after", "CA", sale({ dob: "2003-03-01", at: "2024-02-29" }), "red_flag", "CA.adult.minimum_age"],
  ["born on one, sold on one", "CA", sale({ dob: "2000-02-29", at: "2024-02-29" }), "svc_checked"],
  ["patient, February 29", "OR", sale({ ...medical, dob: "2008-02-29", at: "2026-02-28" }), "svc_checked"],
  [
    "patient, a day before",
    "OR",
    sale({ ...medical, dob: "2008-02-29", at: "2026-02-27" }),
    "warning",
    "OR.medical.minimum_age",
  ],
  ["10 years", "CA", sale({ dob: "2016-11-20" }), "red_flag", "CA.adult.minimum_age"],
  ["9 years are a mistake", "CA", sale({ dob: "2016-11-21" }), "unchecked"],
  ["born tomorrow", "CA", sale({ dob: "2026-11-21" }), "unchecked"],
  ["110 years", "CA", sale({ dob: "1916-11-20" }), "svc_checked"],
  ["almost 111 years", "CA", sale({ dob: "1915-11-21" }), "svc_checked"],
  ["111 years are a mistake", "CA", sale({ dob: "1915-11-20" }), "unchecked"],
  ["1900-01-01 is no date of birth", "CA", sale({ dob: "1900-01-01" }), "unchecked"],
  ["1901-01-01 is no date of birth", "CA", sale({ dob: "1901-01-01" }), "unchecked"],
  ["1970-01-01 is no date of birth", "CA", sale({ dob: "1970-01-01" }), "unchecked"],
  ["2000-01-01 is no date of birth", "CA", sale({ dob: "2000-01-01" }), "unchecked"],
  ["1970-01-02 is one", "CA", sale({ dob: "1970-01-02" }), "svc_checked"],
  ["2000-01-02 is one", "CA", sale({ dob: "2000-01-02" }), "svc_checked"],
  ["another form of date", "CA", sale({ dob: "2010/05/05" }), "unchecked"],
  ["no date of birth", "CA", sale({ dob: null }), "unchecked"],
  ["none, and over a limit", "CA", sale({ dob: null }, flower(30)), "red_flag", "CA.adult.daily_flower"],
  ["none in NJ, whose rule is off", "NJ", sale({ dob: null }), "unchecked"],
  ["none in MA, that requires none", "MA", sale({ dob: null, at: "2025-05-05" }), "svc_checked"],
  ["none in NV, whose age rule is off", "NV", sale({ dob: null }), "svc_checked"],
  ["a minor in AZ", "AZ", sale({ dob: minor }), "red_flag", "AZ.adult.minimum_age"],
  ["a minor in CO", "CO", sale({ dob: minor }), "red_flag", "CO.adult.minimum_age"],
  ["a minor in MI", "MI", sale({ dob: minor }), "red_flag", "MI.adult.minimum_age"],
  ["a minor in NJ", "NJ", sale({ dob: minor }), "red_flag", "NJ.adult.minimum_age"],
  ["a minor in NY", "NY", sale({ dob: minor }), "red_flag", "NY.adult.minimum_age"],
  ["a minor in OR", "OR", sale({ dob: minor }), "red_flag", "OR.adult.minimum_age"],
  ["a minor in WA", "WA", sale({ dob: minor }), "red_flag", "WA.adult.minimum_age"],
  ["a minor in NV, whose rule is off", "NV", sale({ dob: minor }), "svc_checked"],
  ["a minor in MA, whose rule is off", "MA", sale({ dob: minor, at: "2026-04-18" }), "svc_checked"],
  ["a minor in IL, whose rule is off", "IL", sale({ dob: minor, at: "2026-06-11" }), "svc_checked"],
  ["patient of 18 years today", "CA", sale({ ...medical, dob: "2008-11-20" }), "svc_checked"],
  ["of 18 tomorrow", "CA", sale({ ...medical, dob: "2008-11-21" }), "warning", "CA.medical.minimum_age"],
  [
    "of 17 with a card",
    "WA",
    sale({ ...medical, dob: "2009-06-01", id_type: "medical" }),
    "warning",
    "WA.medical.minimum_age",
  ],
  ["patient of 10", "CO", sale({ ...medical, dob: "2016-01-01" }), "unchecked"],
  ["minor patient", "CA", sale({ ...medical, dob: "2010-01-01", id_type: "minor_medical" }), "unchecked"],
  ["one for a while", "CA", sale({ ...medical, dob: "2010-01-01", id_type: "temporary_minor_medical" }), "unchecked"],
  ["caregiver", "CA", sale({ ...medical, dob: "2010-01-01", id_type: "caregiver" }), "unchecked"],
  ["adult caregiver", "CA", sale({ ...medical, id_type: "caregiver" }), "unchecked"],
  ["caregiver in adult use", "CA", sale({ dob: minor, id_type: "caregiver" }), "red_flag", "CA.adult.minimum_age"],
  ["a minor of unknown type", "CA", sale({ ...unknown, dob: minor }), "unchecked"],
];

/** A rule, a category, the value with its tolerance, and changes. */
const limits: readonly [id: string, category: string, maximum: number, changes?: SaleChanges][] = [
  ["AZ.adult.sale_total", "flower", 28.633],
  ["AZ.adult.sale_concentrate", "extract", 5.011],
  ["CA.adult.daily_flower", "flower", 28.511],
  ["CA.adult.daily_concentrate", "oil/concentrate", 8.011],
  ["CO.adult.sale_equivalent", "flower", 28.633],
  ["CO.adult.sale_equivalent", "extract", 8.08],
  ["IL.adult.sale_flower.2024", "flower", 30.011, { at: "2026-05-20" }],
  ["IL.adult.sale_concentrate.2024", "extract", 5.011, { at: "2026-05-20" }],
  ["MA.adult.daily_flower.2024", "flower", 28.633, { at: "2025-05-20" }],
  ["MI.adult.sale_total", "flower", 71.582],
  ["MI.adult.sale_concentrate", "extract", 15.011],
  ["NJ.adult.sale_equivalent", "flower", 28.633],
  ["NJ.adult.sale_equivalent", "extract", 4.04],
  ["NV.adult.sale_flower", "flower", 71.582],
  ["NY.adult.sale_flower", "flower", 85.899],
  ["NY.adult.sale_concentrate", "extract", 24.011],
  ["OR.adult.daily_flower", "flower", 57.266],
  ["WA.adult.sale_flower", "flower", 28.633],
  ["WA.adult.sale_concentrate", "oil/concentrate", 7.011],
  ["WA.medical.sale_flower", "flower", 85.899, medical],
  ["WA.medical.sale_concentrate", "extract", 21.011, medical],
];

const tolerances = limits.flatMap(([id, category, maximum, changes = {}]): SaleCase[] => {
  const state = id.slice(0, 2);
  // Cartridges of more than 2 g are implausible, so there are many.
  const sold = (grams: number) => sale(changes, line(category, grams, { num_units: 20, price_per_unit: 150 }));
  return [
    [`0.01 g of ${category} below ${id}`, state, sold(maximum - 0.01), "svc_checked"],
    [`0.01 g of ${category} above ${id}`, state, sold(maximum + 0.01), "red_flag", id],
  ];
});

const hours: SaleCase[] = [
  ["6:00", "CA", sale({ at: "06:00" }), "svc_checked"],
  ["5:50", "CA", sale({ at: "05:50" }), "svc_checked"],
  ["a second before", "CA", sale({ at: "05:49:59.000" }), "warning", "CA.all.sale_hours"],
  ["5:49", "CA", sale({ at: "05:49" }), "warning", "CA.all.sale_hours"],
  ["22:00", "CA", sale({ at: "22:00" }), "svc_checked"],
  ["22:10", "CA", sale({ at: "22:10" }), "svc_checked"],
  ["a millisecond after", "CA", sale({ at: "22:10:00.001" }), "warning", "CA.all.sale_hours"],
  ["22:11", "CA", sale({ at: "22:11" }), "warning", "CA.all.sale_hours"],
  ["midnight and a moment", "CA", sale({ at: "00:00:00.001" }), "warning", "CA.all.sale_hours"],
  ["6:50", "OR", sale({ at: "06:50" }), "svc_checked"],
  ["6:49", "OR", sale({ at: "06:49" }), "warning", "OR.all.sale_hours"],
  ["22:10", "OR", sale({ at: "22:10" }), "svc_checked"],
  ["22:11", "OR", sale({ at: "22:11" }), "warning", "OR.all.sale_hours"],
  ["5:50", "IL", sale({ at: "2026-05-20 05:50" }), "svc_checked"],
  ["5:49", "IL", sale({ at: "2026-05-20 05:49" }), "red_flag", "IL.all.sale_hours.2024"],
  ["22:10", "IL", sale({ at: "2026-05-20 22:10" }), "svc_checked"],
  ["22:11", "IL", sale({ at: "2026-05-20 22:11" }), "red_flag", "IL.all.sale_hours.2024"],
  ["7:50", "WA", sale({ at: "07:50" }), "svc_checked"],
  ["7:49", "WA", sale({ at: "07:49" }), "red_flag", "WA.all.sale_hours"],
  ["almost 24:00", "WA", sale({ at: "23:59:59.999" }), "svc_checked"],
  ["24:00 and a millisecond", "WA", sale({ at: "2026-11-21 00:00:00.001" }), "svc_checked"],
  ["24:10", "WA", sale({ at: "2026-11-21 00:10" }), "svc_checked"],
  ["24:10 and a millisecond", "WA", sale({ at: "2026-11-21 00:10:00.001" }), "red_flag", "WA.all.sale_hours"],
  ["24:11", "WA", sale({ at: "2026-11-21 00:11" }), "red_flag", "WA.all.sale_hours"],
  ["3:00", "WA", sale({ at: "2026-11-21 03:00" }), "red_flag", "WA.all.sale_hours"],
  ["3:00 in AZ, whose rule is off", "AZ", sale({ at: "2026-11-21 03:00" }), "svc_checked"],
  ["23:00 in NY, by municipality", "NY", sale({ at: "2026-11-21 23:00" }), "svc_checked"],
  ["a patient at night", "CA", sale({ ...medical, at: "23:15" }), "warning", "CA.all.sale_hours"],
  ["an unknown type at night", "CA", sale({ ...unknown, at: "23:15" }), "warning", "CA.all.sale_hours"],
  [
    "a minor at night",
    "CA",
    sale({ dob: minor, at: "23:15" }),
    "red_flag",
    "CA.adult.minimum_age",
    "CA.all.sale_hours",
  ],
  ["accessories at night", "CA", sale({ at: "23:15" }, line("accessory", 0)), "unchecked"],
  ["no certain cannabis at night", "WA", sale({ at: "03:00" }, line("other", 5)), "unchecked"],
  [
    "the first 1:30 of a night in November",
    "WA",
    sale({ at: "2026-11-01 01:30", date: "2026-11-01T08:30:00.000Z" }),
    "red_flag",
    "WA.all.sale_hours",
  ],
  [
    "the second 1:30",
    "WA",
    sale({ at: "2026-11-01 01:30", date: "2026-11-01T09:30:00.000Z" }),
    "red_flag",
    "WA.all.sale_hours",
  ],
  ["24:09 before it", "WA", sale({ at: "2026-11-01 00:09", date: "2026-11-01T07:09:00.000Z" }), "svc_checked"],
  ["5:50 after it", "CA", sale({ at: "2026-11-01 05:50", date: "2026-11-01T13:50:00.000Z" }), "svc_checked"],
  ["22:10 after it", "CA", sale({ at: "2026-11-01 22:10", date: "2026-11-02T06:10:00.000Z" }), "svc_checked"],
  [
    "22:11 after it",
    "CA",
    sale({ at: "2026-11-01 22:11", date: "2026-11-02T06:11:00.000Z" }),
    "warning",
    "CA.all.sale_hours",
  ],
  [
    "3:00, an hour after 1:59 in March",
    "WA",
    sale({ at: "2026-03-08 03:00", date: "2026-03-08T10:00:00.000Z" }),
    "red_flag",
    "WA.all.sale_hours",
  ],
  ["5:50 after it", "CA", sale({ at: "2026-03-08 05:50", date: "2026-03-08T12:50:00.000Z" }), "svc_checked"],
  [
    "5:49 after it",
    "CA",
    sale({ at: "2026-03-08 05:49", date: "2026-03-08T12:49:00.000Z" }),
    "warning",
    "CA.all.sale_hours",
  ],
];

const unchecked: SaleCase[] = [
  ["a day without an hour", "WA", sale({ at: "00:00" }), "unchecked"],
  ["one of a minor", "CA", sale({ at: "00:00", dob: minor }, flower(100)), "unchecked"],
  ["a return", "CA", sale({ transaction_type: "return" }, flower(30)), "unchecked"],
  ["an adjustment", "CA", sale({ transaction_type: "adjustment" }, flower(30)), "unchecked"],
  ["an unknown type of transaction", "CA", sale({ transaction_type: null }, flower(30)), "unchecked"],
  ["a state without rules", "TX", sale({ dob: minor }), "unchecked"],
  ["where rules of every state hold alone", "TX", sale({}, edible(60)), "unchecked"],
  ["FL, adult use", "FL", sale({ dob: minor }, flower(100)), "unchecked"],
  ["FL, a patient at night", "FL", sale({ ...medical, at: "23:30" }, flower(100)), "unchecked"],
  ["FL, a heavy edible", "FL", sale({}, edible(60)), "unchecked"],
  ["a day before the first rule", "CA", sale({ at: "2023-12-31 23:30", dob: minor }), "unchecked"],
  ["the day of the first rule", "CA", sale({ at: "2024-01-01" }), "svc_checked"],
  ["a patient where no rule of patients is on", "NY", sale(medical, flower(500)), "unchecked"],
  ["an unknown type above all limits", "WA", sale(unknown, flower(500)), "unchecked"],
  ["no lines", "CA", { ...sale({ dob: minor }), line_items: [] }, "unchecked"],
];

const changedLimits: SaleCase[] = [
  ["MA, the last day of 1 oz", "MA", sale({ at: "2026-04-18" }, flower(42)), "red_flag", "MA.adult.daily_flower.2024"],
  ["MA, the day of 2 oz", "MA", sale({ at: "2026-04-19" }, flower(42)), "unchecked"],
  ["MA, whose 2 oz are off", "MA", sale({ at: "2026-04-19" }, flower(90)), "unchecked"],
  [
    "MA, where identification holds",
    "MA",
    sale({ at: "2026-04-19" }, edible(60)),
    "warning",
    "all.edible.implausible_weight",
  ],
  ["IL, the last day of 30 g", "IL", sale({ at: "2026-06-11" }, flower(35)), "red_flag", "IL.adult.sale_flower.2024"],
  ["IL, the day of 60 g", "IL", sale({ at: "2026-06-12" }, flower(90)), "unchecked"],
  [
    "IL, the last day of 5 g",
    "IL",
    sale({ at: "2026-06-11" }, extract(6)),
    "red_flag",
    "IL.adult.sale_concentrate.2024",
  ],
  ["IL, the day of 10 g", "IL", sale({ at: "2026-06-12" }, extract(12)), "unchecked"],
  ["IL, the last night until 22:00", "IL", sale({ at: "2026-06-11 23:30" }), "red_flag", "IL.all.sale_hours.2024"],
  ["IL, the first night until 2:00", "IL", sale({ at: "2026-06-12 23:30" }), "unchecked"],
  ["OR, the eve of the limit", "OR", sale({ at: "2024-10-23" }, flower(60)), "svc_checked"],
  ["OR, its first day", "OR", sale({ at: "2024-10-24" }, flower(60)), "red_flag", "OR.adult.daily_flower"],
];

const sums: SaleCase[] = [
  ["four quarters of 7.09 g", "CO", sale({}, flower(7.09), flower(7.09), flower(14.18)), "svc_checked"],
  ["exactly value and tolerance", "CA", sale({}, flower(28.511)), "svc_checked"],
  ["an eighth too much", "CO", sale({}, flower(28.35), flower(3.5)), "red_flag", "CO.adult.sale_equivalent"],
  ["grams are those of all units", "CA", sale({}, flower(28, { num_units: 8 })), "svc_checked"],
  ["14 + 14.17", "CO", sale({}, flower(14), extract(4)), "svc_checked"],
  ["14.5 + 14.17", "CO", sale({}, flower(14.5), extract(4)), "red_flag", "CO.adult.sale_equivalent"],
  ["14.175 + 14.175", "NJ", sale({}, flower(14.175), extract(2)), "svc_checked"],
  ["14.5 + 14.175", "NJ", sale({}, flower(14.5), extract(2)), "red_flag", "NJ.adult.sale_equivalent"],
  ["57 + 14", "MI", sale({}, flower(57), extract(14)), "svc_checked"],
  ["58 + 14", "MI", sale({}, flower(58), extract(14)), "red_flag", "MI.adult.sale_total"],
  ["concentrate inside the ounce", "MI", sale({}, flower(20), extract(16)), "red_flag", "MI.adult.sale_concentrate"],
  ["24 + 4.5", "AZ", sale({}, flower(24), extract(4.5)), "svc_checked"],
  ["24 + 4.7", "AZ", sale({}, flower(24), extract(4.7)), "red_flag", "AZ.adult.sale_total"],
  [
    "both limits",
    "AZ",
    sale({}, flower(24), extract(5.5)),
    "red_flag",
    "AZ.adult.sale_concentrate",
    "AZ.adult.sale_total",
  ],
  ["limits side by side", "CA", sale({}, flower(28.5), extract(8)), "svc_checked"],
  [
    "both exceeded",
    "CA",
    sale({}, flower(29), extract(8.5)),
    "red_flag",
    "CA.adult.daily_concentrate",
    "CA.adult.daily_flower",
  ],
  ["a patient in CA", "CA", sale(medical, flower(200)), "svc_checked"],
  ["a patient's ounces", "WA", sale(medical, flower(80), extract(20)), "svc_checked"],
  ["800 mg of THC", "CO", sale({}, gummies(10, 80)), "svc_checked"],
  ["810 mg of THC", "CO", sale({}, gummies(10, 81)), "red_flag", "CO.adult.sale_equivalent"],
  ["flower and 200 mg", "CO", sale({}, flower(20), gummies(10, 20)), "svc_checked"],
  ["flower and 250 mg", "CO", sale({}, flower(20), gummies(10, 25)), "red_flag", "CO.adult.sale_equivalent"],
  ["THC is unknown", "CO", sale({}, gummies(10, null)), "unchecked"],
  ["THC is 0", "CO", sale({}, gummies(10, 0)), "unchecked"],
  ["no field of THC", "CO", sale({}, edible(10)), "unchecked"],
  ["units are unknown", "CO", sale({}, gummies(null, 10)), "unchecked"],
  [
    "THC of a drink",
    "CO",
    sale({}, line("edible_liquid", 300, { thc_mg_per_unit: 900 })),
    "red_flag",
    "CO.adult.sale_equivalent",
  ],
  ["concentrate counts by weight", "CO", sale({}, extract(4, { thc_mg_per_unit: 9999 })), "svc_checked"],
  ["1,000 mg of THC", "NJ", sale({}, gummies(10, 100)), "svc_checked"],
  ["1,020 mg of THC", "NJ", sale({}, gummies(10, 102)), "red_flag", "NJ.adult.sale_equivalent"],
  ["500 mg of THC", "MA", sale({ at: "2026-01-05" }, gummies(10, 50)), "svc_checked"],
  ["510 mg of THC", "MA", sale({ at: "2026-01-05" }, gummies(10, 51)), "red_flag", "MA.adult.daily_flower.2024"],
  [
    "5 g of THC in 6 g",
    "MA",
    sale({ at: "2026-01-05" }, extract(6, { num_units: 6, thc_mg_per_unit: 830 })),
    "svc_checked",
  ],
  [
    "5.1 g of THC in 6 g",
    "MA",
    sale({ at: "2026-01-05" }, extract(6, { num_units: 6, thc_mg_per_unit: 850 })),
    "red_flag",
    "MA.adult.daily_flower.2024",
  ],
  ["12 g with unknown THC", "MA", sale({ at: "2026-01-05" }, extract(12)), "unchecked"],
  ["7,000 mg of edibles", "NV", sale({}, gummies(10, 700)), "svc_checked"],
  ["7,200 mg of edibles", "NV", sale({}, gummies(10, 720)), "red_flag", "NV.adult.sale_flower"],
  ["7,200 mg of extract", "NV", sale({}, extract(9, { thc_mg_per_unit: 7200 })), "red_flag", "NV.adult.sale_flower"],
  ["extract of unknown THC", "NV", sale({}, extract(9)), "unchecked"],
  ["edibles have no measure in MI", "MI", sale({}, flower(3.5), gummies(10, 10)), "unchecked"],
  ["nor in AZ", "AZ", sale({}, flower(3.5), gummies(10, 10)), "unchecked"],
  ["nor in CA", "CA", sale({}, flower(3.5), gummies(10, 10)), "unchecked"],
  ["WA does not add edibles", "WA", sale({}, flower(28), edible(40)), "svc_checked"],
  ["CO does not limit topicals", "CO", sale({}, flower(28), line("topical", 60)), "svc_checked"],
  ["NJ may", "NJ", sale({}, flower(28), line("topical", 60)), "unchecked"],
  ["by no known measure", "NJ", sale({}, line("topical", 60, { thc_mg_per_unit: 9999 })), "unchecked"],
  ["seeds are not limited", "CA", sale({}, flower(28), line("seed", 60)), "svc_checked"],
  ["grams are unknown", "CA", sale({}, flower(null)), "unchecked"],
  ["and flower equivalent", "CO", sale({}, flower(null)), "unchecked"],
  ["grams are 0", "CA", sale({}, flower(0)), "unchecked"],
  ["of one line", "CA", sale({}, flower(3.5), flower(null)), "unchecked"],
  ["and another exceeds", "CA", sale({}, flower(30), flower(null)), "red_flag", "CA.adult.daily_flower"],
  ["grams of an accessory", "CA", sale({}, flower(3.5), line("accessory", null)), "svc_checked"],
  ["units are unknown, grams are not", "CO", sale({}, flower(3.5, { num_units: null })), "svc_checked"],
  ["a line taken back", "CA", sale({}, flower(40), flower(-20, { num_units: -1 })), "unchecked"],
  ["grams taken back", "CA", sale({}, flower(40), flower(-0.5)), "unchecked"],
  ["an accessory taken back", "CA", sale({}, flower(40), line("accessory", 0, { num_units: -1 })), "unchecked"],
  [
    "a line taken back from a minor",
    "CA",
    sale({ dob: minor }, flower(40), flower(-20, { num_units: -1 })),
    "red_flag",
    "CA.adult.minimum_age",
  ],
];

const products: SaleCase[] = [
  ["an infused pre-roll", "WA", sale({}, flower(28), flower(3, { name: "Infused Pre-Roll" })), "unchecked"],
  [
    "and too much flower",
    "WA",
    sale({}, flower(29), flower(3, { name: "Infused Pre-Roll" })),
    "red_flag",
    "WA.adult.sale_flower",
  ],
  ["one with accents", "CA", sale({}, flower(30, { name: "PRÉ-RÖLLS, ÌNFÚSED" })), "unchecked"],
  ["a plain pre-roll", "CA", sale({}, flower(29, { name: "Pre-Rolls 7pk" })), "red_flag", "CA.adult.daily_flower"],
  ["moon rocks", "CA", sale({}, flower(30, { name: "Moon Rocks" })), "unchecked"],
  ["kief as flower", "CA", sale({}, flower(30, { name: "Kief" })), "unchecked"],
  ["kief as extract", "CA", sale({}, extract(9, { name: "Kief 9g" })), "unchecked"],
  ["a tincture", "CA", sale({}, cartridge(30, { name: "Sleep Tincture" })), "unchecked"],
  ["RSO", "CA", sale({}, extract(9, { name: "RSO Syringe" })), "unchecked"],
  ["gummies as extract", "CA", sale({}, extract(90, { name: "Rosin Gummies" })), "unchecked"],
  ["patches as extract", "CA", sale({}, extract(90, { name: "Transdermal Patches" })), "unchecked"],
  ["a battery", "CA", sale({}, flower(3.5), line("accessory", 30, { name: "Vape Battery" })), "svc_checked"],
  ["batteries as concentrate", "CA", sale({}, cartridge(30, { name: "Vape Batteries" })), "unchecked"],
  [
    "a battery of unknown kind",
    "CA",
    sale({}, flower(3.5), line("accessory", 30, { cannabis_product: null })),
    "svc_checked",
  ],
  [
    "cannabis as accessory",
    "CA",
    sale({}, flower(3.5), line("accessory", 30, { cannabis_product: true })),
    "unchecked",
  ],
  ["an unclear name of oil", "CA", sale({}, cartridge(12, { name: "Blue Dream" })), "unchecked"],
  ["oil without a name", "CA", sale({}, cartridge(12, { name: null })), "unchecked"],
  ["no word within a word", "CA", sale({}, cartridge(12, { name: "Cartwright" })), "unchecked"],
  [
    "carts",
    "CA",
    sale({}, cartridge(12, { name: "10 Carts", num_units: 10 })),
    "red_flag",
    "CA.adult.daily_concentrate",
  ],
  ["an extract without a name", "CA", sale({}, extract(9, { name: null })), "red_flag", "CA.adult.daily_concentrate"],
  ["flower without a name", "CA", sale({}, flower(29, { name: null })), "red_flag", "CA.adult.daily_flower"],
  ["infused pre-rolls as oil", "CA", sale({}, cartridge(30, { name: "Infused Joint" })), "unchecked"],
  ["a word of flower in an extract", "CA", sale({}, extract(9, { name: "Flower Rosin" })), "unchecked"],
  ["hemp as flower", "CA", sale({}, flower(30, { name: "Hemp Flower" })), "unchecked"],
  ["flower that is no cannabis", "CA", sale({}, flower(3.5), flower(30, { cannabis_product: false })), "unchecked"],
  ["flower that may be none", "CA", sale({}, flower(3.5), flower(30, { cannabis_product: null })), "unchecked"],
  ["nothing else", "CA", sale({ dob: minor }, flower(30, { cannabis_product: null })), "unchecked"],
  ["only hemp", "CA", sale({ dob: minor }, flower(30, { cannabis_product: false })), "unchecked"],
  ["CBD cartridges", "CA", sale({}, extract(12, { name: "CBD Cartridge", num_units: 12 })), "unchecked"],
  ["a bag", "CA", sale({}, flower(3.5), line("other", 30, { cannabis_product: false })), "svc_checked"],
  [
    "something that is no cannabis",
    "CA",
    sale({}, flower(3.5), line(null, 30, { cannabis_product: false })),
    "svc_checked",
  ],
  ["another kind of cannabis", "CA", sale({}, flower(3.5), line("other", 30)), "unchecked"],
  ["something", "CA", sale({}, flower(3.5), line(null, 30, { cannabis_product: null })), "unchecked"],
  ["cannabis of no category", "CA", sale({ dob: minor }, line(null, 30)), "red_flag", "CA.adult.minimum_age"],
  ["cannabis of a new category", "CA", sale({}, flower(3.5), line("marijuana_product", 30)), "unchecked"],
  ["a minor's accessory", "CA", sale({ dob: minor }, line("accessory", 0)), "unchecked"],
  ["accessories in FL", "FL", sale({}, line("accessory", 0)), "unchecked"],
];

const freeCases: SaleCase[] = [
  ["a price of 0", "CA", sale({}, flower(3.5, free)), "warning", "CA.adult.free_product"],
  ["a full discount", "CA", sale({}, flower(3.5, { discounts: [3000] })), "warning", "CA.adult.free_product"],
  ["in two parts", "CA", sale({}, flower(3.5, { discounts: [1000, 2000] })), "warning", "CA.adult.free_product"],
  ["0.4 cents", "CA", sale({}, flower(3.5, { discounts: [2999.6] })), "warning", "CA.adult.free_product"],
  ["half a cent", "CA", sale({}, flower(3.5, { discounts: [2999.5] })), "svc_checked"],
  ["0.6 cents", "CA", sale({}, flower(3.5, { discounts: [2999.4] })), "svc_checked"],
  ["a discount of one of two units", "CA", sale({}, flower(7, { num_units: 2, discounts: [3000] })), "svc_checked"],
  ["a discount above the price", "CA", sale({}, flower(3.5, { discounts: [3500] })), "svc_checked"],
  ["two lines for 0", "CA", sale({}, flower(1, free), flower(1, free)), "warning", "CA.adult.free_product"],
  ["no units", "CA", sale({}, flower(3.5, { num_units: 0, ...free })), "svc_checked"],
  ["taken back for 0", "CA", sale({}, flower(3.5), flower(3.5, { num_units: -1, ...free })), "unchecked"],
  ["no price", "CA", sale({}, flower(3.5, { price_per_unit: null })), "svc_checked"],
  ["no amount of a discount", "CA", sale({}, flower(3.5, { discounts: [null, 3000] })), "svc_checked"],
  [
    "no price, and another line for 0",
    "CA",
    sale({}, flower(1, { price_per_unit: null }), flower(1, free)),
    "warning",
    "CA.adult.free_product",
  ],
  ["a free accessory", "CA", sale({}, flower(3.5), line("accessory", 0, free)), "svc_checked"],
  ["a free patient's product", "CA", sale(medical, flower(3.5, free)), "svc_checked"],
  ["a free product in CO", "CO", sale({}, flower(3.5, free)), "svc_checked"],
  [
    "a free product of too much",
    "CA",
    sale({}, flower(30, free)),
    "red_flag",
    "CA.adult.daily_flower",
    "CA.adult.free_product",
  ],
];

const untaxed = { tax_paid: 0, taxes: [] };
const taxes: SaleCase[] = [
  ["no tax", "CA", sale(untaxed), "warning", "all.adult.sale_without_tax"],
  ["no tax by Treez", "CO", sale({ ...untaxed, pos_name: "Treez" }), "warning", "all.adult.sale_without_tax"],
  ["a POS with taxes in prices", "CA", sale({ ...untaxed, pos_name: "Cova" }), "svc_checked"],
  ["a tax of 0", "CA", sale({ ...untaxed, taxes: [{}] }), "svc_checked"],
  ["a tax of a line", "CA", sale(untaxed, flower(3.5, { line_item_taxes: [{}] })), "svc_checked"],
  [
    "a tax of one of two lines",
    "CA",
    sale(untaxed, flower(3.5), flower(3.5, { line_item_taxes: [{}] })),
    "svc_checked",
  ],
  ["an unknown tax", "CA", sale({ ...untaxed, tax_paid: null }), "svc_checked"],
  ["an unknown total", "CA", sale({ ...untaxed, total_paid: null }), "svc_checked"],
  ["nothing paid", "CA", sale({ ...untaxed, total_paid: 0 }), "svc_checked"],
  ["a patient without tax", "CA", sale({ ...untaxed, ...medical }), "svc_checked"],
  ["an unknown type without tax", "CA", sale({ ...untaxed, ...unknown }), "unchecked"],
  ["accessories without tax", "CA", sale(untaxed, line("accessory", 0)), "unchecked"],
];

const expired = { id_type: "drivers", id_expiration_date: "2026-11-19" };
const expires = (id_expiration_date: string | null) => ({ ...expired, id_expiration_date });
const storedAt = (svc_created_date: string | null) => ({ ...expired, svc_created_date });
const expiredCard = { ...medical, id_expiration_date: "2026-11-19" };
const idExpired = "all.adult.identification_expired";
const cardExpired = "all.medical.medical_card_expired";
const documents: SaleCase[] = [
  ["expired yesterday", "CA", sale(expired), "warning", idExpired],
  ["expires today", "CA", sale(expires("2026-11-20")), "svc_checked"],
  ["a passport", "CA", sale({ ...expired, id_type: "passport" }), "warning", idExpired],
  ["a document for a while", "CA", sale({ ...expired, id_type: "temporary_adult" }), "warning", idExpired],
  ["a card in adult use", "CA", sale({ ...expired, id_type: "medical" }), "svc_checked"],
  ["a document without kind", "CA", sale({ ...expired, id_type: null }), "svc_checked"],
  ["no expiry", "CA", sale(expires(null)), "svc_checked"],
  ["an expiry that is no date", "CA", sale(expires("11/2026")), "svc_checked"],
  ["an expiry with a time", "CA", sale(expires("2026-11-19T00:00:00Z")), "warning", idExpired],
  ["1900-01-01", "CA", sale(expires("1900-01-01")), "svc_checked"],
  ["ten years ago", "CA", sale(expires("2016-11-20")), "svc_checked"],
  ["almost", "CA", sale(expires("2016-11-21")), "warning", idExpired],
  ["stored after three days", "CA", sale(storedAt("2026-11-23T20:00:00.000Z")), "warning", idExpired],
  ["stored later", "CA", sale(storedAt("2026-11-23T20:00:00.001Z")), "svc_checked"],
  ["stored three days before", "CA", sale(storedAt("2026-11-17T20:00:00.000Z")), "warning", idExpired],
  ["stored earlier", "CA", sale(storedAt("2026-11-17T19:59:59.999Z")), "svc_checked"],
  ["no date of storing", "CA", sale(storedAt(null)), "svc_checked"],
  ["no date", "CA", sale({ ...expired, date: null }), "svc_checked"],
  ["a patient's license", "CA", sale({ ...expiredCard, id_type: "drivers" }), "svc_checked"],
  ["a card", "CA", sale({ ...expiredCard, id_type: "medical" }), "warning", cardExpired],
  ["one with a recommendation", "CA", sale({ ...expiredCard, id_type: "medical_with_rec" }), "warning", cardExpired],
  ["one of the state", "CO", sale({ ...expiredCard, id_type: "medical_with_state_card" }), "warning", cardExpired],
  ["a caregiver's card", "CA", sale({ ...expiredCard, id_type: "caregiver" }), "unchecked"],
  ["an unknown type", "CA", sale({ ...expired, ...unknown }), "unchecked"],
  ["accessories", "CA", sale(expired, line("accessory", 0)), "unchecked"],
  ["no certain cannabis", "CA", sale(expired, line("other", 1)), "unchecked"],
];

const heavyEdible = "all.edible.implausible_weight";
const heavyCartridge = "all.cartridge.implausible_weight";
const weights: SaleCase[] = [
  ["an edible of 50 g", "WA", sale({}, edible(50)), "svc_checked"],
  ["an edible of 50.01 g", "WA", sale({}, edible(50.01)), "warning", heavyEdible],
  ["two of 50 g", "WA", sale({}, edible(100, { num_units: 2 })), "svc_checked"],
  ["two of 51 g", "WA", sale({}, edible(102, { num_units: 2 })), "warning", heavyEdible],
  ["a patient's", "WA", sale(medical, edible(60)), "warning", heavyEdible],
  ["an unknown type's", "WA", sale(unknown, edible(60)), "warning", heavyEdible],
  ["a drink", "WA", sale({}, line("edible_liquid", 355)), "svc_checked"],
  ["an edible without cannabis", "WA", sale({}, flower(1), edible(60, { cannabis_product: false })), "unchecked"],
  ["units are unknown", "WA", sale({}, edible(60, { num_units: null })), "svc_checked"],
  ["units are 0", "WA", sale({}, edible(60, { num_units: 0 })), "svc_checked"],
  ["taken back", "WA", sale({}, edible(-60, { num_units: -1 })), "unchecked"],
  ["grams are unknown", "WA", sale({}, edible(null)), "svc_checked"],
  ["a cartridge of 2 g", "WA", sale({}, cartridge(2)), "svc_checked"],
  ["a cartridge of 2.01 g", "WA", sale({}, cartridge(2.01)), "warning", heavyCartridge],
  ["two of 2.01 g", "WA", sale({}, cartridge(4.02, { num_units: 2 })), "warning", heavyCartridge],
  ["a disposable extract", "WA", sale({}, extract(3, { name: "Disposable" })), "warning", heavyCartridge],
  ["rosin of 5 g", "WA", sale({}, extract(5, { name: "Rosin" })), "svc_checked"],
  ["a cartridge of CBD", "WA", sale({}, cartridge(5, { name: "CBD Cartridge" })), "unchecked"],
  ["a cartridge's battery", "WA", sale({}, cartridge(20, { name: "Cart Battery" })), "unchecked"],
  ["not certainly cannabis", "WA", sale({}, flower(1), cartridge(5, { cannabis_product: null })), "unchecked"],
  ["a cartridge above a limit", "WA", sale({}, cartridge(8)), "red_flag", heavyCartridge, "WA.adult.sale_concentrate"],
];

/** Sales against the rules as they are. */
export const saleCases: SaleCase[] = [
  ...ages,
  ...tolerances,
  ...hours,
  ...unchecked,
  ...changedLimits,
  ...sums,
  ...products,
  ...freeCases,
  ...taxes,
  ...documents,
  ...weights,
];

/** Rules that are off because their sources cannot be named, or few POS state THC. `furtherCases` expects them to be on. */
export const furtherRules = [
  "FL.adult.adult_use_not_permitted",
  "IL.adult.minimum_age",
  "IL.adult.sale_concentrate.2026",
  "IL.adult.sale_flower.2026",
  "MA.adult.daily_flower.2026",
  "MA.adult.minimum_age",
  "MA.adult.daily_concentrate.2026",
  "NJ.adult.sale_edible",
  "NJ.adult.identification",
  "NV.adult.minimum_age",
];

const ownRule = { state: "TX", tolerance: null, equivalence: null, not_limited: null, period: "sale" } as const;
const inForce = { from: "2026-01-01", to: null, citation: "none", sources: [], remarks: [], why_not: null } as const;
const ruleOf = (
  rule: Pick<SaleRule, "id" | "check" | "applies_to" | "value" | "unit"> & Partial<SaleRule>,
): SaleRule => ({ ...ownRule, ...inForce, severity: "exception", enabled: true, ...rule });

/** Rules of a stage, for values that no rule of the release has. */
export const ownRules: SaleRule[] = [
  ruleOf({ id: "TX.adult.identification", check: "identification", applies_to: "adult", value: null, unit: null }),
  ruleOf({ id: "TX.adult.minimum_age", check: "minimum_age", applies_to: "adult", value: 21, unit: "years" }),
  ruleOf({ id: "TX.medical.minimum_age", check: "minimum_age", applies_to: "medical", value: 18, unit: "years" }),
  ruleOf({ id: "TX.all.edible", check: "daily_limit", applies_to: "all", value: 100, unit: "mg_thc_edible" }),
  ruleOf({
    id: "TX.all.thc",
    check: "daily_limit",
    applies_to: "all",
    value: 1000,
    unit: "mg_thc",
    not_limited: ["topical"],
  }),
  ruleOf({
    id: "TX.all.sale_hours",
    check: "sale_hours",
    applies_to: "all",
    value: "06:00-26:00",
    unit: "local_time",
    tolerance: 10,
  }),
];

const many = { num_units: 30, price_per_unit: 100 };
/** Sales against the rules with `furtherRules`. */
export const furtherCases: SaleCase[] = [
  ["CA1: both limits reached side by side", "CA", sale({}, flower(28.5), cartridge(8, many)), "svc_checked"],
  ["CA3: 1 g above", "CA", sale({}, extract(9)), "red_flag", "CA.adult.daily_concentrate"],
  ["CA5: a physician may allow a patient more", "CA", sale(medical, flower(200)), "svc_checked"],
  ["CA7: outside the state's frame", "CA", sale({ at: "23:15" }), "warning", "CA.all.sale_hours"],
  [
    "CA9: a caregiver buys for a minor patient",
    "CA",
    sale({ ...medical, dob: "2010-01-01", id_type: "minor_medical" }, edible(50)),
    "unchecked",
  ],
  ["EQ1: 14 + 14.17 = 28.17 g", "CO", sale({}, flower(14), cartridge(4, many)), "svc_checked"],
  ["EQ3: four quarters of 7.09 g", "CO", sale({}, flower(28.36)), "svc_checked"],
  ["EQ5: exactly the ounce, no date of birth kept", "NJ", sale({ dob: null }, flower(28.35)), "svc_checked"],
  [
    "EQ7: inside the ounce, above 5 g",
    "AZ",
    sale({}, flower(20), cartridge(6, many)),
    "red_flag",
    "AZ.adult.sale_concentrate",
  ],
  ["EQ9: 74 g, concentrate below 15 g", "MI", sale({}, flower(60), extract(14)), "red_flag", "MI.adult.sale_total"],
  [
    "CH1: the day before the change",
    "MA",
    sale({ at: "2026-04-18" }, flower(42)),
    "red_flag",
    "MA.adult.daily_flower.2024",
  ],
  ["CH3: above 2 oz", "MA", sale({}, flower(60)), "red_flag", "MA.adult.daily_flower.2026"],
  [
    "CH5: above the cap of residents on the day",
    "IL",
    sale({ at: "2026-06-11 21:00" }, flower(35)),
    "red_flag",
    "IL.adult.sale_flower.2024",
  ],
  ["CH7: whether the buyer is a resident is unknown", "IL", sale({}, flower(45)), "svc_checked"],
  ["CH9: before later hours", "IL", sale({ at: "2026-05-20 23:45" }), "red_flag", "IL.all.sale_hours.2024"],
  ["NW1: both limits in the last minute", "WA", sale({ at: "23:59" }, flower(28), cartridge(7, many)), "svc_checked"],
  [
    "NW3: infused pre-rolls are not flower",
    "WA",
    sale({}, flower(28), flower(3, { name: "Infused Pre-Roll" })),
    "unchecked",
  ],
  ["NW5: an upload of days", "WA", sale({ at: "00:00" }, flower(1)), "unchecked"],
  [
    "NW7: a patient of 17 buys alone",
    "WA",
    sale({ ...medical, dob: "2009-06-01", id_type: "medical" }, flower(1)),
    "warning",
    "WA.medical.minimum_age",
  ],
  ["NW9: the second 30 g of a day are no finding of the sale", "OR", sale({}, flower(30)), "svc_checked"],
  [
    "MX1: both limits, hours are the town's",
    "NY",
    sale({ at: "01:30" }, flower(85), cartridge(24, many)),
    "svc_checked",
  ],
  ["MX3: above 3 oz", "NY", sale({}, flower(90)), "red_flag", "NY.adult.sale_flower"],
  ["MX5: a vaporizer only", "FL", sale({}, line("accessory", 0, { name: "Vaporizer" })), "unchecked"],
  ["MX7: a patient in the evening", "FL", sale({ ...medical, at: "21:30" }, flower(85)), "unchecked"],
  ["MX9: a patient, perhaps a caregiver", "MI", sale(medical, flower(75)), "unchecked"],
  ["adult use where only medical use is lawful", "FL", sale({}), "red_flag", "FL.adult.adult_use_not_permitted"],
  ["adult use that may be hemp", "FL", sale({}, flower(3.5, { cannabis_product: null })), "unchecked"],
  ["a type of use that is unknown", "FL", sale(unknown), "unchecked"],
  ["nothing but the age of a minor in NV", "NV", sale({ dob: minor }), "red_flag", "NV.adult.minimum_age"],
  ["NJ, 1,000 mg in edibles", "NJ", sale({}, gummies(10, 100)), "svc_checked"],
  ["NJ, 1,001 mg in edibles", "NJ", sale({}, gummies(1, 1001)), "red_flag", "NJ.adult.sale_edible"],
  ["MA, 10 g in concentrate", "MA", sale({}, extract(12, { thc_mg_per_unit: 10_000 })), "svc_checked"],
  [
    "MA, more than 10 g",
    "MA",
    sale({}, extract(12, { thc_mg_per_unit: 10_001 })),
    "red_flag",
    "MA.adult.daily_concentrate.2026",
  ],
  ["own rules, 100 mg", "TX", sale({}, gummies(10, 10)), "svc_checked"],
  ["own rules, 101 mg", "TX", sale({}, gummies(1, 101)), "red_flag", "TX.all.edible"],
  ["THC of concentrate is not that of edibles", "TX", sale({}, extract(1, { thc_mg_per_unit: 500 })), "unchecked"],
  ["but is THC", "TX", sale({}, extract(1, { thc_mg_per_unit: 1001 })), "red_flag", "TX.all.thc"],
  ["THC is unknown", "TX", sale({}, gummies(10, null)), "unchecked"],
  ["no age in a state that requires none", "TX", sale({ dob: null }, gummies(10, 10)), "svc_checked"],
  ["no patient's age there", "TX", sale({ ...medical, dob: null }, gummies(10, 10)), "unchecked"],
  ["a patient's age there", "TX", sale(medical, gummies(10, 10)), "svc_checked"],
  ["an unknown type there", "TX", sale(unknown, gummies(10, 10)), "unchecked"],
  ["2:10 is 26:10", "TX", sale({ at: "02:10" }, gummies(10, 10)), "svc_checked"],
  ["2:11", "TX", sale({ at: "02:11" }, gummies(10, 10)), "red_flag", "TX.all.sale_hours"],
  ["5:49", "TX", sale({ at: "05:49" }, gummies(10, 10)), "red_flag", "TX.all.sale_hours"],
  ["an implausible date of birth in NJ", "NJ", sale({ dob: "1900-01-01" }), "unchecked"],
  ["IL, above 10 g", "IL", sale({}, extract(10.02)), "red_flag", "IL.adult.sale_concentrate.2026"],
];

/** A rule, a state, a sale, and why the rule is not evaluated. */
export const notEvaluatedCases: (readonly [rule: string, state: string, sale: CheckedSale, why: string])[] = [
  ["CA.adult.minimum_age", "CA", sale({ transaction_type: "return" }), "no_sale"],
  ["CA.adult.minimum_age", "CA", sale({ at: "00:00" }), "time_missing"],
  ["CA.adult.minimum_age", "CA", sale(unknown), "customer_type_missing"],
  ["CA.adult.minimum_age", "CA", sale(medical), "not_applicable"],
  ["CA.adult.minimum_age", "CA", sale({}, line("accessory", 0)), "not_applicable"],
  ["CA.adult.minimum_age", "CA", sale({}, line("accessory", 0), line("other", 1)), "products_unclear"],
  ["CA.adult.minimum_age", "CA", { ...sale({}), line_items: [] }, "products_unclear"],
  ["CA.adult.minimum_age", "CA", sale({ dob: null }), "date_of_birth_missing"],
  ["CA.adult.minimum_age", "CA", sale({ dob: "1970-01-01" }), "date_of_birth_implausible"],
  ["CA.medical.minimum_age", "CA", sale({ ...medical, id_type: "caregiver" }), "may_be_a_caregiver"],
  ["CA.adult.daily_flower", "CA", sale({}, flower(1), flower(-1)), "lines_taken_back"],
  ["CA.adult.daily_flower", "CA", sale({}, flower(1), flower(null)), "amounts_missing"],
  ["CA.adult.daily_flower", "CA", sale({}, flower(1), flower(28, { num_units: 0 })), "amounts_missing"],
  ["CA.adult.daily_flower", "CA", sale({}, flower(1), line("other", 1)), "products_unclear"],
  ["CA.adult.free_product", "CA", sale({}, flower(1, { price_per_unit: null })), "prices_missing"],
  ["all.adult.sale_without_tax", "CA", sale({ pos_name: "Cova" }), "not_applicable"],
  ["all.adult.sale_without_tax", "CA", sale({ tax_paid: null }), "amounts_missing"],
  ["all.adult.identification_expired", "CA", sale({}), "not_applicable"],
  ["all.adult.identification_expired", "CA", sale(expires(null)), "expiration_missing"],
  ["all.adult.identification_expired", "CA", sale({ ...expired, date: null }), "stored_later"],
  ["all.adult.identification_expired", "CA", sale(expires("1970-01-01")), "expiration_implausible"],
  ["all.edible.implausible_weight", "CA", sale({}), "not_applicable"],
];
