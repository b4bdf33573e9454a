import type { RegisterLayout } from "./registerLayout.ts";

/** The older file of approved applications, whose stage says whether the license permits business. */
export const massachusettsApproved: RegisterLayout = {
  name: "Massachusetts, Cannabis Control Commission, approved licenses and applications",
  source: "https://masscannabiscontrol.com/open-data/data-catalog/",
  state: "MA",
  authority: "Massachusetts Cannabis Control Commission",
  columns: {
    license_number: "license_identifier",
    business_name: "licensee",
    license_type: "reported_license_type_description",
    approved_license_type: "reported_license_status",
    establishment_city: "locality",
    lic_start_date: "issued_at",
    lic_expiration_date: "expires_at",
  },
  // The state of the application's processing: COMPLETE.
  otherColumns: ["lic_status"],
  recognizedBy: ["license_number", "license_type", "approved_license_type", "lic_expiration_date"],
  absentTexts: ["n/a"],
  statuses: {
    "commence ops": "Active",
    "commence operations": "Active",
    "final license": "Approved/Pending",
    "provisional license": "Pre-License",
  },
};
