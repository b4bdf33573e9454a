import type { RegisterLayout } from "./registerLayout.ts";

/**
 * Licenses of the open data catalog. A provisional license does not permit business before the final license. The
 * columns with tax numbers and mail addresses are not read.
 */
export const massachusetts: RegisterLayout = {
  name: "Massachusetts, Cannabis Control Commission, open data of licenses",
  source: "https://masscannabiscontrol.com/open-data/data-catalog/",
  state: "MA",
  authority: "Massachusetts Cannabis Control Commission",
  columns: {
    LICENSE_NUMBER: "license_identifier",
    BUSINESS_NAME: "licensee",
    LICENSE_TYPE: "reported_license_type_description",
    INDUSTRY: "state_license_class_description",
    LICENSE_STATUS: "reported_license_sub_type",
    LICENSE_STATUS_CATEGORY: "reported_license_status",
    ESTABLISHMENT_CITY: "locality",
    LIC_START_DATE: "issued_at",
    LIC_EXPIRATION_DATE: "expires_at",
  },
  recognizedBy: ["LICENSE_NUMBER", "LICENSE_TYPE", "LICENSE_STATUS_CATEGORY", "LIC_EXPIRATION_DATE"],
  absentTexts: ["n/a"],
  statuses: {
    active: "Active",
    provisional: "Pre-License",
    "provisional license": "Pre-License",
    pending: "Approved/Pending",
    expired: "Inactive",
    inactive: "Inactive",
    suspended: "Inactive",
    revoked: "Inactive",
    surrendered: "Inactive",
    void: "Inactive",
  },
  dateForm: "MM-dd-yyyy",
};
