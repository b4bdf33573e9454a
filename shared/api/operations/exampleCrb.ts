import { exampleIds } from "./examples.ts";

// Apart from the operations, so that a bundle with an example does not include other operations.

export const exampleCore = {
  id: exampleIds.crb,
  name: "High Plains Dispensary",
  street_address: "815 Larimer Street",
  street_address_2: null,
  city: "Denver",
  ein: "84-7654321",
  phone_number: "(303) 555-0117",
  postal_code: "80204",
  country: "United States",
  state: "CO",
  website: "https://highplains.example.com",
  timezone: "America/Denver",
  mailing_street_address: "PO Box 1180",
  mailing_city: "Denver",
  mailing_state: "CO",
  mailing_postal_code: "80201",
  established_date: "2016-05-02",
  ftEmployees: 14,
  ptEmployees: 6,
  entityType: "llc",
  dba: "High Plains",
  monthlySales: "420000",
  monthlyCustomers: 5200,
} as const;

export const exampleCrb = {
  ...exampleCore,
  org_type: "dispensary",
  business_type: "retail",
  template_id: exampleIds.template,
  template_result_id: exampleIds.templateResult,
  status: "svc_approved",
  pos_configs: [{ name: "Dutchie", updated_date: "2026-02-11T18:22:40.000Z", status: "Connected" }],
} as const;
