import type { DepositRequest } from "../../../shared/api/schemas/deposit.ts";
import type { ReconciliationDay } from "../../../shared/api/schemas/reconciliation.ts";
import type { Table } from "../../../shared/store/client.ts";
import { givenServiceProvider, type OperationRequest } from "../callHandler.ts";

type Query = OperationRequest["query"];

/** A CRB, and the calls of its service provider that concern deposits. */
export async function givenDepositor(table: Table, record: Parameters<typeof givenServiceProvider>[2] = {}) {
  const given = await givenServiceProvider(table, undefined, record);
  const { call } = given;
  const list = (query: Query = {}) => call("listReconciliationDays", { query });
  return {
    ...given,
    store: (...deposits: object[]) => call("storeDeposits", { body: { deposits } }),
    remove: (deposit_id: string) => call("deleteDeposit", { path: { deposit_id } }),
    deposits: (query: Query = {}) => call("listDeposits", { query }),
    counts: (query: Query = {}) => call("listCashCounts", { query }),
    count: (date: string, amount: number) => call("setCashCount", { path: { date }, body: { amount } }),
    uncount: (date: string) => call("deleteCashCount", { path: { date } }),
    settings: () => call("getReconciliationSettings"),
    set: (body: object) => call("setReconciliationSettings", { body }),
    list,
    /** All reconciliation days, oldest first. */
    days: async (query: Query = { limit: 1_000 }): Promise<ReconciliationDay[]> =>
      (await list(query)).json.data.toReversed(),
  };
}

/** A deposit of cash. */
export const cash = (
  id: string,
  posted_date: string,
  amount: number,
  more: Partial<DepositRequest> = {},
): DepositRequest => ({ id, posted_date, amount, type: "cash", ...more });
