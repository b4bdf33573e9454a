import { demoBusinesses, demoLicenseNumber } from "../demoBusinesses.ts";

/** The access to the license of the first demo business in Metrc. The keys are fictitious. */
export const demoMetrcAccess = {
  licenseNumber: demoLicenseNumber,
  vendorKey: "demo-vendor-key",
  userKey: "demo-user-key",
  timeZone: demoBusinesses[0]?.record.timezone ?? "UTC",
};
