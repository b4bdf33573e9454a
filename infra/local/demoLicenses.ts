import type { LicenseSearchState } from "../../shared/api/enumerations.ts";
import type { License } from "../../shared/api/schemas/license.ts";
import { importRegister } from "../../shared/domain/licenses/importRegister.ts";
import { type LicenseStores, searchLicenses } from "../../shared/domain/licenses/searchLicenses.ts";
import { linkLicense } from "../../shared/domain/linkedLicenses/linkLicense.ts";
import { licenseDay } from "../../shared/domain/linkedLicenses/linkStatus.ts";
import { readLinks } from "../../shared/domain/linkedLicenses/readLinks.ts";
import { addDays } from "../../shared/time/addDays.ts";
import { demoBusinesses, demoLicenseNumber, demoServiceProvider } from "./demoBusinesses.ts";

interface DemoRegister {
  state: LicenseSearchState;
  authority: string;
  localities: readonly string[];
  count: number;
}

// Fictitious licenses, the same on every machine and at every start.

const registers: readonly DemoRegister[] = [
  {
    state: "CO",
    authority: "Colorado Marijuana Enforcement Division",
    localities: ["Denver", "Boulder", "Pueblo", "Fort Collins"],
    count: 120,
  },
  {
    state: "MI",
    authority: "Michigan Cannabis Regulatory Agency",
    localities: ["Grand Rapids", "Detroit", "Ann Arbor"],
    count: 90,
  },
  {
    state: "OR",
    authority: "Oregon Liquor and Cannabis Commission",
    localities: ["Portland", "Eugene", "Bend"],
    count: 70,
  },
  { state: "CAN", authority: "Health Canada", localities: ["Vancouver", "Toronto"], count: 20 },
  { state: "NLA", authority: "", localities: ["Spokane"], count: 8 },
];

const firsts = ["Green", "High", "Silver", "Cedar", "Blue", "Golden", "Wild", "Lake", "Summit", "Prairie", "Harbor"];
const seconds = ["Leaf", "Valley", "Ridge", "Meadow", "Canyon", "River", "Grove"];
const lasts = ["Botanicals LLC", "Remedies Inc.", "Gardens LLC", "Collective", "Farms LLC"];
const people = ["Marisol Trujillo", "Owen Hartley", "Priya Raman", "Caleb Nystrom", "June Abernathy"];
const types = [
  "Retail Store",
  "Cultivation Facility",
  "Products Manufacturer",
  "Testing Laboratory",
  "Transporter",
  "Wholesale",
];
const statuses = ["Active", "Active", "Active", "Active", "Pending Renewal", "Expired", "Surrendered"];

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;

/**
 * Links a license to the first demo business, unless it is linked. The license expires in 20 days, counted from the first
 * start of the stage, so `listCrbLicenses` and `listEvents` have something to show.
 */
async function linkDemoLicense(stores: LicenseStores): Promise<void> {
  const { record } = demoBusinesses[0] as (typeof demoBusinesses)[number];
  const { id: spId } = demoServiceProvider;
  const linked = await readLinks(stores.table, spId, record.id, { consistent: true });
  if (linked.length > 0) return;
  const today = licenseDay(new Date());
  const row = {
    ...rowOf(registers[0] as DemoRegister, 0),
    licensee: `${record.name} LLC`,
    license_identifier: demoLicenseNumber,
    locality: record.city ?? "",
    reported_license_status: "Active",
    status_date: addDays(today, -345),
    expires_at: addDays(today, 20),
    businesses: record.name,
  };
  // Its own part, so that the import of the other demo licenses does not make it missing.
  const register = { state: "CO", authority: registers[0]?.authority, part: "demo" } as const;
  await importRegister(stores, register, [{ line: 2, values: row }]);
  const { records } = await (
    await searchLicenses(stores, { licenseNumber: demoLicenseNumber }, { offset: 0, limit: 1 })
  ).read();
  const { id: licenseId } = JSON.parse(records[0] ?? "{}") as License;
  await linkLicense(stores, { spId, crbId: record.id, licenseId });
}

/** Imports the demo's licenses into the registers, and links one to a business. Costs a few reads if the registers already have them. */
export async function prepareLicenses(stores: LicenseStores): Promise<void> {
  for (const register of registers) {
    const rows = Array.from({ length: register.count }, (_, i) => ({ line: i + 2, values: rowOf(register, i) }));
    await importRegister(stores, { state: register.state, authority: register.authority }, rows);
  }
  await linkDemoLicense(stores);
}

function rowOf({ state, localities }: DemoRegister, i: number): Record<string, string> {
  const business = `${pick(firsts, i * 5 + state.charCodeAt(0))} ${pick(seconds, i * 3)} ${pick(lasts, i)}`;
  const day = new Date(Date.UTC(2026, 1, 28) - ((i * 37) % 700) * 86_400_000).toISOString();
  const issued = 2016 + (i % 9);
  const status = pick(statuses, i);
  return {
    licensee: business,
    license_identifier: `${state}-${pick(["R", "C", "M", "L", "T", "W"], i)}-${String(10_000 + i * 7)}`,
    locality: pick(localities, i),
    med_rec_classification: pick(["recreational", "medical", "both"], i),
    reported_license_type_description: pick(types, i),
    reported_license_status: status,
    status_date: day.slice(0, 10),
    issued_at: `${issued}-05-01`,
    expires_at: status === "Expired" ? day.slice(0, 10) : `${issued + 11}-04-30`,
    created_at: "2024-01-15",
    updated_at: day,
    edited_at: day,
    address_country: state === "CAN" ? "Canada" : "United States",
    address_region: state === "CAN" ? "BC" : state === "NLA" ? "" : state,
    businesses: business.replace(/ (LLC|Inc\.)$/, ""),
    individuals: pick(people, i),
  };
}
