import { v5 as uuid } from "uuid";
import type { Crb } from "../shared/api/schemas/crb.ts";

const namespace = "0a5d1c1e-52a7-4f3c-8d55-6f6f3c9be001";

/** A CRB's record with only the required fields. */
export function crbRecord(id: string): Crb {
  return {
    id,
    name: "Test Dispensary",
    street_address: "",
    street_address_2: null,
    city: null,
    ein: null,
    phone_number: null,
    postal_code: null,
    country: null,
    state: "CO",
    website: null,
    timezone: "America/Denver",
    mailing_street_address: null,
    mailing_city: null,
    mailing_state: null,
    mailing_postal_code: null,
    established_date: null,
    ftEmployees: null,
    ptEmployees: null,
    entityType: null,
    dba: null,
    monthlySales: null,
    monthlyCustomers: null,
    org_type: "dispensary",
    business_type: "retail",
    template_id: uuid("template", namespace),
    template_result_id: uuid(id, namespace),
    status: "svc_approved",
    pos_configs: [],
  };
}
