import { getPosCredentialsSchema } from "../../shared/api/operations/serviceProviders.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { posCredentialsSchema } from "../../shared/pos/posCredentialsSchema.ts";

export const handler = endpoint(getPosCredentialsSchema, async () => json(posCredentialsSchema()));
