import { customerTypeOf, isCaregiver } from "../../framework/conversions/customerType.ts";
import { genderOf } from "../../framework/conversions/gender.ts";
import { plainDay } from "../../framework/conversions/instants.ts";
import { emptyCustomer, type PosCustomer } from "../../posRecords.ts";
import type { PointsOf } from "./loyaltyPoints.ts";
import type { Customer, CustomerTypes } from "./responses.ts";

/** Data about customers from other sources. */
export interface CustomerContext {
  types: CustomerTypes;
  pointsOf: PointsOf;
}

export function customerRecord(row: Customer, context: CustomerContext): PosCustomer {
  return {
    ...emptyCustomer,
    pos_customer_id: row.customerId,
    first_name: row.firstName,
    last_name: row.lastName,
    middle_name: row.middleName,
    dob: plainDay(row.dateOfBirth),
    address_1: row.address1,
    address_2: row.address2,
    city: row.city,
    state: row.state,
    zip_code: row.postalCode,
    phone: row.phone,
    cell_phone: row.cellPhone,
    email_address: row.emailAddress,
    gender: genderOf(row.gender),
    pos_identification_type: row.mmjidNumber ? "medical" : row.driversLicenseHash ? "drivers" : null,
    pos_customer_type: row.customerType,
    svc_customer_type: listedTypeOf(row.customerType, context.types),
    medical_id: row.mmjidNumber,
    medical_id_expiration_date: plainDay(row.mmjidExpirationDate),
    // Dutchie returns only a hash of the license number. Equal numbers have equal hashes, but a search by number finds no
    // customer.
    drivers_license_id: row.driversLicenseHash?.toLowerCase() ?? null,
    caregiver: isCaregiver(row.customerType),
    loyalty_member: row.isLoyaltyMember,
    loyalty_points: context.pointsOf(row.customerId),
    anonymous: row.isAnonymous,
    merged_into_pos_customer_id: row.mergedIntoCustomerId,
    pos_updated_date: row.lastModifiedDateUTC,
  };
}

/** Whether a customer type is medical or recreational: by Dutchie's list of types, or else by the type's name. */
export function listedTypeOf(type: string | null, types: CustomerTypes): "medical" | "rec" | null {
  const listed = types.find(({ name }) => name !== null && name === type);
  if (listed?.isMedical) return "medical";
  if (listed?.isRetail) return "rec";
  // If the list says that a type is neither, its name does not count.
  return listed?.isMedical === false && listed.isRetail === false ? null : customerTypeOf(type);
}
