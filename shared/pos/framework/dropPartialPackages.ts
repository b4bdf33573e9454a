import { PosError } from "../connector.ts";
import { posIdOf } from "../posRecords.ts";
import type { WholeList } from "./wholeList.ts";

/**
 * A list of stock without what has a row that was rejected: the rest would show too little stock.
 *
 * @throws PosError "notUnderstood" where that leaves none of these, and others are behind them, which nobody could go on
 * behind
 */
export function dropPartialPackages(list: WholeList<"inventory">): WholeList<"inventory"> {
  const rejected = new Set(list.rejected.map(({ posId }) => posId));
  const records = list.records.filter((record) => !rejected.has(posIdOf("inventory", record)));
  if (list.hasMore && records.length === 0) throw new PosError("notUnderstood", { code: "unreadable" });
  return { ...list, records };
}
