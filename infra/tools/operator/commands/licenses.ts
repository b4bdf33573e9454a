import { type LinkedLicenseStatus, linkedLicenseStatuses } from "../../../../shared/api/enumerations.ts";
import type { License } from "../../../../shared/api/schemas/license.ts";
import { statusOn } from "../../../../shared/domain/linkedLicenses/linkStatus.ts";
import { readLinks } from "../../../../shared/domain/linkedLicenses/readLinks.ts";
import { itemId, type Table } from "../../../../shared/store/client.ts";
import { listServiceProviders } from "../../../../shared/store/crbs.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import { compareHolder, type NamedBusiness } from "../../../../shared/text/compareHolder.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import type { MakeCommand } from "../session.ts";
import { stateCell } from "../stateStyles.ts";
import { type Columns, fields, jsonOption, printList } from "../table.ts";

export const lapsed: MakeCommand = (session) =>
  newProgram("lapsed", "Lists the linked licenses of all service providers that are not active, as last compared.")
    .option("--status <STATUS>", `only one status: ${linkedLicenseStatuses.join(", ")}`)
    .addOption(jsonOption())
    .action(async ({ json, status }) => {
      const wanted = status === undefined ? undefined : linkedLicenseStatuses.find((each) => each === status);
      if (status !== undefined && !wanted) {
        throw new StageError(`--status must be one of ${linkedLicenseStatuses.join(", ")}.`);
      }
      const rows = await lapsedLicenses(session.target.table, wanted);
      const none = wanted ? `No linked license is ${wanted}.` : "All linked licenses are active.";
      printList(session, rows, columns, { json, none });
    });

const columns: Columns<Awaited<ReturnType<typeof lapsedLicenses>>[number]> = {
  status: (row) => stateCell(row.status),
  since: (row) => row.status_date,
  expires: (row) => row.expires_date,
  holder: (row) => row.holder_matches,
  business: (row) => row.name,
  license: (row) => row.license_identifier,
  ...fields("crb_id", "licensee", "sp_id", "license_id"),
};

/** @param wanted one status; all but `active` if undefined */
export async function lapsedLicenses(table: Table, wanted: LinkedLicenseStatus | undefined) {
  const rows = [];
  for (const { id: sp_id } of await listServiceProviders(table)) {
    const links = (await readLinks(table, sp_id)).filter(({ status }) =>
      wanted ? status === wanted : status !== "active",
    );
    const crbs = await table.batchGet(links.map(({ names }) => crbKey(names.crbId)));
    for (const link of links) {
      const { crbId, licenseId } = link.names;
      const license = JSON.parse(link.body) as License;
      const crb = crbs.get(itemId(crbKey(crbId)))?.record as NamedBusiness | undefined;
      rows.push({
        crb_id: crbId,
        name: crb?.name ?? null,
        license_id: licenseId,
        license_identifier: license.license_identifier,
        licensee: license.licensee,
        // As in the API; null also if the CRB is not stored.
        holder_matches: crb ? compareHolder(link.holder, crb) : null,
        status: link.status,
        status_date: statusOn(link, link.day).statusDate,
        expires_date: link.expiresAt,
        sp_id,
      });
    }
  }
  return rows.sort((one, other) => (one.status_date < other.status_date ? 1 : -1));
}
