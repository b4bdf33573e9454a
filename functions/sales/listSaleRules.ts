import { listSaleRules } from "../../shared/api/operations/saleChecks.ts";
import { findSaleRules } from "../../shared/domain/saleChecks/findSaleRules.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";

export const handler = endpoint(listSaleRules, async ({ query }) => list(findSaleRules(query), query.offset));
