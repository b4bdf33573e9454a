import { emptyCustomer, emptySaleCustomer, type PosCustomer, type PosSaleCustomer } from "../posRecords.ts";

/** A company that is a customer, with the data that a POS has about the company. */
export interface Company {
  id: string;
  name: string | null;
  /** name of the contact */
  contact?: string | null;
  email: string | null;
  phone: string | null;
  /** license number, and its last valid day as yyyy-MM-dd */
  license: string | null;
  licenseEnd?: string | null;
  type?: string | null;
  /** two lines, city, state, postal code */
  address: readonly (string | null)[];
  updated: string | null;
}

/** Converts a company to a customer. Its name becomes the last name, its license number `other_id`. */
export function companyRecord(company: Company): PosCustomer {
  const [address_1 = null, address_2 = null, city = null, state = null, zip_code = null] = company.address;
  return {
    ...emptyCustomer,
    pos_customer_id: company.id,
    first_name: company.contact ?? null,
    last_name: company.name,
    address_1,
    address_2,
    city,
    state,
    zip_code,
    phone: company.phone,
    email_address: company.email,
    pos_customer_type: company.type ?? null,
    other_id: company.license,
    other_id_expiration_date: company.licenseEnd ?? null,
    pos_updated_date: company.updated,
  };
}

/** The buyer of a sale, with only the company's id; null if the sale names no company. */
export function companyOfSale(pos_customer_id: string | null): PosSaleCustomer | null {
  return pos_customer_id === null ? null : { ...emptySaleCustomer, pos_customer_id };
}
