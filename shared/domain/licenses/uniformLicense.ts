import type { UniformLicenseType } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";

/** Maps a register's words to the uniform license type. The first match wins, so specific patterns precede general ones. */
const types: readonly [RegExp, UniformLicenseType][] = [
  [/vertical|seed.to.sale/i, "Vertically Integrated"],
  [/caregiver/i, "Caregiver"],
  [/\b(test|lab)/i, "Testing"],
  [/deliver|transport|courier|distributor.transport/i, "Delivery/Transporter"],
  [/event/i, "Event Organizer"],
  [/hospitality|lounge|consumption|social/i, "Social Use Club"],
  [/research/i, "Research"],
  [/waste|dispos/i, "Waste Disposal"],
  [/stor(age|ing)\b|warehouse/i, "Storage"],
  [/cultivat|grow|nursery|producer/i, "Cultivation"],
  [/manufactur|process|extract|infus|kitchen/i, "Manufacturer/Processor"],
  [/distribut|wholesal/i, "Wholesale/Distribution"],
  [/retail|dispensar|store|center|provisioning|microbusiness/i, "Retail/Dispensary"],
  [/hemp/i, "Hemp"],
  [/\bcbd\b/i, "CBD"],
];

/** The uniform type of a register's words; "Unknown" if none matches. */
export function uniformType(reported: string): UniformLicenseType {
  return types.find(([words]) => words.test(reported))?.[1] ?? "Unknown";
}

/** The types whose licenses certainly permit no sale to consumers. */
const typesWithoutSales: ReadonlySet<UniformLicenseType> = new Set([
  "Cultivation",
  "Manufacturer/Processor",
  "Research",
  "Storage",
  "Testing",
  "Waste Disposal",
  "Wholesale/Distribution",
]);

/** Whether a license may permit sales to consumers: one license can have several types, and its words name them all. */
export function maySell({
  uniform_license_type_description: uniform,
  reported_license_type_description: reported,
}: Pick<License, "uniform_license_type_description" | "reported_license_type_description">): boolean {
  // Colorado calls all adult-use marijuana "Retail Marijuana", also that of a farm.
  const words = reported.replaceAll(/\bretail (?=mari[jh]uana|cannabis)/gi, "");
  const named = types.flatMap(([word, type]) => (word.test(words) ? [type] : []));
  return [uniform, ...named].some((type) => !typesWithoutSales.has(type));
}
