import { readPaymentNames, type SeenPaymentName } from "../../../../shared/domain/replication/seenPaymentNames.ts";
import { listServiceProviders } from "../../../../shared/store/crbs.ts";
import { mapInGroups } from "../../../../shared/store/groups.ts";
import { newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import { RecordArgument } from "../arguments.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, jsonOption, printList } from "../table.ts";
import { crbOf } from "./crbOf.ts";
import { allCrbs } from "./crbs.ts";

/** CRBs that are read at the same time. */
const groupSize = 25;

export const names: MakeCommand = (session) =>
  newProgram(
    "names",
    "Lists the names of means of payment in POS systems, with the type that each was read as and the number of sales.",
  )
    .addArgument(RecordArgument.orAll("crb"))
    .addOption(jsonOption())
    .action(async (crbId, { json }) => {
      const rows = await rowsOf(session, crbId);
      printList(session, rows, columns, { json, none: "No sale with a payment has been read." });
    });

/** A name of a means of payment in the CRBs of one POS type. */
interface NameRow {
  name: string | null;
  type: SeenPaymentName["type"];
  sales: number;
  /** whether `sales` is an estimate, with a standard error of 6 % */
  is_estimate: boolean;
  pos_type: string | null;
  /** number of CRBs with this name */
  crbs: number;
}

const columns: Columns<NameRow> = {
  name: (row) => row.name,
  "read as": (row) => row.type,
  sales: (row) => (row.is_estimate ? `~${row.sales}` : row.sales),
  POS: (row) => row.pos_type,
  CRBs: (row) => row.crbs,
};

/** The names, the most frequent first. */
async function rowsOf({ target: { table }, stdout }: Session, crbId: string): Promise<NameRow[]> {
  const crbs =
    crbId === "all"
      ? await allCrbs(table, await listServiceProviders(table))
      : [{ crb_id: crbId, pos_type: (await crbOf(table, crbId)).record.pos_configs[0]?.name ?? null }];
  const rows = new Map<string, NameRow>();
  const total = crbs.length;
  let done = 0;
  const progress = () => ({ done, total, text: `${done} of ${total} CRBs` });
  using bar = startProgressBar(stdout, progress());
  const read = async ({ crb_id, pos_type }: (typeof crbs)[number]) => {
    for (const { name, type, sales } of await readPaymentNames(table, crb_id))
      add(rows, { name, type, sales, pos_type });
    done++;
    bar.show(progress());
  };
  for await (const _ of mapInGroups(crbs, groupSize, read));
  return [...rows.values()].sort((one, other) => other.sales - one.sales);
}

function add(rows: Map<string, NameRow>, { sales, ...name }: SeenPaymentName & Pick<NameRow, "pos_type">): void {
  const key = JSON.stringify([name.pos_type, name.type, name.name]);
  const before = rows.get(key) ?? { ...name, sales: 0, is_estimate: false, crbs: 0 };
  rows.set(key, {
    name: name.name,
    type: name.type,
    sales: before.sales + sales.count,
    is_estimate: before.is_estimate || !sales.isExact,
    pos_type: name.pos_type,
    crbs: before.crbs + 1,
  });
}
