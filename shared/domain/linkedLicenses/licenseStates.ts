import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import type { Item, Table } from "../../store/client.ts";
import type { CrbNames, LicenseState, LicenseStates } from "../../store/crbLicenses.ts";
import { linkedLicensePrefix, linkedLicensesPartition, parseLinkedLicenseKey } from "../../store/keys/licenses.ts";
import { compareHolder, type Holder, type NamedBusiness } from "../../text/compareHolder.ts";

export const licenseState = (
  { status, holder }: { status: LinkedLicenseStatus; holder: Holder },
  business: NamedBusiness,
): LicenseState => ({ status, isDifferent: compareHolder(holder, business) === "different" });

/** The licenses of a CRB in the items of its links. */
export const toLicenseStates = (links: readonly Item[], business: NamedBusiness): LicenseStates =>
  Object.fromEntries(
    links.map(({ sk, status, holder }) => {
      const link = { status: status as LinkedLicenseStatus, holder: holder as Holder };
      return [parseLinkedLicenseKey(sk).licenseId, licenseState(link, business)];
    }),
  );

/** Reads the licenses of a CRB from its links. */
export async function readLicenseStates(
  table: Table,
  { spId, crbId }: CrbNames,
  business: NamedBusiness,
): Promise<LicenseStates> {
  const range = { prefix: linkedLicensePrefix(crbId), consistent: true };
  const links = await table.queryPartition(linkedLicensesPartition(spId), range);
  return toLicenseStates(links, business);
}
