import type { RegisterLayout } from "./registerLayout.ts";

/** The open data of all current licenses. The columns with the contact person and with the first day of the license are not read. */
export const newYork: RegisterLayout = {
  name: "New York, Office of Cannabis Management, current licenses",
  source: "https://data.ny.gov/Economic-Development/Current-OCM-Licenses/jskf-tt3q",
  state: "NY",
  authority: "New York Office of Cannabis Management",
  columns: {
    "License Number": "license_identifier",
    "License Type": "reported_license_type_description",
    "License Status": "reported_license_status",
    "Tier Type": "reported_license_sub_type",
    "Entity Name": "licensee",
    DBA: "businesses",
    City: "locality",
    "Issued Date": "issued_at",
    "Expiration Date": "expires_at",
  },
  recognizedBy: ["License Number", "License Type", "License Status", "Entity Name", "Expiration Date"],
  statuses: {
    active: "Active",
    expired: "Inactive",
    inactive: "Inactive",
    suspended: "Inactive",
    revoked: "Inactive",
    surrendered: "Inactive",
    provisional: "Pre-License",
  },
};
