import type { Crb as CrbRecord } from "../../../../shared/api/schemas/crb.ts";
import type { ServiceProvider } from "../../../../shared/api/schemas/serviceProvider.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { listServiceProviders, listCrbs as readCrbs } from "../../../../shared/store/crbs.ts";
import { endedAssociations } from "../../../../shared/store/endedAssociations.ts";
import { newProgram } from "../../../cli/program.ts";
import type { MakeCommand } from "../session.ts";
import { stateCell } from "../stateStyles.ts";
import { type Columns, fields, jsonOption, printList } from "../table.ts";

export const listCrbs: MakeCommand = (session) =>
  newProgram(
    "list",
    "Lists the CRBs of all service providers by name, including those whose association has ended and that are not purged yet.",
  )
    .addOption(jsonOption())
    .action(async ({ json }) => {
      const { table } = session.target;
      const providers = await listServiceProviders(table);
      const rows = await allCrbs(table, providers);
      const none =
        providers.length > 0
          ? "There is no CRB: a service provider creates one with createCrb."
          : "There is no service provider and so no CRB: run service-provider create first.";
      printList(session, rows, columns, { json, none });
    });

/** A row of the list of CRBs. Every CRB has at most one POS. */
const rowOf = (record: CrbRecord, sp_id: string, ended_date: string | null, service_provider: string | null) => ({
  crb_id: record.id,
  name: record.name,
  status: record.status,
  pos_type: record.pos_configs[0]?.name ?? null,
  pos_status: record.pos_configs[0]?.status ?? null,
  ...{ sp_id, service_provider, ended_date },
});

type CrbRow = ReturnType<typeof rowOf>;

const columns: Columns<CrbRow> = {
  ...fields("crb_id", "name"),
  status: (row) => stateCell(row.status),
  "POS status": (row) => stateCell(row.pos_status),
  "association ended": (row) => row.ended_date,
  POS: (row) => row.pos_type,
  "service provider": (row) => row.service_provider,
  sp_id: (row) => row.sp_id,
};

const pageSize = 100;

/** The CRBs of all service providers by name, including those whose association has ended. */
export async function allCrbs(table: Table, providers: readonly ServiceProvider[]): Promise<CrbRow[]> {
  // The map removes duplicates: if a list grows during the reads, it can return a CRB twice.
  const rows = new Map<string, CrbRow>();
  for (const { id, name } of providers) {
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const page = await readCrbs(table, id, { offset, limit: pageSize });
      total = page.total;
      for (const record of page.records) rows.set(record.id, rowOf(record, id, null, name));
    }
  }
  for (const { crb, endedAt } of await endedAssociations(table, new Date())) {
    const provider = providers.find(({ id }) => id === crb?.serviceProviderId);
    if (crb) rows.set(crb.record.id, rowOf(crb.record, crb.serviceProviderId, endedAt, provider?.name ?? null));
  }
  return [...rows.values()].sort((one, other) => one.name.localeCompare(other.name));
}
