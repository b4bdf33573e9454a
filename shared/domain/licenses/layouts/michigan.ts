import type { RegisterLayout } from "./registerLayout.ts";

/** The results of the license search, by record type. Searches repeat licenses, and have no date but the expiry. */
export const michigan: RegisterLayout = {
  name: "Michigan, Cannabis Regulatory Agency, license search results",
  source: "https://aca-prod.accela.com/MIMM/Cap/CapHome.aspx?module=Adult_Use&TabName=Adult_Use",
  state: "MI",
  authority: "Michigan Cannabis Regulatory Agency",
  columns: {
    "Record Number": "license_identifier",
    "Record Type": "reported_license_type_description",
    "License Name": "licensee",
    "Expiration Date": "expires_at",
    Status: "reported_license_status",
  },
  recognizedBy: ["Record Number", "Record Type", "License Name", "Expiration Date", "Status"],
  statuses: {
    active: "Active",
    "active - renewal pending": "Active",
    "pending renewal": "Active",
    "license void": "Inactive",
    "license surrendered": "Inactive",
    expired: "Inactive",
    inactive: "Inactive",
    suspended: "Inactive",
    revoked: "Inactive",
    closed: "Inactive",
  },
  types: {
    "marihuana event organizer": "Event Organizer",
    "marihuana safety compliance facility": "Testing",
    "marihuana secure transporter": "Delivery/Transporter",
  },
  typeSuffix: " - License",
  hasFilePerType: true,
};
