import { defineOperation, E4, readsAsProvider, writesAsReviewer } from "../operation.ts";
import { licenseInPath, noQuery, pagedQuery } from "../parameters.ts";
import { crbLicense, linkedLicense } from "../schemas/linkedLicense.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";
import { exampleLicense } from "./serviceProviders.ts";

const request = { license: { summary: "A license of Colorado", path: { license_id: exampleIds.license } } };

const example = {
  ...exampleLicense,
  linked_date: "2026-02-12T16:04:31.000Z",
  linked_by: exampleIds.issuer,
  linked_by_person: null,
  linked_by_kind: "service_provider",
  holder_matches: "same",
  status: "active",
  register_date: "2026-03-01",
} as const;

export const listCrbLicenses = defineOperation({
  handler: "linkedLicenses/listCrbLicenses",
  routes: [
    { operationId: "listCrbLicenses", path: "/service-providers/{sp_id}/crbs/{crb_id}/licenses", ...readsAsProvider },
  ],
  tag: "Licenses",
  summary: "List the linked licenses of a CRB",
  description:
    "The licenses that the service provider or users of the CRB have linked to the CRB, as in the present registers, the one that was linked last first. Each import and each night, the service compares them with the registers and with the day. It reports each change of `status` as `license.status.changed`, and an expiry as `license.expiring` 90, 30 and 7 days ahead. A record has the status that was reported last. `holder_matches` compares the names on the license with those of the CRB, and `also_linked_to` has the other CRBs of the service provider with the same license.",
  query: pagedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(crbLicense),
    description: "A page of licenses",
    example: exampleList({ ...example, also_linked_to: [] }),
  },
  errors: E4,
  permissionSets: ["linkedLicenses:list"],
});

export const linkCrbLicense = defineOperation({
  handler: "linkedLicenses/linkCrbLicense",
  routes: [
    {
      operationId: "linkCrbLicense",
      method: "PUT",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}",
      ...writesAsReviewer,
    },
  ],
  tag: "Licenses",
  summary: "Link a license to a CRB",
  description:
    "`license_id` is the `id` of a license in `searchLicenses`. A license that is linked already stays as it is. `license.linked` reports a new link, and `license.expiring` a license that expires within 90 days. An unknown license gets 404.",
  path: licenseInPath,
  query: noQuery,
  requests: request,
  success: { schema: linkedLicense, description: "The linked license", example },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The CRB has 100 linked licenses, the maximum.",
      examples: {
        limit: { code: "license_limit", message: "A CRB can have 100 linked licenses. Unlink one of them first." },
      },
    },
  },
  permissionSets: ["licenses:search", "linkedLicenses:add"],
});

export const unlinkCrbLicense = defineOperation({
  handler: "linkedLicenses/unlinkCrbLicense",
  routes: [
    {
      operationId: "unlinkCrbLicense",
      method: "DELETE",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}",
      ...writesAsReviewer,
    },
  ],
  tag: "Licenses",
  summary: "Unlink a license from a CRB",
  description:
    "Returns the license as it was linked. `license.unlinked` reports it. Afterwards the service reports nothing more about it for this CRB. A license that is not linked gets 404.",
  path: licenseInPath,
  query: noQuery,
  requests: request,
  success: { schema: linkedLicense, description: "The license, which is no longer linked", example },
  errors: [...E4, 409],
  permissionSets: ["linkedLicenses:remove"],
});
