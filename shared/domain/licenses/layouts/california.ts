import type { RegisterLayout } from "./registerLayout.ts";

/** One file for each license category, with all licenses that were ever issued. */
export const california: RegisterLayout = {
  name: "California, Department of Cannabis Control, license search export",
  source: "https://search.cannabis.ca.gov/",
  state: "CA",
  authority: "California Department of Cannabis Control",
  columns: {
    licenseNumber: "license_identifier",
    licenseStatus: "reported_license_status",
    licenseTerm: "reported_license_sub_type",
    licenseType: "reported_license_type_description",
    licenseDesignation: "med_rec_classification",
    issueDate: "issued_at",
    expirationDate: "expires_at",
    licenseStatusDate: "status_date",
    businessLegalName: "licensee",
    businessDbaName: "businesses",
    premiseCity: "locality",
  },
  recognizedBy: ["licenseNumber", "licenseStatus", "licenseType", "businessLegalName", "licenseDesignation"],
  absentTexts: ["data not available", "not published"],
  statuses: {
    active: "Active",
    "about to expire": "Active",
    expired: "Inactive",
    canceled: "Inactive",
    cancelled: "Inactive",
    surrendered: "Inactive",
    revoked: "Inactive",
    suspended: "Inactive",
    inactive: "Inactive",
  },
  classifications: {
    "adult-use": "recreational",
    medicinal: "medical",
    "adult-use and medicinal": "both",
    "adult-use and medicinal license": "both",
    both: "both",
  },
  hasFilePerType: true,
};
