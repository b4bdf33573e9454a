import { UUID } from "../api/patterns.ts";
import type { Principal } from "../auth/credentials.ts";
import type { RequestContext } from "./requestContext.ts";

/** The `message` of a log line that is an entry of the access log; no other line has it (`infra/constructs/accessLogDelivery.ts` filters by it). */
export const accessMessage = "access";

/**
 * The fields that an access log entry adds to those of every request line. They are ids, counts and the source address.
 * Nothing comes from the query, the headers or the body, and only UUIDs and enumeration values come from the path.
 */
export interface AccessEntry {
  /**
   * The id that API Gateway gave the request. A caller can choose `request_id`, by the header `x-amzn-RequestId`, and reuse it for
   * many requests.
   */
  extended_request_id: string | null;
  /** The client id of the credential, also if an access token was sent. For an invited user, the id of the invitation. */
  client_id: string;
  /** The owner of the credential. An invited user belongs to the CRB of the invitation. */
  owner: Principal["owner"];
  sp_id: string;
  /** The CRB that was accessed; null for operations without a CRB, such as a list of CRBs. */
  crb_id: string | null;
  /** The id of the record or document in the path; the last one if there are several. */
  record_id: string | null;
  /** The kind of records, where the path names one. */
  kind: string | null;
  /** Records in the response: 0 without a body (304, HEAD); null where the operation returns no records, or fails. */
  records: number | null;
  /** IPv4 or IPv6 address. */
  source: string | null;
}

/** @param status HTTP status of the response */
export function accessEntry(call: RequestContext, principal: Principal, status: number): AccessEntry {
  const { clientId, owner, spId } = principal;
  const recordId = recordIdOf(call);
  return {
    extended_request_id: call.requestContext.extendedRequestId ?? null,
    client_id: clientId,
    owner: { kind: owner.kind, id: owner.id },
    sp_id: spId,
    crb_id: owner.kind === "serviceProvider" ? uuidIn(call, "crb_id") : owner.id,
    record_id: recordId,
    kind: kindOf(call),
    records: recordsOf(call, recordId, status),
    source: call.requestContext.identity?.sourceIp ?? null,
  };
}

/** A parameter of the path in lower case, if it is a UUID. Anything else in a path is the caller's text. */
function uuidIn({ pathParameters }: RequestContext, name: string): string | null {
  const value = pathParameters?.[name];
  return value !== undefined && UUID.test(value) ? value.toLowerCase() : null;
}

function recordIdOf(call: RequestContext): string | null {
  const names = [...call.route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const ids = names.filter((name) => name !== "sp_id" && name !== "crb_id").map((name) => uuidIn(call, name));
  return ids.findLast((id) => id !== null) ?? null;
}

/** After validation the kind is a value of an enumeration. */
function kindOf({ input }: RequestContext): string | null {
  const path: { kind?: unknown } = input?.path ?? {};
  return typeof path.kind === "string" ? path.kind : null;
}

function recordsOf(
  { httpMethod, route, records }: RequestContext,
  recordId: string | null,
  status: number,
): number | null {
  if (status >= 400) return null;
  if (status === 304 || httpMethod === "HEAD") return 0;
  const isOneRecord = route.method === "GET" && (recordId !== null || route.path.endsWith("}"));
  return records ?? (isOneRecord ? 1 : null);
}
