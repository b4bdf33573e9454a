import { notFound } from "../../shared/api/errors.ts";
import { getStatement } from "../../shared/api/operations/statements.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { statementWithLinks } from "../../shared/domain/statements/statementLinks.ts";
import { readStatement } from "../../shared/domain/statements/storedStatement.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getStatement, async ({ path }) => {
  const stored = await readStatement(serviceTable(), path.crb_id, path.statement_id);
  if (!stored) throw notFound("statement");
  return { body: async () => ({ text: JSON.stringify(await statementWithLinks(serviceBucket(), stored)) }) };
});
