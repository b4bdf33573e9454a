import { notFound } from "../../shared/api/errors.ts";
import { getCrb } from "../../shared/api/operations/crbs.ts";
import { coreOf } from "../../shared/api/schemas/crb.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readCrb } from "../../shared/store/crbs.ts";

export const handler = endpoint(getCrb, async ({ path }) => {
  const crb = await readCrb(serviceTable(), path.crb_id);
  if (!crb) throw notFound("CRB");
  return json(coreOf(crb.record));
});
