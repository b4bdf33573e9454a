import type { BatchGetItemCommandInput, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../../../shared/store/client.ts";
import { interceptCalls } from "./listUnderTest.ts";

/**
 * One call that reads: the range keys it asks for, sorted; of a query `from..to`, or the partition where it reads all of it.
 * And whether consistently.
 */
export interface Read {
  asks: string[];
  consistent: boolean | undefined;
}

/** Notes every BatchGetItem and Query by which a table is read from now on. */
export function recordReads(table: Table): Read[] {
  const reads: Read[] = [];
  interceptCalls(table).before = (command, input) => {
    // Values are plain where the document client sends them.
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
