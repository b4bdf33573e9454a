import type { BatchGetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../../../shared/store/client.ts";
import { interceptCalls } from "./listUnderTest.ts";

/**
 * One call that reads: its range keys, sorted; for a query `from..to`, or the partition if it reads all of it. Also
 * whether it is consistent.
 */
export interface Read {
  asks: string[];
  consistent: boolean | undefined;
}

/** Records every BatchGetItem and Query that reads a table from now on. */
export function recordReads(table: Table): Read[] {
  const reads: Read[] = [];
  interceptCalls(table).before = (command, input) => {
    // The document client sends plain values.
    if (command === "QueryCommand") {
      const { ExpressionAttributeValues: values, ConsistentRead: consistent } = input as QueryCommandInput;
      const [pk, from, to] = [":pk", ":from", ":to"].map((name) => values?.[name]?.S ?? values?.[name]);
      reads.push({ asks: [from ? `${from}..${to}` : String(pk)], consistent });
    } else if (command === "BatchGetItemCommand") {
      const [batch] = Object.values((input as BatchGetItemCommandInput).RequestItems ?? {});
      const asks = (batch?.Keys ?? []).map(({ sk }) => String(sk?.S ?? sk)).sort();
      reads.push({ asks, consistent: batch?.ConsistentRead });
    }
  };
  return reads;
}
