import { controlSandbox } from "../../shared/api/operations/sandbox.ts";
import { controlSandbox as control, invalidDetails } from "../../shared/domain/crbs/controlSandbox.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  controlSandbox,
  async ({ path, body }) => json(await control(serviceTable(), path.crb_id, path.action, body)),
  async ({ action = "" }, body) => invalidDetails(action, body),
);
