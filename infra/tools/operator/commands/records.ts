import { eraseCustomerJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { readRecord } from "../../../../shared/store/orderedList/readPage.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { writeJson } from "../../../local/prettyJson.ts";
import { crbArgument, kindArgument, uuid } from "../arguments.ts";
import { dayOf, daysLater, exportVersionDays, heldByBackups } from "../certificate.ts";
import type { MakeCommand } from "../session.ts";
import { jsonOption } from "../table.ts";
import { facts } from "../terminal.ts";
import { noCrb, openCrbOf } from "./crbOf.ts";

export const show: MakeCommand = (session) =>
  newProgram("show", "Shows one record as JSON, in the form that callers receive.")
    .addArgument(crbArgument())
    .addArgument(kindArgument())
    .argument("<RECORD_ID>", "id of the record", uuid("RECORD_ID"))
    .addOption(jsonOption())
    .action(async (crbId, kind, id) => {
      const text = await readRecord(session.target.table, recordList(crbId, kind), id);
      if (text === undefined) throw new StageError(`CRB ${crbId} has no ${kind} ${id}.`);
      writeJson(session.stdout, JSON.parse(text));
    });

export const erase: MakeCommand = (session) =>
  newProgram(
    "erase",
    "Erases a customer's record, index entries and names in sales, and prints a certificate. Replication does not restore them.",
  )
    .addArgument(crbArgument())
    .argument("<CUSTOMER_ID>", "id of the customer", uuid("CUSTOMER_ID"))
    .action(async (crbId, customerId) => {
      const { target, print, confirm } = session;
      const { record } = await openCrbOf(target.table, crbId);
      const bucket = target.documents();
      await confirm(`Erase customer ${customerId} from the data of ${record.name}? This cannot be undone.`);
      const result = await eraseCustomerJournaled({ table: target.table, bucket }, crbId, customerId);
      if (!result) throw noCrb(crbId);
      const now = new Date();
      print(
        result.stored
          ? `Erased customer ${customerId} of ${record.name}.`
          : `Customer ${customerId} of ${record.name} is not stored, or was already erased.`,
        ...facts({
          at: now.toISOString(),
          record: result.stored ? "every field except its ids and the POS" : "nothing was left to erase",
          search: "no index entry leads to the customer",
          sales: `the names in ${result.sales}`,
          exports: target.local
            ? "those that may hold the customer are deleted"
            : `those that may hold the customer are deleted; their versions in the bucket until ${dayOf(daysLater(now, exportVersionDays))}`,
          replication: "ignores the customer from now on",
          ...heldByBackups(target, now),
          POS: "keeps its own data",
        }),
      );
    });
