import { listStatements } from "../../shared/api/operations/statements.ts";
import { listStatements as read, toStatement } from "../../shared/domain/statements/storedStatement.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { page } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listStatements, async ({ path, query }) => {
  const { records, ...rest } = await read(serviceTable(), path.crb_id, query);
  return page({ ...rest, records: records.map((stored) => toStatement(stored)) });
});
