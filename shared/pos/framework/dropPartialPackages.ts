import { PosError } from "../connector.ts";
import { posIdOf } from "../posRecords.ts";
import type { WholeList } from "./wholeList.ts";

/**
 * Drops each inventory record that has a rejected row, because its remaining rows would show too little stock.
 *
 * @throws PosError "notUnderstood" if no record remains although more records follow. The next page would then have no
 * key after which it continues
 */
export function dropPartialPackages(list: WholeList<"inventory">): WholeList<"inventory"> {
  const rejected = new Set(list.rejected.map(({ posId }) => posId));
  const records = list.records.filter((record) => !rejected.has(posIdOf("inventory", record)));
  if (list.hasMore && records.length === 0) throw new PosError("notUnderstood", { code: "unreadable" });
  return { ...list, records };
}
