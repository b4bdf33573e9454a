import type { License } from "../../api/schemas/license.ts";
import type { Table } from "../../store/client.ts";
import type { CrbNames } from "../../store/crbLicenses.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { maySell } from "../licenses/uniformLicense.ts";
import { endOn, licenseDay } from "./linkStatus.ts";
import { readLinks } from "./readLinks.ts";

/** A linked license, by its number. */
export interface LinkedNumber {
  /** null if the register has none */
  number: string | null;
  /** whether a business may sell to consumers under a license of this type */
  maySell: boolean;
  /** the first day on which it does not permit business; null if no such day is certain */
  endedOn: string | null;
}

/** Whether the licenses with these numbers have all sales of a day, as far as the linked licenses show. */
export const haveAllSales = (numbers: readonly string[], linked: readonly LinkedNumber[], date: string): boolean =>
  linked.every(
    ({ number, maySell, endedOn }) =>
      !maySell || (endedOn !== null && endedOn <= date) || (number !== null && numbers.includes(number)),
  );

/** Reads the linked licenses of a CRB, also those that have ended. */
export async function readLinkedNumbers(
  table: Table,
  { spId, crbId }: CrbNames,
  clock: Clock = systemClock,
): Promise<LinkedNumber[]> {
  const links = await readLinks(table, spId, crbId, { consistent: true });
  const day = licenseDay(clock.now());
  return links.map((link) => {
    const license = JSON.parse(link.body) as License;
    return { number: license.license_identifier, maySell: maySell(license), endedOn: endOn(link, day) };
  });
}
