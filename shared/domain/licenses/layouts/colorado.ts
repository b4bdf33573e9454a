import type { RegisterLayout } from "./registerLayout.ts";

/**
 * One sheet for each facility type. A sheet lists only licensed facilities: a license that lapses disappears from its
 * sheet. Descriptions of the sheets differ on whether they have an expiry; a column with a status or an expiry is read.
 */
export const colorado: RegisterLayout = {
  name: "Colorado, Marijuana Enforcement Division, licensed facilities",
  source: "https://med.colorado.gov/licensee-information-and-lookup-tool/licensed-facilities",
  state: "CO",
  authority: "Colorado Marijuana Enforcement Division",
  columns: {
    "License Number": "license_identifier",
    "Facility Name": "licensee",
    DBA: "businesses",
    "Facility Type": "reported_license_type_description",
    City: "locality",
  },
  recognizedBy: ["License Number", "Facility Name", "Facility Type"],
  constants: { reported_license_status: "Licensed" },
  statuses: { licensed: "Active" },
  hasFilePerType: true,
};
