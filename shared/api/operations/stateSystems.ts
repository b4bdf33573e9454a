import * as z from "zod";
import { defineOperation, E4, type Route, readsSales, writesAsProvider } from "../operation.ts";
import { noQuery, pagedQuery, reconciliationDaysQuery } from "../parameters.ts";
import { cursorPageOf } from "../schemas/cursorPage.ts";
import { listOf } from "../schemas/list.ts";
import {
  licenseNumber,
  type StateDay,
  stateConnection,
  stateConnectionRequest,
  stateDay,
} from "../schemas/stateSystem.ts";
import { exampleIds, exampleList, rejectedTooOften } from "./examples.ts";

// docs/spec.md#connections-to-a-states-system, docs/spec.md#state-days

const connectionsPath = "/service-providers/{sp_id}/crbs/{crb_id}/state-connections";
const ownPath = "/onboarding/state-connections";

const numberInPath = z.object({
  license_number: licenseNumber.describe("The number of a linked license, as in its `license_identifier`"),
});
const request = { license: { summary: "A license of Colorado", path: { license_number: exampleIds.licenseNumber } } };

const ofUser = <const Of extends Pick<Route, "operationId" | "method" | "path" | "summary">>(of: Of) =>
  ({ ...of, caller: "invitedUser", tag: "In-app Onboarding" }) as const;

const example = {
  license_number: exampleIds.licenseNumber,
  system: "Metrc",
  state: "CO",
  status: "current",
  error: null,
  data_as_of: "2026-03-02T14:10:27.905Z",
  view_only: null,
  connected_date: "2026-02-12T16:09:40.000Z",
  connected_by: exampleIds.issuer,
  connected_by_person: null,
  connected_by_kind: "service_provider",
} as const;

export const listStateConnections = defineOperation({
  handler: "stateSystems/listStateConnections",
  routes: [
    { operationId: "listCrbStateConnections", path: connectionsPath, ...readsSales },
    ofUser({
      operationId: "listOnboardingStateConnections",
      method: "GET",
      path: ownPath,
      summary: "List your own connections to the state's system",
    }),
  ],
  tag: "State Systems",
  summary: "List the connections of a CRB to the state's system",
  description: "The licenses whose totals the service reads from the state's system, by license number.",
  query: pagedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: { schema: listOf(stateConnection), description: "A page of connections", example: exampleList(example) },
  errors: E4,
  permissionSets: ["stateConnections:list"],
});

export const setStateConnection = defineOperation({
  handler: "stateSystems/setStateConnection",
  routes: [
    {
      operationId: "setCrbStateConnection",
      method: "PUT",
      path: `${connectionsPath}/{license_number}`,
      ...writesAsProvider,
    },
    ofUser({
      operationId: "setOnboardingStateConnection",
      method: "PUT",
      path: `${ownPath}/{license_number}`,
      summary: "Connect a license of your own to the state's system",
    }),
  ],
  tag: "State Systems",
  summary: "Connect a license to the state's system",
  description:
    "Checks the key with the state's system, stores it encrypted, and reads the totals of each day from then on. The business must have consented to terms that name the system. The key belongs to a user of the business who may only view sales. A key is rejected if Metrc shows that it may manage sales, because its holder could void receipts. Metrc shows the permissions of few keys; `view_only` is null for the others. A later call replaces the key. A CRB can have 10 connections.",
  path: numberInPath,
  query: noQuery,
  body: stateConnectionRequest,
  requests: {
    license: { ...request.license, body: { system: "Metrc", user_key: "Zt7Q0mJc1rXw5vLk9sHd2pNb8yGf4aUe" } },
  },
  secrets: ["body.user_key"],
  success: {
    schema: stateConnection,
    description: "The connection",
    example: { ...example, status: "waiting", data_as_of: null },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description:
        "The business has not consented to terms that name the system, the license is not linked, or the CRB has 10 connections. Nothing is stored.",
      examples: {
        consent: {
          code: "consent_missing",
          message:
            "The business has not consented to terms that name Metrc. Ask its users to consent to the current terms.",
        },
        unlinked: {
          code: "license_not_linked",
          message: "No license with this number is linked to the CRB. Link the license first.",
        },
        limit: {
          code: "state_connection_limit",
          message: "A CRB can have 10 connections to state systems. Delete one of them first.",
        },
      },
    },
    422: {
      description: "A part of the request is invalid, or the state's system rejects the key. Nothing is stored.",
      examples: {
        manages: {
          fields: { "body.user_key": { message: "may manage sales: send the key of a user who may only view them" } },
        },
        license: {
          fields: {
            "body.user_key": { message: "does not reach the license: send the key of a user with access to it" },
          },
        },
      },
    },
    429: {
      description:
        "A limit is reached: of requests, or of rejected keys, which count as rejected POS credentials do. Nothing was stored; try again after `Retry-After`.",
      examples: { requests: {}, keys: { code: "pos_check_limit", message: rejectedTooOften } },
    },
    503: {
      description: "The state's system cannot be reached, or its response has an unknown form. Nothing was stored.",
      examples: {
        unreachable: {
          code: "state_system_unavailable",
          message: "Metrc did not confirm the key. Try again after Retry-After.",
        },
      },
    },
  },
  permissionSets: ["stateConnections:set", "posChecks:count", "posChecksOfInvited:count", "posCredentials:seal"],
});

