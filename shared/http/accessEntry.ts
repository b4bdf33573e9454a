import { UUID } from "../api/patterns.ts";
import type { Principal } from "../auth/credentials.ts";
import { endsWithOf } from "../store/madeWith.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * The fields that an access log entry has in addition to the fields of every request line. They are ids, counts and the
 * source address. They contain no text from the query, the headers or the body, and from the path only UUIDs and
 * enumeration values.
 */
export interface AccessEntry {
  /**
   * The id that API Gateway assigned to the request. The field `request_id` does not identify a request, because a
   * caller can set it with the header `x-amzn-RequestId` and use the same value again.
   */
  extended_request_id: string | null;
  /**
   * The client id of the credential, even if the caller sent an access token. For an invited user, the id of the
   * invitation.
   */
  client_id: string;
  /** The other credentials that end the key of the caller's token, because they added it; absent if there are none. */
  ends_with?: readonly string[];
  /** The id of the person at the identity provider; null for programs and invited users. A name could not be erased. */
  sub: string | null;
  /** The owner of the credential. An invited user belongs to the CRB of the invitation. */
  owner: Principal["owner"];
  sp_id: string;
  /** The CRB whose data was requested; null for operations across CRBs, such as a list of CRBs. */
  crb_id: string | null;
  /** The CRBs that the response is about, if the path names none; null if the operation returns none or fails. */
  crb_ids: readonly string[] | null;
  /**
   * The id of the record, document or export in the path, or of the export that the request created. If the path has
   * several such ids, the last one.
   */
  record_id: string | null;
  /** The kind of records in the path, or the kinds of an export; null if there are none. */
  kinds: readonly string[] | null;
  /**
   * Number of records in the response, or in the files of an export to which the response has links. The number is that of
   * a GET also for HEAD. 0 for a 304, because the caller has the records; null if the operation returns no records or fails.
   */
  records: number | null;
  /** IPv4 or IPv6 address. */
  source: string | null;
}

/** @param status HTTP status of the response */
export function accessEntry(call: RequestContext, principal: Principal, status: number): AccessEntry {
  const { clientId, owner, spId, person } = principal;
  const { logged = {} } = call;
  const recordId = logged.recordId ?? recordIdOf(call);
  return {
    extended_request_id: call.requestContext.extendedRequestId ?? null,
    client_id: clientId,
    ...endsWithOf(principal),
    sub: person?.sub ?? null,
    owner: { kind: owner.kind, id: owner.id },
    sp_id: spId,
    crb_id: owner.kind === "serviceProvider" ? uuidIn(call, "crb_id") : owner.id,
    crb_ids: logged.crbIds ?? null,
    record_id: recordId,
    kinds: logged.kinds ?? kindsOf(call),
    records: recordsOf(call, recordId, status),
    source: call.requestContext.identity?.sourceIp ?? null,
  };
}

/** A path parameter in lower case if it is a UUID, otherwise null: any other value is arbitrary text of the caller. */
function uuidIn({ pathParameters }: RequestContext, name: string): string | null {
  const value = pathParameters?.[name];
  return value !== undefined && UUID.test(value) ? value.toLowerCase() : null;
}

function recordIdOf(call: RequestContext): string | null {
  const names = [...call.route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const ids = names.filter((name) => name !== "sp_id" && name !== "crb_id").map((name) => uuidIn(call, name));
  return ids.findLast((id) => id !== null) ?? null;
}

/** The kind in the path. It is read after validation, so it is a value of the enumeration. */
function kindsOf({ input }: RequestContext): string[] | null {
  const path: { kind?: unknown } = input?.path ?? {};
  return typeof path.kind === "string" ? [path.kind] : null;
}

function recordsOf({ route, logged }: RequestContext, recordId: string | null, status: number): number | null {
  if (status >= 400) return null;
  if (status === 304) return 0;
  const isOneRecord = route.method === "GET" && (recordId !== null || route.path.endsWith("}"));
  return logged?.records ?? (isOneRecord ? 1 : null);
}
