import type * as z from "zod";
import { PosError } from "../connector.ts";
import { arrayElements } from "./arrayElements.ts";
import type { PosCall, PosClient, PosResponse } from "./posClient.ts";
import type { PosPath } from "./posPath.ts";
import { toPosError } from "./toPosError.ts";

export type Query = NonNullable<PosCall["query"]>;

/** The options for one connection's calls to a POS with JSON responses. */
export interface JsonApiOptions {
  client: PosClient;
  /** see PosCall; not secret */
  rateLimitBucket: string;
  /** authenticate the requests */
  headers: PosCall["headers"];
  /** converts an unsuccessful response to a failure; needed if the status alone does not determine the failure */
  rejectionOf?: (answer: PosResponse) => PosError;
  /** reads the status in the body, for a POS that writes a status into the body; see PosCall */
  statusIn?: PosCall["statusIn"];
  /** statuses of a complete response; 200 and 201 by default */
  wholeStatuses?: readonly number[];
}

/** Calls a POS with one connection's credentials. */
export class JsonApi {
  readonly #options: JsonApiOptions;

  constructor(options: JsonApiOptions) {
    this.#options = options;
  }

  /**
   * Reads a response by a schema.
   *
   * @returns the body and the time on the POS's clock
   * @throws PosError for any status that does not mean a complete response; "notUnderstood" for a body that breaks the
   * schema
   */
  async read<Body>(
    schema: z.ZodType<Body>,
    path: PosPath,
    query: Query = {},
    options: Partial<PosCall> = {},
  ): Promise<{ body: Body; date: Date | null }> {
    const answer = await this.#call(path, query, options);
    const found = schema.safeParse(answer.body);
    if (!found.success) throw new PosError("notUnderstood", { code: "envelope" });
    return { body: found.data, date: answer.date };
  }

  /**
   * Reads a long list row by row as it arrives, for three minutes at most. A timeout is not retried, because a second
   * attempt would exceed the function's time.
   *
   * @param property the property that holds the list if the response is an object; null if the response is always the
   * list itself
   * @param take receives each row. If a response breaks off, the next attempt passes the same rows again
   * @param begin is called before the first row of each attempt
   */
  async eachRow(
    path: PosPath,
    property: string | null,
    take: (row: unknown) => void,
    begin: () => void,
    { query = {}, ...options }: Partial<PosCall> = {},
  ): Promise<Date | null> {
    const read = async (chunks: AsyncIterable<Uint8Array>) => {
      begin();
      for await (const element of arrayElements(chunks, property)) take(element);
    };
    const long = { maxBytes: 4 * 1024 ** 3, timeoutMs: 180_000 };
    return (await this.#call(path, query, { read, ...long, ...options })).date;
  }

  async #call(path: PosPath, query: Query, options: Partial<PosCall>): Promise<PosResponse> {
    const {
      client,
      rateLimitBucket,
      headers,
      rejectionOf = toPosError,
      statusIn,
      wholeStatuses = [200, 201],
    } = this.#options;
    const answer = await client.call({
      path,
      query,
      headers,
      rateLimitBucket,
      ...(statusIn && { statusIn }),
      ...options,
    });
    // A response with another 2xx status is partial, has other content, or is not ready.
    if (!wholeStatuses.includes(answer.status)) throw rejectionOf(answer);
    return answer;
  }
}
