import type { DepositCase } from "../insights/depositCodes.ts";
import type { Item, Table } from "./client.ts";
import { depositCasesKey } from "./keys/deposits.ts";

/** Reads the days on which a code about deposits begins to hold. The read is consistent. */
export const readDepositCases = async (table: Table, crbId: string): Promise<DepositCase[]> =>
  toDepositCases(await table.get(depositCasesKey(crbId), { consistent: true }));

/** @param item the stored item; undefined if no code ever held */
export const toDepositCases = (item: Item | undefined): DepositCase[] => (item ? JSON.parse(item.cases as string) : []);
