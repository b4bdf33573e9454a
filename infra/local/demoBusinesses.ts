import type { Crb } from "../../shared/api/schemas/crb.ts";
import type { ServiceProvider } from "../../shared/api/schemas/serviceProvider.ts";
import { standardTemplate } from "../../shared/domain/onboarding/standardTemplate.ts";
import { demoTemplate } from "./demoTemplate.ts";

/** A demo CRB: the fields of its record that do not depend on the time of creation. */
export interface DemoBusiness {
  record: Omit<Crb, "pos_configs" | "status">;
  /** The POS it is connected to; null for a CRB that was only invited. */
  posType: Crb["pos_configs"][number]["name"] | null;
}

// People and places are fictitious: telephone numbers 555-01xx, web addresses below example.com. The ids are the same
// on every machine and at every start, so examples work on each machine, and a start can complete an earlier start that
// was interrupted.

// One business has the service's own template. The other businesses have the bank's template.
const template = demoTemplate.template_id;

export const demoServiceProvider: ServiceProvider = {
  id: "5b0c3f8e-2d64-4a1b-8f3d-9c7e1a6b2d40",
  name: "Front Range Community Bank",
  street_address: "1700 Larimer Street",
  city: "Denver",
  ein: "84-5550100",
  phone_number: "(303) 555-0100",
  postal_code: "80202",
  country: "United States",
  website: "https://frontrange.example.com",
  state: "CO",
  timezone: "America/Denver",
  primary_point_of_contact: {
    firstName: "Dana",
    lastName: "Whitfield",
    title: "Director of Compliance",
    emailAddress: "dana.whitfield@frontrange.example.com",
    phoneNumber: "(303) 555-0101",
  },
};

/** The license that the demo links to its first business. */
export const demoLicenseNumber = "CO-R-90001";

export const demoBusinesses: readonly DemoBusiness[] = [
  {
    posType: "Dutchie",
    record: {
      id: "a1f4c9d2-7b38-4e56-9c0a-3d2e8f617b01",
      name: "High Country Remedies",
      street_address: "412 Pearl Street",
      street_address_2: "Suite 2",
      city: "Boulder",
      ein: "84-5550111",
      phone_number: "(303) 555-0111",
      postal_code: "80302",
      country: "United States",
      state: "CO",
      website: "https://highcountry.example.com",
      timezone: "America/Denver",
      mailing_street_address: "PO Box 1184",
      mailing_city: "Boulder",
      mailing_state: "CO",
      mailing_postal_code: "80306",
      established_date: "2015-04-20",
      ftEmployees: 14,
      ptEmployees: 9,
      entityType: "llc",
      dba: "High Country",
      monthlySales: "410000",
      monthlyCustomers: 5200,
      org_type: "dispensary",
      business_type: "retail",
      template_id: template,
      template_result_id: "c70e5a1d-94b2-4d3f-8e67-1b5a0f2c9d01",
    },
  },
  {
    posType: "Treez",
    record: {
      id: "b2e5d8c3-6a49-4f07-8d1b-4c3f7a528c02",
      name: "Lakeshore Provisioning",
      street_address: "88 Monroe Center Street",
      street_address_2: null,
      city: "Grand Rapids",
      ein: "38-5550122",
      phone_number: "(616) 555-0122",
      postal_code: "49503",
      country: "United States",
      state: "MI",
      website: "https://lakeshore.example.com",
      timezone: "America/Detroit",
      mailing_street_address: null,
      mailing_city: null,
      mailing_state: null,
      mailing_postal_code: null,
      established_date: "2019-12-01",
      ftEmployees: 11,
      ptEmployees: 16,
      entityType: "corporation",
      dba: null,
      monthlySales: "655000",
      monthlyCustomers: 8900,
      org_type: "dispensary",
      business_type: "retail",
      template_id: standardTemplate.template_id,
      template_result_id: "d81f6b2e-83a1-4c2e-9f58-2c6b1e3d8a02",
    },
  },
  {
    posType: "Dutchie Wholesale",
    record: {
      id: "c3d6e7b4-5958-4018-9e2c-5b408b439d03",
      name: "Emerald Coast Distribution",
      street_address: "2350 Broadway",
      street_address_2: "Building C",
      city: "Eureka",
      ein: "94-5550133",
      phone_number: "(707) 555-0133",
      postal_code: "95501",
      country: "United States",
      state: "CA",
      website: "https://emeraldcoast.example.com",
      timezone: "America/Los_Angeles",
      mailing_street_address: "2350 Broadway",
      mailing_city: "Eureka",
      mailing_state: "CA",
      mailing_postal_code: "95501-0133",
      established_date: "2018-01-02",
      ftEmployees: 37,
      ptEmployees: 4,
      entityType: "llc",
      dba: "Emerald Coast",
      monthlySales: "1900000",
      monthlyCustomers: 140,
      org_type: "dispensary",
      business_type: "wholesale",
      template_id: template,
      template_result_id: "e9207c3f-7290-4b1d-8047-3d7c2d4e7b03",
    },
  },
  {
    posType: null,
    record: {
      id: "d4c7f6a5-4867-4129-8f3d-6a519c54ae04",
      name: "Mesa Verde Wellness",
      street_address: "905 Main Avenue",
      street_address_2: null,
      city: "Durango",
      ein: null,
      phone_number: null,
      postal_code: "81301",
      country: "United States",
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
      template_id: template,
      template_result_id: "fa318d40-6187-4a0e-9136-4e8d3c5f6c04",
    },
  },
];
