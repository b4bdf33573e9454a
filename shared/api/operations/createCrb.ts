import { defineOperation, E4 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { crbCore } from "../schemas/crb.ts";
import { crbCreation, idempotencyHeaders } from "../schemas/crbCreation.ts";
import { exampleCore } from "./crbs.ts";

export const createCrb = defineOperation({
  handler: "crbs/createCrb",
  routes: [
    {
      operationId: "createCrb",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "Service Provider",
  summary: "Create a CRB",
  description:
    "With `pos_info` the POS is checked and connected, and the people in `users`, if any, are invited. Without it `users` are invited to connect the POS themselves. Nothing is stored unless every check passes. An organisation that the service provider has already cannot be connected again: 409, `data` names it. A location that is missing or unknown is 422, `data.locations` lists the valid ones.",
  query: noQuery,
  headers: idempotencyHeaders,
  body: crbCreation,
  secrets: ["body.pos_info.pos_credentials"],
  success: { schema: crbCore, description: "The CRB", example: exampleCore },
  errors: [...E4, 409, 413, 503],
  capabilities: ["table:read", "table:write", "serviceKey:read", "posCredentials:seal", "queue:send"],
});
