import { type RecordKind, recordKinds } from "../../../shared/kinds.ts";
import { eraseNoted } from "../../../shared/onboarding/journaled.ts";
import { recordList } from "../../../shared/table/keys.ts";
import { readRecord } from "../../../shared/table/rankedList/readRecord.ts";
import { prettyJson } from "../../local/prettyJson.ts";
import { StageError } from "../../local/stageError.ts";
import { heldByBackups } from "../certificate.ts";
import type { Command } from "../command.ts";
import { facts } from "../terminal.ts";
import { crbOf } from "./crbOf.ts";

/** @throws StageError when there is no such kind of records */
export function kindOf(text: string): RecordKind {
  const kind = recordKinds.find((each) => each === text.toLowerCase());
  if (!kind) throw new StageError(`A kind is one of ${recordKinds.join(", ")}.`);
  return kind;
}

export const show: Command = {
  name: "record show",
  parameters: ["CRB_ID", "KIND", "RECORD_ID"],
  summary: `Shows one record as callers get it; KIND is ${recordKinds.join(", ")}.`,
  async run({ target, print }, [crbId = "", kind = "", id = ""]) {
    const text = await readRecord(target.table, recordList(crbId, kindOf(kind)), id);
    if (text === undefined) throw new StageError(`CRB ${crbId} has no ${kind} ${id}.`);
    print(...prettyJson(JSON.parse(text)));
  },
};

export const erase: Command = {
  name: "customer erase",
  parameters: ["CRB_ID", "CUSTOMER_ID"],
  summary:
    "Erases a customer's record, search entries and mentions in sales, and prints a certificate; replication brings none of it back.",
  async run({ target, print, confirm }, [crbId = "", customerId = ""]) {
    const { record } = await crbOf(target.table, crbId);
    const bucket = target.documents();
    await confirm(`Erase customer ${customerId} from the data of ${record.name}, for good?`);
    const result = await eraseNoted({ table: target.table, bucket }, crbId, customerId);
    if (!result) throw new StageError(`There is no CRB ${crbId}.`);
    const now = new Date();
    print(
      result.stored
        ? `Erased customer ${customerId} of ${record.name}.`
        : `Customer ${customerId} of ${record.name} is not stored, or erased already.`,
      ...facts({
        at: now.toISOString(),
        record: result.stored ? "every field but its ids and the POS" : "nothing was left to erase",
        search: "no value leads to the customer",
        sales: `the names in ${result.sales}`,
        replication: "keeps the customer out from now on",
        backups: heldByBackups(target, now),
        POS: "has its own data, which stays",
      }),
    );
  },
};
