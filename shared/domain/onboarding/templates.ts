import { type OnboardingTemplate, onboardingTemplate } from "../../api/schemas/onboardingTemplate.ts";
import type { Item, Table } from "../../store/client.ts";
import { templateKey } from "../../store/keys/onboarding.ts";
import { standardTemplate } from "./standardTemplate.ts";

/** Parsing restores the specification's field order; a DynamoDB map has no order. */
const toTemplate = (item: Item): OnboardingTemplate => onboardingTemplate.parse(item.record);

/** Stores a template of a service provider. Replaces a template with the same id. */
export async function putTemplate(
  table: Table,
  serviceProviderId: string,
  template: OnboardingTemplate,
): Promise<void> {
  await table.put({ ...templateKey(serviceProviderId, template.template_id), record: template });
}

/** The templates of a service provider and the standard template, newest change first (docs/spec.md#order-of-lists). */
export async function readTemplates(table: Table, serviceProviderId: string): Promise<OnboardingTemplate[]> {
  const own = await table.queryPartition(templateKey(serviceProviderId, "").pk);
  const templates = [...own.map(toTemplate), standardTemplate];
  return templates.sort((one, other) => (one.date_updated < other.date_updated ? 1 : -1));
}

/**
 * Finds the published template for a new CRB (docs/spec.md#defaults-of-a-new-crb).
 *
 * @param templateId the requested template. By default the template that the service provider published last, or the
 *   standard template if it published none
 * @returns undefined if the service provider has published no template with this id
 */
export async function publishedTemplate(
  table: Table,
  serviceProviderId: string,
  templateId?: string,
): Promise<OnboardingTemplate | undefined> {
  if (templateId === standardTemplate.template_id) return standardTemplate;
  if (templateId !== undefined) {
    const item = await table.get(templateKey(serviceProviderId, templateId), { consistent: true });
    const template = item && toTemplate(item);
    return template?.published_date === undefined ? undefined : template;
  }
  const templates = await readTemplates(table, serviceProviderId);
  const [newest] = templates
    .filter(({ published_date, template_id }) => published_date && template_id !== standardTemplate.template_id)
    .sort((one, other) => ((one.published_date ?? "") < (other.published_date ?? "") ? 1 : -1));
  return newest ?? standardTemplate;
}
