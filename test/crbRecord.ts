import { randomUUID } from "node:crypto";
import { v5 as uuid } from "uuid";
import type { Crb } from "../shared/api/schemas/crb.ts";
import type { Connection } from "../shared/pos/connector.ts";
import type { Table } from "../shared/store/client.ts";
import type { CrbConnection } from "../shared/store/crb.ts";
import { createCrb } from "../shared/store/crbs.ts";
import type { Clock } from "../shared/time/clock.ts";

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

/** Stores the CRB of a connection, by default of a new service provider and with only the required fields. */
export async function storeCrb(
  table: Table,
  { crbId, posType, locationId, connectedAt }: Omit<Connection, "credentials" | "businessType" | "state" | "timezone">,
  { spId = randomUUID(), record, clock }: { spId?: string; record?: Partial<Crb>; clock?: Clock } = {},
): Promise<void> {
  const connection = { posType, locationId, connectedAt } as CrbConnection;
  const crb = { record: { ...crbRecord(crbId), ...record }, serviceProviderId: spId, connection };
  await createCrb(table, crb, clock);
}
