import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { invalid, notFound, toErrorResponse } from "../api/errors.ts";
import { rateLimitPolicy } from "../api/rateLimitPolicy.ts";
import { securityHeaders } from "../api/securityHeaders.ts";
import { damagedText } from "../store/damagedRecords.ts";
import type { EventsPage } from "../store/eventLog/readEvents.ts";
import type { ListState, OpenPage, Page } from "../store/orderedList/readPage.ts";
import type { CursorPage } from "../store/pageCursor.ts";
import { allowedOrigins, corsHeaders } from "./cors.ts";
import { headerOf } from "./headers.ts";

/** A successful result of a handler. */
export interface HandlerResult {
  /** Returns the body, which is computed at the first call. */
  readonly body: () => Body | Promise<Body>;
  /**
   * The state of the lists that the body is read from. It determines the entity tag before the body is read. If absent,
   * the tag is computed from the body.
   */
  readonly state?: ListState;
  /** Headers in addition to the headers that every response has. */
  readonly headers?: Record<string, string>;
}

/** The details about a body that the access log keeps, where the path does not have them. */
export interface LoggedContent {
  /** Number of records, with damaged ones. For an export, the records in the files to which the response has links. */
  readonly records?: number;
  /** The ids of the businesses that the records are about. */
  readonly crbIds?: readonly string[];
  /** The id of the record that the request created. */
  readonly recordId?: string;
  /** The kinds of records that an export contains. */
  readonly kinds?: readonly string[];
}

/** The body of a successful response. */
export interface Body {
  /** The body as JSON. */
  readonly text: string;
  /** Number of records that `data` covers, with the damaged ones; absent if the response has no such list. */
  readonly records?: number;
  /** Details for the access log, in addition to `records`. */
  readonly logged?: LoggedContent;
  /** Number of all matching records; absent if the response has no pages by offset. */
  readonly total?: number;
}

export const json = (value: object): HandlerResult => ({ body: () => ({ text: JSON.stringify(value) }) });

/**
 * A response with a record that is stored as its JSON text.
 *
 * @param what the kind of record, such as "CRB", for the message of a 404
 * @throws ServiceError "notFound" if the text is undefined
 */
export function record(text: string | undefined, what: string): HandlerResult {
  if (text === undefined) throw notFound(what);
  return { body: () => ({ text }) };
}

/**
 * The list envelope around records that are stored as JSON texts (docs/spec.md#lists). Damaged records are left out, but the range
 * covers them, so that the next page begins after them.
 *
 * @param page the page's records and the total number of matching records, or a page that is read only when the body is
 * needed
 * @param offset number of records before the page
 * @returns a result whose `body` throws ServiceError "invalid" if the page exceeds the platform's limit
 * (docs/spec.md#pagination)
 */
export function list(page: Page | OpenPage, offset: number): HandlerResult {
  if (!("read" in page)) return { body: () => envelope(page, offset) };
  return { state: page.state, body: async () => envelope(await page.read(), offset) };
}

function envelope({ total, records }: Page, offset: number): Body {
  const count = records.length === 0 ? "0 - 0" : `${offset + 1} - ${offset + records.length}`;
  const head = `{"metadata":${JSON.stringify({ total, count })},"data":[`;
  const readable = records.filter((text) => text !== damagedText);
  return { text: joinFitting(head, readable, "]}"), records: records.length, total };
}

/** The text of a page. @throws ServiceError "invalid" if it exceeds the platform's limit */
function joinFitting(head: string, records: readonly string[], tail: string): string {
  const fitting = countFitting(head + tail, records);
  if (fitting < records.length) {
    const message = `must be at most ${fitting} here: the page would be above the limit of 6 MB`;
    throw invalid({ "query.limit": { message } });
  }
  return head + records.join(",") + tail;
}

/** The response of docs/spec.md#events. */
export const events = ({ events: texts, cursor, hasMore }: EventsPage): HandlerResult => {
  const end = JSON.stringify({ cursor, has_more: hasMore }).slice(1);
  return { body: () => ({ text: `{"data":[${texts.join(",")}],${end}`, records: texts.length }) };
};

/**
 * The response of docs/spec.md#pages-by-cursor.
 *
 * @param fields further fields of the page
 * @returns a result whose `body` throws ServiceError "invalid" if the page exceeds the platform's limit
 */
export const page = ({ records, cursor, hasMore }: CursorPage<object>, fields: object = {}): HandlerResult => ({
  body: () => {
    const tail = `],${JSON.stringify({ cursor, has_more: hasMore, ...fields }).slice(1)}`;
    const texts = records.map((each) => JSON.stringify(each));
    return { text: joinFitting('{"data":[', texts, tail), records: records.length };
  },
});

/** Maximum bytes of a response body: Lambda's limit for a response, minus a reserve for status and headers. */
export const maxResponseBytes = 6_291_556 - 4_096;

/**
 * Number of bytes that a JSON text takes in Lambda's response, where it is a string inside another JSON text. The outer
 * text adds one byte for each quote and backslash; it escapes no other character of a JSON text. Counting these
 * characters is faster than serializing the text, which took a fifth of the time of a response with a page.
 */
const bytesOf = (text: string): number => Buffer.byteLength(text) + countOf(text, '"') + countOf(text, "\\");

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/**
 * Number of records, from the first one on, that fit into a response.
 *
 * @param frame the text of the body without the records
 */
export function countFitting(frame: string, records: readonly string[]): number {
  // No character takes more than three bytes in the response, so small pages need no exact count.
  const characters = records.reduce((sum, { length }) => sum + length + 1, frame.length);
  if (characters * 3 <= maxResponseBytes) return records.length;
  let bytes = bytesOf(frame);
  const first = records.findIndex((text, index) => {
    bytes += bytesOf(text) + (index === 0 ? 0 : 1);
    return bytes > maxResponseBytes;
  });
  return first < 0 ? records.length : first;
}

/** A response without the headers that every response has. If `body` is absent, the response has no body. */
export interface HttpResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * The API Gateway result of a response, with the headers of every response (docs/spec.md#transport).
 *
 * @param allowed origins whose pages may read the response; by default the allowed origins of the stage
 */
export const respond = (
  request: APIGatewayProxyEvent,
  { status, headers, body }: HttpResponse,
  allowed: readonly string[] = allowedOrigins(),
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: {
    ...(body !== undefined && { "Content-Type": "application/json" }),
    "Cache-Control": "no-store",
    "x-request-id": request.requestContext.requestId,
    ...securityHeaders,
    ...rateLimitPolicy,
    ...corsHeaders(headerOf(request, "origin"), allowed),
    ...headers,
  },
  body: body ?? "",
});

/** The API Gateway result of a failure. It is also used for requests that are rejected before they reach a handler. */
export const respondError = (request: APIGatewayProxyEvent, error: unknown): APIGatewayProxyResult =>
  respond(request, toErrorResponse(error));
