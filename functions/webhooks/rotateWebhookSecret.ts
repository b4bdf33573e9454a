import { rotateWebhookSecret } from "../../shared/api/operations/webhooks.ts";
import { serviceBucket } from "../../shared/documents/bucket.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { endpointAnswer } from "../../shared/webhooks/answer.ts";
import { rotateSecretNoted } from "../../shared/webhooks/noted.ts";

export const handler = endpoint(rotateWebhookSecret, async ({ path, grant }) => {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const rotated = await rotateSecretNoted(stores, path.sp_id, path.endpoint_id, grant.clientId);
  return json({ ...(await endpointAnswer(serviceTable(), rotated.endpoint)), secret: rotated.secret });
});
