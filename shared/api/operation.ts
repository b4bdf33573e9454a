import type * as z from "zod";
import type { AccessScope } from "./enumerations.ts";
import type { Details, ErrorStatus } from "./errors.ts";

/**
 * The kind of credential that opens a route (docs/spec.md#path-families-and-scopes, docs/spec.md#invitation-tokens): `anyone` proves a client by the request itself,
 * `nobody` needs no credential.
 */
type Caller = "serviceProvider" | "crb" | "invitedUser" | "anyone" | "nobody";

/** One method and path of an operation. Names in braces in the path are path parameters, each of them an id. */
export interface Route {
  operationId: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/${string}`;
  caller: Caller;
  /** The scope the credential must hold; none for the token exchange and for invited users. */
  scope?: AccessScope;
  /** This route's query, where it differs from the operation's. */
  query?: z.ZodObject;
  /** This route's summary, where it differs from the operation's. */
  summary?: string;
  /** This route's tag, where it differs from the operation's. */
  tag?: string;
}

/** What a handler's function is permitted to do; everything else is denied to it on AWS (`infra/permissions/permissionSets.ts`). */
export type PermissionSet =
  | "tokens:issue"
  | "credentials:list"
  | "credentials:revoke"
  | "crbAccess:issue"
  | "serviceProviders:read"
  | "crbs:read"
  | "crbs:list"
  | "crbs:change"
  | "crbs:create"
  | "licenses:search"
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
  | "changes:read"
  | "replications:read"
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
  | "replication:request"
  | "invitations:request";

/** A request that shows how an operation is used: what stands in it beside the ids of its path. */
export interface RequestExample {
  summary: string;
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
}

/** How an operation takes a form (RFC 6749, 4.4) in place of JSON, and what differs in the answer. */
interface Form {
  /** Of its parameters; makes of them what the operation's `body` makes of JSON. */
  schema: z.ZodType;
  requests: Readonly<Record<string, Required<Pick<RequestExample, "summary" | "body">>>>;
  /** The answer to a form. */
  example: unknown;
}

/** How often a credential may have an operation answer; requests that are refused before it is read for do not count. */
export interface RateLimit {
  perMinute: number;
  /** A UTC day. */
  perDay: number;
}

/** One entry of the operation registry: all that is known about an operation, with every route it has. */
export interface Operation {
  /** The handler's file below functions/, without `.ts`. */
  handler: string;
  routes: readonly [Route, ...Route[]];
  tag: string;
  summary: string;
  /** The rules that no type can say, for the reference page. */
  description?: string;
  /** Parameters of the path that are no ids, by name. */
  path?: z.ZodObject;
  query: z.ZodObject;
  body?: z.ZodType;
  /** Where requests may also come as a form, as OAuth 2 libraries send them. */
  form?: Form;
  /** Request headers that the operation itself reads, by lower-case name. */
  headers?: z.ZodObject;
  /** True where the body holds a document: it may then be as large as the platform carries. */
  holdsDocument?: boolean;
  /** Maximum bytes of a body, for operations without a credential; 1 MiB when absent. */
  maxBodyBytes?: number;
  /**
   * Inputs whose value, and that of what is above and below them, is never echoed in an error, such as `query.phone`
   * (docs/spec.md#values-in-errors). A value that is secret by a name in it is not echoed anyway, see `holdsSecret`.
   */
  secrets?: readonly string[];
  /** Examples of its requests, by a name that is shown with them; none where the path says all. */
  requests?: Readonly<Record<string, RequestExample>>;
  success: { schema: z.ZodType; description: string; example: unknown };
  /** Refusals beyond 429, 500 and 503, which every operation may answer, and 413, which whatever takes a body may. */
  errors: readonly ErrorStatus[];
  /** Of these, the ones that say more here than elsewhere: when, and answers that show it. */
  rejections?: { readonly [Status in ErrorStatus]?: Rejection };
  permissionSets: readonly PermissionSet[];
  /** Limits beyond those in front of the functions (docs/spec.md#limits). */
  rateLimit?: RateLimit;
}

/** What an operation says of one of its refusals. */
export interface Rejection {
  description: string;
  /** What the error record holds, by a name that is shown with it. */
  examples: Readonly<Record<string, Pick<Details, "message" | "fields" | "data" | "oauth">>>;
}

/** Checks an entry's type and keeps its literal types, from which a handler's input is derived. */
export const defineOperation = <const Op extends Operation>(operation: Op): Op => operation;

/** E3 of docs/spec.md#rejected-requests: what an operation without a path parameter refuses with. */
export const E3 = [401, 403, 422] as const;
/** E4 of docs/spec.md#rejected-requests: what an operation on something named in the path refuses with. */
export const E4 = [401, 403, 404, 422] as const;

/** Whether the requests of a route may have a body; that of others is ignored. */
export const takesBody = ({ method }: Pick<Route, "method">): boolean => method === "POST" || method === "PUT";

/** Whether answers at a route may have an entity tag: those of reads, but for the ones that hold a link signed just now. */
export const isTagged = (
  { permissionSets }: Pick<Operation, "permissionSets">,
  { method }: Pick<Route, "method">,
): boolean => method === "GET" && !permissionSets.includes("documents:sign");

/** The content types in which bodies are sent. */
export const contentTypes = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;
