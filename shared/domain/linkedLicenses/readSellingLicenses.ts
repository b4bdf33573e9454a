import type { License } from "../../api/schemas/license.ts";
import type { Table } from "../../store/client.ts";
import type { CrbNames } from "../../store/crbLicenses.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { maySell } from "../licenses/uniformLicense.ts";
import { endOn, licenseDay } from "./linkStatus.ts";
import { readLinks } from "./readLinks.ts";

/** A linked license under which a business may sell to consumers. */
export interface SellingLicense {
  /** null if the register has none */
  number: string | null;
  /** the first day on which it does not permit business; null if no such day is certain */
  endedOn: string | null;
}

/** Whether the licenses with these numbers have all sales of a day, as far as the linked licenses show. */
export const haveAllSales = (numbers: readonly string[], selling: readonly SellingLicense[], date: string): boolean =>
  selling.every(
    ({ number, endedOn }) => (endedOn !== null && endedOn <= date) || (number !== null && numbers.includes(number)),
  );

/** Reads the linked licenses under which a CRB may sell to consumers, also those that have ended. */
export async function readSellingLicenses(
  table: Table,
  { spId, crbId }: CrbNames,
  clock: Clock = systemClock,
): Promise<SellingLicense[]> {
  const links = await readLinks(table, spId, crbId, { consistent: true });
  const day = licenseDay(clock.now());
  return links.flatMap((link) => {
    const license = JSON.parse(link.body) as License;
    return maySell(license) ? [{ number: license.license_identifier, endedOn: endOn(link, day) }] : [];
  });
}
