import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { invalid, notFound, toErrorResponse } from "../api/errors.ts";
import { transportSecurity } from "../api/transportSecurity.ts";
import type { EventsPage } from "../store/eventLog/readEvents.ts";
import type { ListState } from "../store/orderedList/listState.ts";
import type { OpenPage, Page } from "../store/orderedList/readPage.ts";
import { allowedOrigins, corsHeaders } from "./cors.ts";
import { headerOf } from "./headers.ts";

/** A successful answer. */
export interface HandlerResult {
  /** Computed on first use. */
  readonly body: () => Body | Promise<Body>;
  /** What the body will be made of; absent where only the body itself can tell. */
  readonly state?: ListState;
  /** Beyond those that every answer has. */
  readonly headers?: Record<string, string>;
}

/** The body of a successful answer. */
export interface Body {
  /** JSON. */
  readonly text: string;
  /** Records in `data`; absent if the response has no such list. */
  readonly records?: number;
}

/** An answer made of a value. */
export const json = (value: object): HandlerResult => ({ body: () => ({ text: JSON.stringify(value) }) });

/**
 * An answer made of a record that is stored as the JSON text it is answered with.
 *
 * @throws ServiceError "notFound" when there is none
 */
export function record(text: string | undefined): HandlerResult {
  if (text === undefined) throw notFound();
  return { body: () => ({ text }) };
}

/**
 * The list envelope around records that are stored as JSON texts (docs/spec.md#lists).
 *
 * @param page the page's records, and how many match in all; or a page that is still to be read
 * @param offset records before the page
 * @returns its body throws ServiceError "invalid" when the page would pass the platform's limit (docs/spec.md#pagination)
 */
export function list(page: Page | OpenPage, offset: number): HandlerResult {
  if (!("read" in page)) return { body: () => envelope(page, offset) };
  return { state: page.state, body: async () => envelope(await page.read(), offset) };
}

function envelope({ total, records }: Page, offset: number): Body {
  const count = records.length === 0 ? "0 - 0" : `${offset + 1} - ${offset + records.length}`;
  const head = `{"metadata":${JSON.stringify({ total, count })},"data":[`;
  const fitting = countFitting(`${head}]}`, records);
  if (fitting < records.length) {
    const message = `asks for a page above the platform's limit of 6 MB; ${fitting} of its records would fit`;
    throw invalid({ "query.limit": { message } });
  }
  return { text: `${head}${records.join(",")}]}`, records: records.length };
}

/** The page of docs/spec.md#events around events. */
export const events = ({ events: texts, cursor, hasMore }: EventsPage): HandlerResult => {
  const end = JSON.stringify({ cursor, has_more: hasMore }).slice(1);
  return { body: () => ({ text: `{"data":[${texts.join(",")}],${end}`, records: texts.length }) };
};

/** Bytes that Lambda lets an answer have, less what its status and headers take. */
export const maxResponseBytes = 6_291_556 - 4_096;

/**
 * Bytes of a JSON text inside Lambda's own JSON, where each quote and backslash takes one more; no other character that
 * a JSON text can hold is written differently there. Counted instead of written out, which took a fifth of a page's time.
 */
const bytesOf = (text: string): number => Buffer.byteLength(text) + countOf(text, '"') + countOf(text, "\\");

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/**
 * How many of some records fit an answer.
 *
 * @param frame what the answer has beside them
 */
export function countFitting(frame: string, records: readonly string[]): number {
  // No character takes more than three bytes there, so that most pages need no counting.
  const characters = records.reduce((sum, { length }) => sum + length + 1, frame.length);
  if (characters * 3 <= maxResponseBytes) return records.length;
  let bytes = bytesOf(frame);
  const first = records.findIndex((text, index) => {
    bytes += bytesOf(text) + (index === 0 ? 0 : 1);
    return bytes > maxResponseBytes;
  });
  return first < 0 ? records.length : first;
}

/** What is to be told, with the headers beyond those that every answer has; without a body, none is sent. */
export interface HttpResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * The gateway's form of an answer to a request, with the headers that every answer has (docs/spec.md#transport).
 *
 * @param allowed origins whose pages may read it; those of the stage when absent
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
    ...transportSecurity,
    ...corsHeaders(headerOf(request, "origin"), allowed),
    ...headers,
  },
  body: body ?? "",
});

/** The gateway's form of a failure; whatever refuses a request in front of the handlers answers by this too. */
export const respondError = (request: APIGatewayProxyEvent, error: unknown): APIGatewayProxyResult =>
  respond(request, toErrorResponse(error));
