import { json } from "../../shared/api/answer.ts";
import { endpoint } from "../../shared/api/endpoint.ts";
import { getPosCredentialsSchema } from "../../shared/api/operations/serviceProviders.ts";
import { posCredentialsSchema } from "../../shared/pos/posCredentialsSchema.ts";

export const handler = endpoint(getPosCredentialsSchema, async () => json(posCredentialsSchema()));
