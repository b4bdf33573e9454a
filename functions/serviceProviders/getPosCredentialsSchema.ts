import { getPosCredentialsSchema } from "../../shared/api/operations/serviceProviders.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { posCredentialsSchema } from "../../shared/pos/posCredentialsSchema.ts";

export const handler = endpoint(getPosCredentialsSchema, async () => json(posCredentialsSchema()));
