import { rotateWebhookSecret } from "../../shared/api/operations/webhooks.ts";
import { json } from "../../shared/endpoint/answer.ts";
import { endpoint } from "../../shared/endpoint/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { endpointAnswer } from "../../shared/webhooks/answer.ts";
import { rotateSecret } from "../../shared/webhooks/changes.ts";

export const handler = endpoint(rotateWebhookSecret, async ({ path }) => {
  const rotated = await rotateSecret(serviceTable(), path.sp_id, path.endpoint_id);
  return json({ ...(await endpointAnswer(serviceTable(), rotated.endpoint)), secret: rotated.secret });
});
