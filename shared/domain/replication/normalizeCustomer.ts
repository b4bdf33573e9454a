import { sensitiveHasher } from "../../platform/crypto/sensitiveHasher.ts";
import type { Connection } from "../../pos/connector.ts";
import type { PosCustomer } from "../../pos/posRecords.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { toLocalTime } from "../../time/localTime.ts";
import type { RecordContent } from "./recordContent.ts";

/**
 * Builds the customer record of the API from a POS record. Hashes the sensitive fields (docs/spec.md#hashed-fields), so that
 * their plain values are never stored, queued or logged. The writer sets `svc_created_date` and `svc_updated_date`.
 */
export function normalizeCustomer(
  connection: Connection,
  customer: PosCustomer,
): RecordToWrite<RecordContent["customer"]> {
  const { crbId, posType, timezone } = connection;
  const hash = sensitiveHasher(crbId);
  const idOf = (posId: string) => recordId(crbId, "customer", posType, posId);
  const id = idOf(customer.pos_customer_id);
  const mergedInto = customer.merged_into_pos_customer_id ?? customer.pos_customer_id;
  return {
    id,
    content: {
      crb_id: crbId,
      id,
      pos_type: posType,
      pos_customer_id: customer.pos_customer_id,
      first_name: hash.name(customer.first_name),
      last_name: hash.name(customer.last_name),
      middle_name: hash.name(customer.middle_name),
      dob: customer.dob,
      address_1: customer.address_1,
      address_2: customer.address_2,
      city: customer.city,
      state: customer.state,
      zip_code: customer.zip_code,
      phone: hash.phone(customer.phone),
      cell_phone: hash.phone(customer.cell_phone),
      email_address: hash.email(customer.email_address),
      gender: customer.gender,
      pos_identification_type: customer.pos_identification_type,
      pos_customer_type: customer.pos_customer_type,
      svc_customer_type: customer.svc_customer_type,
      medical_id: hash.id(customer.medical_id),
      drivers_license_id: hash.id(customer.drivers_license_id),
      other_id: hash.id(customer.other_id),
      medical_id_expiration_date: customer.medical_id_expiration_date,
      drivers_license_expiration_date: customer.drivers_license_expiration_date,
      other_id_expiration_date: customer.other_id_expiration_date,
      caregiver: customer.caregiver,
      loyalty_member: customer.loyalty_member,
      loyalty_points: customer.loyalty_points ?? null,
      // A customer merged into itself is not merged.
      merged_into_customer_id: mergedInto === customer.pos_customer_id ? null : idOf(mergedInto),
      anonymous: customer.anonymous,
      pos_updated_date: customer.pos_updated_date,
      pos_updated_date_local: toLocalTime(customer.pos_updated_date, timezone),
      svc_updated_date: null,
      svc_created_date: null,
    },
  };
}
