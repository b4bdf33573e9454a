import type { APIGatewayProxyEvent } from "aws-lambda";
import type * as z from "zod";
import type { Fields } from "../api/errors.ts";
import type { Operation, Route } from "../api/operation.ts";
import type { Principal } from "../auth/credentials.ts";

/** A request on its way through the chain: the gateway's event, and what each link of the chain has made of it. */
export interface RequestContext extends APIGatewayProxyEvent {
  /** The route it came by. */
  route: Route;
  /** When it arrived, milliseconds of the monotonic clock. */
  arrived: number;
  /** Whose request it is; absent before access is granted, and where no credential is needed. */
  principal?: Principal;
  /** Settles once the use of its credential is recorded; absent before access is granted. */
  useRecorded?: Promise<void>;
  /** That access is granted. */
  isDecided?: true;
  /** What fails in it beyond its schemas; absent before the checks of that. */
  further?: Fields;
  /** How many records the response lists; absent where it lists none. */
  records?: number;
  /** What the handler gets; absent before the validation. */
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
/** An invited user's token names what a path names elsewhere. */
type NamesOf<R> = R extends { path: infer Path extends string; caller: infer Caller }
  ? Names<Path> | (Caller extends "invitedUser" ? "sp_id" | "crb_id" : never)
  : never;
type PathOf<R> = R extends unknown ? Readonly<Record<NamesOf<R>, string>> : never;
type PrincipalOf<R> = R extends { caller: "nobody" } ? undefined : Principal;
type OwnPathOf<Op> = Op extends { path: infer Path extends z.ZodObject } ? z.output<Path> : unknown;
type OwnQueryOf<R> = R extends { query: infer Query extends z.ZodObject } ? z.output<Query> : never;
type HeadersOf<Op> = Op extends { headers: infer Headers extends z.ZodObject } ? z.output<Headers> : undefined;
type BodyOf<Op> = Op extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;

/** What a handler receives: everything validated and typed by the operation's entry in the operation registry. */
export interface Input<Op extends Operation> {
  /**
   * Ids in lower case; those that every route of the operation has, or that an invited user's token names. Other parameters
   * as the operation describes them.
   */
  path: Omit<PathOf<Op["routes"][number]>, keyof OwnPathOf<Op>> & OwnPathOf<Op>;
  query: z.output<Op["query"]> | OwnQueryOf<Op["routes"][number]>;
  headers: HeadersOf<Op>;
  body: BodyOf<Op>;
  /** Whether the body came as a form, and the answer is for an OAuth 2 library. */
  asForm: boolean;
  /** Whose request it is. */
  principal: PrincipalOf<Op["routes"][number]>;
}
