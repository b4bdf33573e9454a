import { bothFamilies, defineOperation, E4 } from "../operation.ts";
import { customerSearchQuery, customerSearchSecrets, noQuery, pagedUpdatedQuery } from "../parameters.ts";
import { customer } from "../schemas/customer.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";

const exampleCustomer = {
  crb_id: exampleIds.crb,
  id: exampleIds.customer,
  pos_type: "Dutchie",
  pos_customer_id: "1001",
  first_name: "8b1f0c4e7d2a95663f0e1b7c5a48d9236e0f71ab94c25d38e7160fba29c4d573",
  last_name: "2e9a6d41b80f37c5d1648ea02b9f5c7318d4e60a7fb29c5386e10d4a7fc2b895",
  middle_name: null,
  dob: "1988-09-14",
  address_1: "2210 Federal Boulevard",
  address_2: null,
  city: "Denver",
  state: "CO",
  zip_code: "80211",
  phone: "f47c0a9e6b13d58290ae4c7f1d6b3528e90f4a7cd1b6e2385f0a9c4d7e1b6032",
  cell_phone: null,
  email_address: "61d0e8f5a3c7924b0e6f1d8a5c3b7920f4e6d1a8c5b3709e2f4d6a1c8b5e3079",
  gender: "Female",
  pos_identification_type: "Driver's License",
  pos_customer_type: "Recreational",
  svc_customer_type: "rec",
  medical_id: null,
  drivers_license_id: "0c5e9a7f3d1b8642ea0c5f7d9b3a1e8640c2f5d7a9e3b1c8604f2d5a7c9e1b38",
  other_id: null,
  medical_id_expiration_date: null,
  drivers_license_expiration_date: "2029-09-14",
  other_id_expiration_date: null,
  caregiver: false,
  loyalty_member: true,
  loyalty_points: "245.5",
  merged_into_customer_id: null,
  anonymous: false,
  pos_updated_date: "2026-03-02T19:41:07.000Z",
  pos_updated_date_local: "2026-03-02 12:41:07.000",
  svc_updated_date: "2026-03-02T19:45:12.318Z",
  svc_created_date: "2026-02-11T18:30:02.951Z",
} as const;

const page = { schema: listOf(customer), description: "A page of customers", example: exampleList(exampleCustomer) };

export const listCustomers = defineOperation({
  handler: "customers/listCustomers",
  routes: bothFamilies(
    { operationIds: ["listCrbCustomers", "listCustomers"], below: "/customers", ownSummary: "List your own customers" },
    { holdsCustomers: "always" },
  ),
  tag: "Customers",
  summary: "List the customers of a CRB",
  description:
    "The customer that changed last comes first. Paging by `offset` misses no customer that stays unchanged meanwhile. To read those that changed, set `last_updated_from` to the day on which you began.",
  query: pagedUpdatedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: page,
  errors: E4,
  permissionSets: ["customers:list"],
});

export const getCustomer = defineOperation({
  handler: "customers/getCustomer",
  routes: bothFamilies(
    {
      operationIds: ["getCrbCustomer", "getCustomer"],
      below: "/customers/{customer_id}",
      ownSummary: "Read one of your own customers",
    },
    { holdsCustomers: "always" },
  ),
  tag: "Customers",
  summary: "Read a customer of a CRB",
  description: "A customer that the POS no longer has stays readable.",
  query: noQuery,
  success: { schema: customer, description: "The customer", example: exampleCustomer },
  errors: E4,
  permissionSets: ["customers:read"],
});

export const searchCustomers = defineOperation({
  handler: "customers/searchCustomers",
  routes: [
    {
      operationId: "searchCrbCustomers",
      method: "GET",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/customers-search",
      caller: "serviceProvider",
      scope: "point-of-sale:read",
      holdsCustomers: "always",
    },
  ],
  tag: "Customers",
  summary: "Search the customers of a CRB",
  description:
    "Send at least one term; if you send several, all must match. Send terms in plain text: the service hashes them like the fields of the records. A term must be the whole value; spaces around it are ignored. Names and e-mail addresses are compared in composed Unicode form (NFC) and without letter case. The digits of a telephone number are compared with `phone` and `cell_phone`. An error response never repeats a term. A credential, including its access tokens, may search 60 times a minute and 2,000 times a UTC day. Requests that are rejected with 401, 403, 404 or 422 before the search do not count.",
  query: customerSearchQuery,
  secrets: customerSearchSecrets,
  requests: { posId: { summary: "By the customer's id in the POS", query: { pos_customer_id: "1001", limit: "10" } } },
  success: page,
  errors: E4,
  rejections: {
    422: {
      description: "An identifier or a parameter is invalid, or there is no search term.",
      examples: {
        noTerm: {
          fields: {
            query: { message: "must have at least one of phone, email, first_name, last_name, pos_customer_id" },
          },
        },
      },
    },
    429: {
      description:
        "The credential has searched 60 times in this minute or 2,000 times on this UTC day: `Retry-After` says when it may search again. Or there were too many requests.",
      examples: {
        allowance: {
          message:
            "A credential may call this operation 60 times a minute and 2000 times a UTC day. Try again after Retry-After.",
        },
        throttled: {},
      },
    },
  },
  permissionSets: ["customers:search", "serviceKey:read"],
  // Hashes do not protect against a caller who can try every name.
  rateLimit: { perMinute: 60, perDay: 2_000 },
});
