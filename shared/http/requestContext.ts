import type { APIGatewayProxyEvent } from "aws-lambda";
import type * as z from "zod";
import type { Fields } from "../api/errors.ts";
import type { Operation, Route } from "../api/operation.ts";
import type { Principal } from "../auth/credentials.ts";
import type { LoggedContent } from "./handlerResult.ts";
import type { Received } from "./received.ts";

/** API Gateway's event, and the results that the middlewares add to it. */
export interface RequestContext extends APIGatewayProxyEvent {
  /** The route that API Gateway matched. */
  route: Route;
  /** What the operation reads of the request, before validation. */
  received: Received;
  /** Time of arrival, in milliseconds of the monotonic clock. */
  arrived: number;
  /** The authenticated caller; absent until access is granted and for routes without a credential. */
  principal?: Principal;
  /** The promise that settles once the use of the credential is recorded; absent until access is granted. */
  useRecorded?: Promise<void>;
  /** Set once access is granted. */
  isDecided?: true;
  /** Failing inputs of the operation's further check; absent until that check fails. */
  further?: Fields;
  /** What the access log says about the response; absent if the response has no body, or its body needs no details. */
  logged?: LoggedContent;
  /** The handler's input; absent until validation. */
  input?: AnyInput;
}

interface AnyInput {
  path: object;
  query: unknown;
  headers: unknown;
  body: unknown;
  asForm: boolean;
  principal: Principal | undefined;
}

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/**
 * The names of the ids of a route. For an invited user, the token determines the ids that other routes have in the
 * path.
 */
type NamesOf<R> = R extends { path: infer Path extends string; caller: infer Caller }
  ? Names<Path> | (Caller extends "invitedUser" ? "sp_id" | "crb_id" : never)
  : never;
type PathOf<R> = R extends unknown ? Readonly<Record<NamesOf<R>, string>> : never;
type PrincipalOf<R> = R extends { caller: "nobody" } ? undefined : Principal;
type OwnPathOf<Op> = Op extends { path: infer Path extends z.ZodObject } ? z.output<Path> : unknown;
type OwnQueryOf<R> = R extends { query: infer Query extends z.ZodObject } ? z.output<Query> : never;
type HeadersOf<Op> = Op extends { headers: infer Headers extends z.ZodObject } ? z.output<Headers> : undefined;
type BodyOf<Op> = Op extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;

/** A handler's input: validated, and typed by the operation's entry in the operation registry. */
export interface Input<Op extends Operation> {
  /**
   * The ids in lower case. They come from the path; for an invited user, the token determines them. Other parameters
   * have the types of the operation's schema.
   */
  path: Omit<PathOf<Op["routes"][number]>, keyof OwnPathOf<Op>> & OwnPathOf<Op>;
  query: z.output<Op["query"]> | OwnQueryOf<Op["routes"][number]>;
  headers: HeadersOf<Op>;
  body: BodyOf<Op>;
  /**
   * Whether the body is a form. Such a request comes from an OAuth 2 library, so the response has the form that OAuth 2
   * requires.
   */
  asForm: boolean;
  /** The authenticated caller. */
  principal: PrincipalOf<Op["routes"][number]>;
}
