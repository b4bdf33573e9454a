import * as z from "zod";
import { valueAt } from "../../api/collectInvalidFields.ts";
import { connectablePosTypes } from "../../api/enumerations.ts";
import type { Fields } from "../../api/errors.ts";
import { uuidSent } from "../../api/schemas/requestFields.ts";
import { findConnector } from "../../pos/findConnector.ts";
import type { Table } from "../../store/client.ts";
import { publishedTemplate } from "../onboarding/templates.ts";

/** Messages for an unknown template id, and for a POS type that has no connector in this stage. */
export const noTemplate = "is not a published template of the service provider";
export const noConnector = "is not offered by this stage; getPosCredentialsSchema lists the POS types that are";

/**
 * Makes the checks of a creation's body that the body's schema cannot express (docs/spec.md#checks-of-a-new-crb). Also checks
 * that this stage can connect the POS type.
 *
 * @param body the body as received, which may be any JSON
 */
export async function creationIssues(table: Table, spId: string, body: unknown): Promise<Fields> {
  const templateId = uuidSent.safeParse(valueAt(body, ["org", "template_id"]));
  const posType = z.enum(connectablePosTypes).safeParse(valueAt(body, ["pos_info", "pos_type"]));
  const unknownTemplate = templateId.success && !(await publishedTemplate(table, spId, templateId.data));
  return {
    ...(unknownTemplate && { "body.org.template_id": { message: noTemplate } }),
    ...(posType.success && !findConnector(posType.data) && { "body.pos_info.pos_type": { message: noConnector } }),
  };
}
