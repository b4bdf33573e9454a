import type * as z from "zod";
import type { AccessScope, PersonRole } from "./enumerations.ts";
import type { Details, ErrorStatus } from "./errors.ts";

/**
 * The kind of credential that a route requires (docs/spec.md#path-families-and-scopes,
 * docs/spec.md#invitation-tokens). With `anyone` the request itself authenticates a client; `nobody` needs no
 * credential.
 */
type Caller = "serviceProvider" | "crb" | "invitedUser" | "anyone" | "nobody";

/** One method and path of an operation. Names in braces are path parameters, each of them an id. */
export interface Route {
  operationId: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/${string}`;
  caller: Caller;
  /** The required scope of the credential; none for the token exchange and for invited users. */
  scope?: AccessScope;
  /** Another scope that the credential needs. */
  additionalScope?: AccessScope;
  /**
   * The narrowest role of a person that includes the operation, if it differs from the default: viewer for a GET,
   * administrator otherwise (docs/access.md).
   */
  role?: PersonRole;
  /**
   * Set if responses hold customers, files with customers, or access to customers: always, or only if the `{kind}` in the path is
   * customers.
   * Persons need the identity provider's setting `customers`.
   */
  holdsCustomers?: "always" | "byKind";
  /** This route's query, if it differs from the operation's. */
  query?: z.ZodObject;
  summary?: string;
  tag?: string;
}

/** What routes of service providers share: those that read (default role viewer), and that write (administrator). */
export const readsAsProvider = { method: "GET", caller: "serviceProvider", scope: "service-provider:read" } as const;
export const writesAsProvider = { caller: "serviceProvider", scope: "service-provider:write" } as const;
/** The same for routes whose narrowest role is another one. */
export const readsAsAdministrator = { ...readsAsProvider, role: "administrator" } as const;
export const writesAsReviewer = { ...writesAsProvider, role: "reviewer" } as const;

/** The routes of service providers whose responses follow from sales, without the sales themselves. */
export const readsSales = { ...readsAsProvider, additionalScope: "point-of-sale:read" } as const;

interface TwoRoutes<Ids extends readonly [string, string], Below extends string> {
  /** The operation ids for service providers and for CRBs. */
  operationIds: Ids;
  /** The path below the CRB. */
  below: Below;
  /** The summary for CRBs. */
  ownSummary: string;
}

const reads = { method: "GET", scope: "point-of-sale:read" } as const;

/**
 * The routes by which service providers and CRBs read the same replicated records (docs/spec.md#path-families-and-scopes).
 *
 * @param more what only the route of service providers has
 */
export const bothFamilies = <
  const Ids extends readonly [string, string],
  const Below extends string,
  const More extends Partial<Route> = Record<never, never>,
>(
  { operationIds, below, ownSummary }: TwoRoutes<Ids, Below>,
  more: More = {} as More,
) =>
  [
    {
      operationId: operationIds[0] as Ids[0],
      ...reads,
      caller: "serviceProvider",
      path: `/service-providers/{sp_id}/crbs/{crb_id}${below}`,
      ...more,
    },
    {
      operationId: operationIds[1] as Ids[1],
      ...reads,
      caller: "crb",
      path: `/crbs/{crb_id}${below}`,
      summary: ownSummary,
    },
  ] as const;

/** A permission of a handler's function; AWS denies it everything else (`infra/permissions/permissionSets.ts`). */
export type PermissionSet =
  | "tokens:issue"
  | "credentials:list"
  | "credentials:revoke"
  | "credentialKeys:set"
  | "identityProviders:read"
  | "identityProviders:set"
  | "identityProviders:remove"
  | "signIns:read"
  | "signInSettings:read"
  | "crbAccess:issue"
  | "serviceProviders:read"
  | "crbs:read"
  | "crbs:list"
  | "crbs:change"
  | "crbs:create"
  | "licenses:search"
  | "crbsByLicense:list"
  | "linkedLicenses:list"
  | "linkedLicenses:add"
  | "linkedLicenses:remove"
  | "templates:list"
  | "customers:list"
  | "customers:read"
  | "customers:search"
  | "products:list"
  | "products:read"
  | "locations:list"
  | "locations:read"
  | "inventory:list"
  | "inventory:read"
  | "locationInventory:list"
  | "sales:list"
  | "sales:explain"
  | "salesDays:list"
  | "deposits:list"
  | "cashCounts:list"
  | "deposits:store"
  | "reconciliation:settings"
  | "deposits:remove"
  | "reconciliation:list"
  | "reconciliation:change"
  | "reconciliation:write"
  | "reconciliation:read"
  | "stateConnections:list"
  | "stateConnections:set"
  | "stateConnections:remove"
  | "stateDays:list"
  | "insights:list"
  | "crbInsights:list"
  | "insights:decide"
  | "insightSettings:read"
  | "insightSettings:change"
  | "overview:read"
  | "changes:read"
  | "replications:read"
  | "freshness:read"
  | "accessReports:create"
  | "accessReports:list"
  | "accessReports:read"
  | "accessReports:sign"
  | "statements:create"
  | "statements:list"
  | "statements:read"
  | "statements:sign"
  | "exports:create"
  | "exports:list"
  | "exports:read"
  | "exports:sign"
  | "exports:delete"
  | "events:read"
  | "webhooks:list"
  | "webhooks:read"
  | "webhooks:create"
  | "webhooks:change"
  | "webhooks:remove"
  | "webhookSecrets:change"
  | "webhooks:test"
  | "webhooks:replay"
  | "webhooks:deliveries"
  | "documents:list"
  | "documentsToReview:list"
  | "documents:read"
  | "documents:sign"
  | "documents:add"
  | "documents:remove"
  | "uploads:plan"
  | "uploads:complete"
  | "onboarding:read"
  | "onboarding:change"
  | "onboarding:view"
  | "onboarding:submit"
  | "onboardingDocuments:remove"
  | "consent:give"
  | "consent:withdraw"
  | "pos:connect"
  | "serviceKey:read"
  | "addressKey:read"
  | "posCredentials:seal"
  | "posChecks:count"
  | "posChecksOfInvited:count"
  | "replication:request"
  | "sandbox:control"
  | "notices:request"
  | "invitations:request";

/** An example request of an operation, without the ids of its path. */
export interface RequestExample {
  summary: string;
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
}

/** The form (RFC 6749, 4.4) that an operation accepts in place of JSON, and its different response. */
interface Form {
  /** Schema of the form's parameters. It converts them to the type of the operation's `body`. */
  schema: z.ZodType;
  requests: Readonly<Record<string, Required<Pick<RequestExample, "summary" | "body">>>>;
  /** The response to a form. */
  example: unknown;
}

/**
 * Maximum number of responses to one credential. Requests that are rejected before the operation reads data do not
 * count.
 */
export interface RateLimit {
  perMinute: number;
  /** Per UTC day; only the limit of a minute if absent. */
  perDay?: number;
}

/** The deprecation of an operation. */
export interface Deprecation {
  /** The day since which callers should use another operation, yyyy-MM-dd. */
  since: string;
  /** The day after which the operation may be gone, yyyy-MM-dd; absent while none is known. */
  sunset?: string;
  /** The operationId to use instead; absent if there is none. */
  replacement?: string;
}

/** One entry of the operation registry: an operation with all its routes. */
export interface Operation {
  /** The handler's file below functions/, without `.ts`. */
  handler: string;
  routes: readonly [Route, ...Route[]];
  tag: string;
  summary: string;
  /** The rules that types cannot express, for the reference page. */
  description?: string;
  /** Path parameters that are not ids, by name. */
  path?: z.ZodObject;
  query: z.ZodObject;
  body?: z.ZodType;
  /** Set before the operation is removed (docs/spec.md#deprecation). */
  deprecated?: Deprecation;
  /** Set if only stages with simulated POS systems have the operation. */
  onlySimulated?: true;
  /** Set if requests may also come as a form, as OAuth 2 libraries send them. */
  form?: Form;
  /** Request headers that the operation itself reads, by lower-case name. */
  headers?: z.ZodObject;
  /** Whether the body holds a document: the platform's maximum size then applies. */
  holdsDocument?: boolean;
  /** Maximum bytes of a body, for operations without a credential; 1 MiB when absent. */
  maxBodyBytes?: number;
  /**
   * Inputs such as `query.phone` that errors never echo. Values that contain such an input or are inside it are not
   * echoed either (docs/spec.md#values-in-errors). Values with a secret name are never echoed in any operation, see
   * `hasSecret`.
   */
  secrets?: readonly string[];
  /** Example requests, by the name shown with them; none if the path is the whole request. */
  requests?: Readonly<Record<string, RequestExample>>;
  success: { schema: z.ZodType; description: string; example: unknown };
  /**
   * Set if responses name businesses that the path does not: the field of a record with the id of its business. With
   * `owner`, the record's owner is the business if its kind is `crb`. The access log names these businesses.
   */
  businessField?: "id" | "crb_id" | "owner";
  /**
   * Statuses of rejections, except 429, 500 and 503, which every operation may return, and 413, which every operation
   * with a body may return.
   */
  errors: readonly ErrorStatus[];
  /** The rejections that this operation describes in more detail, with examples. */
  rejections?: { readonly [Status in ErrorStatus]?: Rejection };
  permissionSets: readonly PermissionSet[];
  /** Limits in addition to the limits in front of the functions (docs/spec.md#limits). */
  rateLimit?: RateLimit;
}

/** The description of one rejection of an operation. */
export interface Rejection {
  description: string;
  /** The content of the error record, by the name shown with it. */
  examples: Readonly<Record<string, Pick<Details, "code" | "message" | "fields" | "data" | "oauth">>>;
}

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** An example response, which has each field of the response's schema. */
interface Exemplified<Schema extends z.ZodType> {
  success: { example: DeepReadonly<z.input<Schema>> };
}

/**
 * Checks an entry's type, and its example against the response's schema. Keeps its literal types, from which a handler's
 * input type is derived.
 */
export const defineOperation = <const Op extends Operation>(operation: Op & Exemplified<Op["success"]["schema"]>): Op =>
  operation;

/** E3 of docs/spec.md#rejected-requests: the rejections of an operation without a path parameter. */
export const E3 = [401, 403, 422] as const;
/** E4 of docs/spec.md#rejected-requests: the rejections of an operation on a resource in the path. */
export const E4 = [401, 403, 404, 422] as const;

/** The scopes that a credential needs for a route. */
export const requiredScopes = ({ scope, additionalScope }: Route): AccessScope[] =>
  [scope, additionalScope].filter((each) => each !== undefined);

/** The narrowest role of a person that includes a route (docs/access.md). */
export const leastRole = ({ method, role }: Route): PersonRole =>
  role ?? (method === "GET" ? "viewer" : "administrator");

/** Whether the requests of a route may have a body; other routes ignore it. */
export const takesBody = ({ method }: Pick<Route, "method">): boolean => method === "POST" || method === "PUT";

/**
 * Whether a route's responses may have an entity tag: responses to reads may, except those with a newly signed link.
 */
export const isTagged = (
  { permissionSets }: Pick<Operation, "permissionSets">,
  { method }: Pick<Route, "method">,
): boolean => method === "GET" && !permissionSets.some((each) => each.endsWith(":sign"));

/**
 * Whether the responses of an operation link to other pages. If its parameters are secret, they do not, because headers
 * end up in logs.
 */
export const linksPages = ({ query, secrets = [] }: Pick<Operation, "query" | "secrets">): boolean =>
  "offset" in query.shape && !secrets.some((name) => name.startsWith("query."));

/** The content types in which bodies are sent. */
export const contentTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;
