import { defineOperation, E4 } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { crb } from "../schemas/crb.ts";
import { listOf } from "../schemas/list.ts";
import { serviceProvider } from "../schemas/serviceProvider.ts";
import { exampleCrb } from "./crbs.ts";
import { exampleIds, exampleList } from "./examples.ts";

export const getServiceProvider = defineOperation({
  handler: "serviceProviders/getServiceProvider",
  routes: [
    {
      operationId: "getServiceProvider",
      method: "GET",
      path: "/service-providers/{sp_id}",
      caller: "serviceProvider",
      scope: "service-provider:read",
    },
  ],
  tag: "Service Provider",
  summary: "Read the service provider",
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
  capabilities: ["table:read"],
});

export const listServiceProviderCrbs = defineOperation({
  handler: "serviceProviders/listServiceProviderCrbs",
  routes: [
    {
      operationId: "listServiceProviderCrbs",
      method: "GET",
      path: "/service-providers/{sp_id}/crbs",
      caller: "serviceProvider",
      scope: "service-provider:read",
    },
  ],
  tag: "Service Provider",
  summary: "List the CRBs of the service provider",
  description: "Those updated on the newest day come first.",
  query: pagedQuery,
  success: {
    schema: listOf(crb),
    description: "A page of CRBs",
    example: exampleList(exampleCrb),
  },
  errors: E4,
  capabilities: ["table:read"],
});
