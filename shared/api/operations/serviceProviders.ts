import { defineOperation, E4, readsAsProvider } from "../operation.ts";
import { crbsQuery, licenseSearchQuery, noQuery } from "../parameters.ts";
import { crb } from "../schemas/crb.ts";
import { license } from "../schemas/license.ts";
import { listOf } from "../schemas/list.ts";
import { posCredentialsSchema } from "../schemas/posCredentialsSchema.ts";
import { serviceProvider } from "../schemas/serviceProvider.ts";
import { exampleCrb } from "./exampleCrb.ts";
import { exampleIds, exampleList } from "./examples.ts";

export const examplePosCredentials = {
  Flowhub: {
    pos_type: "Flowhub",
    business_type: "retail",
    location_required: true,
    pos_credentials_schema: {
      credentials_name: "FlowhubTestAuth",
      credentials_description: "The API key and client id that Flowhub support issues for the business.",
      credentials_properties: {
        key: { type: "string", description: "API key" },
        clientId: { type: "string", description: "Client id" },
      },
      required_properties: ["clientId", "key"],
    },
  },
} as const;

export const getServiceProvider = defineOperation({
  handler: "serviceProviders/getServiceProvider",
  routes: [{ operationId: "getServiceProvider", path: "/service-providers/{sp_id}", ...readsAsProvider }],
  tag: "Service Provider",
  summary: "Read the service provider",
  description:
    "Returns the organization that the credential belongs to. Any other `sp_id` gets 403, whether it exists or not.",
  query: noQuery,
  success: {
    schema: serviceProvider,
    description: "The service provider",
    example: {
      id: exampleIds.serviceProvider,
      name: "Front Range Community Bank",
      street_address: "1400 Market Street",
      city: "Denver",
      ein: "84-1234567",
      phone_number: "(303) 555-0142",
      postal_code: "80202",
      country: "United States",
      website: "https://frontrange.example.com",
      state: "CO",
      timezone: "America/Denver",
      primary_point_of_contact: {
        firstName: "Dana",
        lastName: "Whitfield",
        title: "Director of Cannabis Banking",
        emailAddress: "dana.whitfield@frontrange.example.com",
        phoneNumber: "(303) 555-0143",
      },
    },
  },
  errors: E4,
  permissionSets: ["serviceProviders:read"],
});

export const listServiceProviderCrbs = defineOperation({
  handler: "serviceProviders/listServiceProviderCrbs",
  routes: [{ operationId: "listServiceProviderCrbs", path: "/service-providers/{sp_id}/crbs", ...readsAsProvider }],
  tag: "Service Provider",
  summary: "List the CRBs of the service provider",
  description:
    "Lists all CRBs that are associated with the service provider, including those whose association is paused (`bank_disconnected`). The CRB that changed last comes first. With `license_status`, only CRBs with a linked license of this status are listed.",
  query: crbsQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  businessField: "id",
  success: { schema: listOf(crb), description: "A page of CRBs", example: exampleList(exampleCrb) },
  errors: E4,
  permissionSets: ["crbs:list", "crbsByLicense:list"],
});

export const getPosCredentialsSchema = defineOperation({
  handler: "serviceProviders/getPosCredentialsSchema",
  routes: [
    {
      operationId: "getPosCredentialsSchema",
      path: "/service-providers/{sp_id}/pos-credentials-schema",
      ...readsAsProvider,
    },
  ],
  tag: "Service Provider",
  summary: "Read which credentials each POS type needs",
  description:
    "Returns one key for each POS type that the stage offers, with the properties of `pos_credentials` and whether `location_id` is required. If no property is required, send at least one. A production stage offers POS types without proof only if the operator enables them (see POS systems in the introduction).",
  query: noQuery,
  success: {
    schema: posCredentialsSchema,
    description: "What to send as `pos_info` when a CRB is created, by POS type",
    example: examplePosCredentials,
  },
  errors: E4,
  permissionSets: [],
});

/** A license of the register of Colorado. */
export const exampleLicense = {
  id: exampleIds.license,
  licensee: "Front Range Botanicals LLC",
  license_identifier: "402R-00417",
  locality: "Denver",
  med_rec_classification: "recreational",
  licensing_authority_name: "Colorado Marijuana Enforcement Division",
  licensing_authority_tier: "region",
  licensing_authority_address: {
    street: "1697 Cole Boulevard",
    premise: null,
    sub_premise: "Suite 200",
    box_number: null,
    locality: "Lakewood",
    sub_locality: null,
    region: "CO",
    sub_region: "Jefferson County",
    postal_code: "80401",
    country: "United States",
    created_at: null,
    updated_at: null,
  },
  state_license_class_description: "Retail Marijuana",
  state_license_sub_class_description: null,
  state_license_status_description: "Active",
  reported_license_type_description: "Retail Marijuana Store",
  reported_license_status: "Active",
  reported_license_sub_type: null,
  uniform_license_type_description: "Retail/Dispensary",
  uniform_license_status_description: "Active",
  status_date: "2025-06-01",
  issued_at: "2019-06-01",
  expires_at: "2027-05-31",
  created_at: "2024-01-15T00:00:00.000Z",
  updated_at: "2026-02-27T09:30:00.000Z",
  edited_at: "2026-02-27T09:30:00.000Z",
  businesses: [{ name: "Front Range Botanicals" }],
  individuals: [{ name: "Marisol Trujillo" }],
} as const;

export const searchLicenses = defineOperation({
  handler: "serviceProviders/searchLicenses",
  routes: [{ operationId: "searchLicenses", path: "/service-providers/{sp_id}/licenses-search", ...readsAsProvider }],
  tag: "Service Provider",
  summary: "Search the license registers",
  description:
    "All terms must match; without a term, all licenses are listed. `licenseNumber` must equal the whole number, without regard to letter case. Each word of `name` must begin a word of the licensee's name or of one business, in any order and letter case. `state` is the region of the licensing authority. The license that was updated last comes first.",
  query: licenseSearchQuery,
  requests: { name: { summary: "By the beginnings of words of a name", query: { name: "front range", state: "CO" } } },
  success: { schema: listOf(license), description: "A page of licenses", example: exampleList(exampleLicense) },
  errors: E4,
  permissionSets: ["licenses:search"],
});
