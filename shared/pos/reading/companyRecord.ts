import type { PosCustomer, PosSaleCustomer } from "../posRecords.ts";

/** What a POS tells of a company that buys. */
export interface Company {
  id: string;
  name: string | null;
  /** of whom to speak to */
  contact?: string | null;
  email: string | null;
  phone: string | null;
  /** the number of its license, and yyyy-MM-dd until when that is good */
  license: string | null;
  licenseEnd?: string | null;
  type?: string | null;
  /** two lines, city, state, postal code */
  address: readonly (string | null)[];
  updated: string | null;
}

/** A company as a customer: its name is the last name, its license the other id. */
export function companyRecord(company: Company): PosCustomer {
  const [address_1 = null, address_2 = null, city = null, state = null, zip_code = null] = company.address;
  return {
    pos_customer_id: company.id,
    first_name: company.contact ?? null,
    last_name: company.name,
    middle_name: null,
    dob: null,
    address_1,
    address_2,
    city,
    state,
    zip_code,
    phone: company.phone,
    cell_phone: null,
    email_address: company.email,
    gender: null,
    pos_identification_type: null,
    pos_customer_type: company.type ?? null,
    svc_customer_type: null,
    medical_id: null,
    medical_id_expiration_date: null,
    drivers_license_id: null,
    drivers_license_expiration_date: null,
    other_id: company.license,
    other_id_expiration_date: company.licenseEnd ?? null,
    caregiver: null,
    loyalty_member: null,
    loyalty_points: null,
    anonymous: null,
    pos_updated_date: company.updated,
  };
}

/** The same company on a sale, which tells no more than its id; null where the sale names none. */
export function companyOfSale(pos_customer_id: string | null): PosSaleCustomer | null {
  return pos_customer_id === null
    ? null
    : { pos_customer_id, type: null, dob: null, id_type: null, id_expiration_date: null };
}
