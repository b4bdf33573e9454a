import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { Table } from "../../shared/store/client.ts";

/** A table that remembers the writes of each transaction. */
export class RememberingTable extends Table {
  readonly written: TransactWriteItem[][] = [];

  override async transact(writes: TransactWriteItem[]): Promise<void> {
    this.written.push(writes);
    await super.transact(writes);
  }
}
