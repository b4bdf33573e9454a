import { randomUUID } from "node:crypto";
import type { Crb as CrbRecord } from "../../api/schemas/crb.ts";
import type { CrbCreation } from "../../api/schemas/crbCreation.ts";
import { stateTimezones } from "../../api/stateTimezones.ts";
import { applyPosConfigMove } from "../../pos/posConfigStatus.ts";

/**
 * The record of a new CRB (docs/spec.md#defaults-of-a-new-crb).
 *
 * @param templateId id of the onboarding template
 */
export function newCrb(id: string, { org, ...body }: CrbCreation, templateId: string, now: Date): CrbRecord {
  return {
    id,
    name: org.name,
    street_address: org.street_address ?? "",
    street_address_2: org.street_address_2 ?? null,
    city: org.city ?? null,
    ein: org.ein ?? null,
    phone_number: org.phone_number ?? null,
    postal_code: org.postal_code ?? null,
    country: org.country ?? null,
    state: org.state,
    website: org.website ?? null,
    timezone: org.timezone ?? stateTimezones[org.state],
    mailing_street_address: org.mailing_street_address ?? null,
    mailing_city: org.mailing_city ?? null,
    mailing_state: org.mailing_state ?? null,
    mailing_postal_code: org.mailing_postal_code ?? null,
    established_date: org.established_date ?? null,
    ftEmployees: org.ftEmployees ?? null,
    ptEmployees: org.ptEmployees ?? null,
    entityType: org.entityType ?? null,
    dba: org.dba ?? null,
    monthlySales: org.monthlySales ?? null,
    monthlyCustomers: org.monthlyCustomers ?? null,
    org_type: "dispensary",
    business_type: org.business_type ?? body.business_type ?? null,
    template_id: templateId,
    template_result_id: randomUUID(),
    status: body.options?.onboarding_required ? "svc_pending" : "svc_approved",
    pos_configs: (body.pos_info && applyPosConfigMove([], body.pos_info.pos_type, "connect", now)) ?? [],
  };
}
