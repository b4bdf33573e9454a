import { plainDay } from "../../framework/conversions/instants.ts";
import { emptyCustomer, type PosCustomer } from "../../posRecords.ts";
import type { Customer } from "./responses.ts";

export function customerRecord(row: Customer): PosCustomer {
  return {
    ...emptyCustomer,
    pos_customer_id: row.id,
    ...nameParts(row.name),
    dob: plainDay(row.birthDate),
    address_1: row.streetAddress1,
    address_2: row.streetAddress2,
    city: row.city,
    state: row.state,
    zip_code: row.zip,
    phone: row.phone,
    email_address: row.email,
    pos_customer_type: row.type,
    svc_customer_type: customerTypeOf(row.type),
    loyalty_member: row.isLoyal,
    loyalty_points: row.loyaltyPoints,
    pos_updated_date: row.updatedAt,
  };
}

/** Splits Flowhub's full name into its first word, its last word, and the words between. */
export function nameParts(name: string | null): Pick<PosCustomer, "first_name" | "middle_name" | "last_name"> {
  const [first = null, ...others] = name?.split(/\s+/) ?? [];
  const last = others.pop() ?? null;
  return { first_name: first, last_name: last, middle_name: others.length > 0 ? others.join(" ") : null };
}

export function customerTypeOf(type: string | null): "medical" | "rec" | null {
  if (type === "medCustomer") return "medical";
  return type === "recCustomer" ? "rec" : null;
}