export const getStateConnection = defineOperation({
  handler: "stateSystems/getStateConnection",
  routes: [
    { operationId: "getCrbStateConnection", path: `${connectionsPath}/{license_number}`, ...readsSales },
    ofUser({
      operationId: "getOnboardingStateConnection",
      method: "GET",
      path: `${ownPath}/{license_number}`,
      summary: "Read a connection of your own to the state's system",
    }),
  ],
  tag: "State Systems",
  summary: "Read a connection to the state's system",
  description:
    "Says how current the totals are, and why the last reading failed. A license without a connection gets 404.",
  path: numberInPath,
  query: noQuery,
  requests: request,
  success: { schema: stateConnection, description: "The connection", example },
  errors: E4,
  permissionSets: ["stateConnections:list"],
});

export const deleteStateConnection = defineOperation({
  handler: "stateSystems/deleteStateConnection",
  routes: [
    {
      operationId: "deleteCrbStateConnection",
      method: "DELETE",
      path: `${connectionsPath}/{license_number}`,
      ...writesAsProvider,
    },
    ofUser({
      operationId: "deleteOnboardingStateConnection",
      method: "DELETE",
      path: `${ownPath}/{license_number}`,
      summary: "Disconnect a license of your own from the state's system",
    }),
  ],
  tag: "State Systems",
  summary: "Disconnect a license from the state's system",
  description:
    "Erases the key and returns the connection as it was. Stored state days stay. A license without a connection gets 404.",
  path: numberInPath,
  query: noQuery,
  requests: request,
  success: { schema: stateConnection, description: "The connection, which is no longer stored", example },
  errors: [...E4, 409],
  permissionSets: ["stateConnections:remove"],
});

const exampleDay: StateDay = {
  crb_id: exampleIds.crb,
  date: "2026-03-01",
  license_number: exampleIds.licenseNumber,
  system: "Metrc",
  receipts: 214,
  voided: 3,
  total: 1_020_455,
  by_customer_type: [
    { type: "Consumer", receipts: 197, total: 941_210 },
    { type: "Patient", receipts: 17, total: 79_245 },
  ],
  data_as_of: "2026-03-02T14:10:27.905Z",
  complete: true,
  digest: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
  pos_total: 1_098_310,
  pos_subtotal: 987_455,
  variance: 33_000,
  variance_percent: 3.34,
  basis: "pos_subtotal",
};

export const listStateDays = defineOperation({
  handler: "stateSystems/listStateDays",
  routes: [
    { operationId: "listStateDays", path: "/service-providers/{sp_id}/crbs/{crb_id}/state-days", ...readsSales },
  ],
  tag: "State Systems",
  summary: "Compare the sales days of a CRB with the state's system",
  description:
    "The totals of each connected license and day, newest day first, as the state's system has them, next to those of the sales day. Only totals are stored: no receipt, no patient, no caregiver and no employee. `variance` compares the sum over all licenses with the figure that `basis` names: it is not known whether the state's totals contain taxes, so the figure that is nearer for this CRB counts. Experimental: no real key has been used yet.",
  query: reconciliationDaysQuery,
  requests: { week: { summary: "The newest seven records", query: { limit: "7" } } },
  success: {
    schema: cursorPageOf(stateDay),
    description: "A page of state days",
    example: { data: [exampleDay], cursor: "2W8Qw2XK6rAyMDI2LTAzLTAxSGEl4g", has_more: false },
  },
  errors: E4,
  permissionSets: ["stateDays:list", "salesDays:list"],
});
