import { expect, test } from "vitest";
import { saleCompliance } from "../../../shared/domain/replication/saleCompliance.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { plainSale } from "../../shared/domain/replication/scriptedPos.ts";
import { testConnection } from "../../shared/pos/sandbox/testConnection.ts";
import { findComplianceFaults, normalize } from "./differencesFromPos.ts";

test("a sale with the findings of an earlier state is a fault, unless it is too old to be checked again", () => {
  const connection = { ...testConnection, state: "NY" };
  const { pk } = recordList(connection.crbId, "sale");
  const { id, content } =
    normalize(connection, "sale", plainSale("1", 0, "2026-12-31T20:00:00.000Z", "1")) ?? expect.fail();
  const found = saleCompliance("FL").compute(content, "2026-12-31T21:00:00.000Z");
  const stored = new Map([[pk, [{ pk, sk: id, body: JSON.stringify({ ...content, ...found }) }]]]);
  expect(findComplianceFaults(connection, stored, "2026-12-31")).toEqual([
    `not checked by the rules of NY: sale ${id}`,
  ]);
  expect(findComplianceFaults(connection, stored, "2027-01-01")).toEqual([]);
});
