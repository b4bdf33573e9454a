import { setIdentityProvider } from "../../shared/api/operations/identityProviders.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { issuerIssues } from "../../shared/domain/identityProviders/issuerIssues.ts";
import { setIdentityProvider as set } from "../../shared/domain/identityProviders/setIdentityProvider.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  setIdentityProvider,
  async ({ path, body, principal }) =>
    json(await set({ table: serviceTable(), bucket: serviceBucket() }, path.sp_id, body, principal)),
  (_, body) => issuerIssues(body),
);
