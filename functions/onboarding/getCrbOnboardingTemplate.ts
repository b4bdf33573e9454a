import { notFound } from "../../shared/api/errors.ts";
import { getCrbOnboardingTemplate } from "../../shared/api/operations/onboarding.ts";
import { toCrbTemplate } from "../../shared/domain/onboarding/answers.ts";
import { readOnboarding } from "../../shared/domain/onboarding/readOnboarding.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getCrbOnboardingTemplate, async ({ path }) => {
  const onboarding = await readOnboarding(serviceTable(), path.crb_id);
  if (!onboarding) throw notFound("CRB");
  const { answers, crb, documents } = onboarding;
  return json(toCrbTemplate(answers, crb.record.status, documents));
});
