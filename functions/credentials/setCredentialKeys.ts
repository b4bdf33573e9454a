import { setCredentialKeys } from "../../shared/api/operations/credentials.ts";
import { keyIssues, setCredentialKeys as set } from "../../shared/auth/credentialKeys.ts";
import { readCredentials } from "../../shared/auth/credentialPages.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { noteKeyEnds } from "../../shared/domain/documents/journal.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  setCredentialKeys,
  async ({ path, body, principal }) => {
    const table = serviceTable();
    const { sp_id: spId, client_id: clientId } = path;
    const change = { spId, clientId, keys: body.keys, actor: principal };
    await set(table, change, (thumbprints) => noteKeyEnds(serviceBucket(), clientId, thumbprints));
    const [changed] = await readCredentials(table, [clientId]);
    return record(changed && JSON.stringify(changed), "credential");
  },
  (_, body) => keyIssues(body),
);
