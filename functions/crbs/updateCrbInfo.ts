import { isDeepStrictEqual } from "node:util";
import { notFound } from "../../shared/api/errors.ts";
import { updateCrbInfo } from "../../shared/api/operations/crbs.ts";
import type { Crb } from "../../shared/api/schemas/crb.ts";
import { json } from "../../shared/endpoint/answer.ts";
import { endpoint } from "../../shared/endpoint/endpoint.ts";
import { serviceTable } from "../../shared/table/client.ts";
import { changeCrb } from "../../shared/table/crbs.ts";

export const handler = endpoint(updateCrbInfo, async ({ path, body }) => {
  let answer: Crb | undefined;
  await changeCrb(serviceTable(), path.crb_id, (crb) => {
    const record = { ...crb.record, ...body };
    answer = record;
    return isDeepStrictEqual(record, crb.record) ? undefined : { ...crb, record };
  });
  if (!answer) throw notFound();
  return json(answer);
});
