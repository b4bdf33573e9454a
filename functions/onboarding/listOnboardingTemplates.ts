import { listOnboardingTemplates } from "../../shared/api/operations/onboarding.ts";
import { readTemplates } from "../../shared/domain/onboarding/templates.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(listOnboardingTemplates, async ({ path, query }) => {
  const templates = await readTemplates(serviceTable(), path.sp_id);
  const page = templates.slice(query.offset, query.offset + query.limit);
  return list({ total: templates.length, records: page.map((template) => JSON.stringify(template)) }, query.offset);
});
