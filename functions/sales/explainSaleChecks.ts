import { notFound } from "../../shared/api/errors.ts";
import { explainSaleChecks } from "../../shared/api/operations/saleChecks.ts";
import { explainChecks } from "../../shared/domain/saleChecks/explainChecks.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(explainSaleChecks, async ({ path }) => {
  const explained = await explainChecks(serviceTable(), path.crb_id, path.sale_id);
  if (!explained) throw notFound("sale");
  return json(explained);
});
