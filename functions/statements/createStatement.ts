import { createStatement } from "../../shared/api/operations/statements.ts";
import { createStatement as create } from "../../shared/domain/statements/createStatement.ts";
import { requestStatementRun } from "../../shared/domain/statements/statementMessage.ts";
import { toStatement } from "../../shared/domain/statements/storedStatement.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(createStatement, async ({ path, headers, body, principal }) => {
  const stored = await create(serviceTable(), {
    spId: path.sp_id,
    crbId: path.crb_id,
    body,
    idempotencyKey: headers["idempotency-key"],
    by: principal,
  });
  if (stored.status === "queued") await requestStatementRun(stored);
  return { body: () => ({ text: JSON.stringify(toStatement(stored)), logged: { recordId: stored.id } }) };
});
