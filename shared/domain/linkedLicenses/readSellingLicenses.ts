import type { License } from "../../api/schemas/license.ts";
import type { Table } from "../../store/client.ts";
import type { CrbNames } from "../../store/crbLicenses.ts";
import type { SellingLicense } from "../../store/stateDays.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { maySell } from "../licenses/uniformLicense.ts";
import { endOn, licenseDay } from "./linkStatus.ts";
import { readLinks } from "./readLinks.ts";

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
