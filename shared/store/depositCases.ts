import type { DepositCase } from "../insights/depositCodes.ts";
import type { Table } from "./client.ts";
import { depositCasesKey } from "./keys/deposits.ts";

/** Reads the days on which a code about deposits begins to hold, consistently; none if no code ever held. */
export async function readDepositCases(table: Table, crbId: string): Promise<DepositCase[]> {
  const item = await table.get(depositCasesKey(crbId), { consistent: true });
  return item ? JSON.parse(item.cases as string) : [];
}
