import type * as z from "zod";
import { PosError } from "../connector.ts";
import { arrayElements } from "./arrayElements.ts";
import type { PosCall, PosClient, PosResponse } from "./posClient.ts";
import type { PosPath } from "./posPath.ts";
import { toPosError } from "./toPosError.ts";

export type Query = NonNullable<PosCall["query"]>;

/** How one connection calls a POS with JSON responses. */
export interface JsonApiOptions {
  client: PosClient;
  /** see PosCall; not secret */
  rateLimitBucket: string;
  /** authenticate the requests */
  headers: PosCall["headers"];
  /** turns a response with another status into a failure, if the status alone is not enough */
  rejectionOf?: (answer: PosResponse) => PosError;
  /** for a POS that states a status in the body, too; see PosCall */
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
   * @throws PosError for any status that is not complete; "notUnderstood" for another shape
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
   * Reads a long list row by row as it arrives, for three minutes at most. A retry after a timeout would exceed the function's
   * time, so there is none.
   *
   * @param property of the response that holds the list, if the response is not the list itself; null if it always is
   * @param take receives each row; rows repeat after a broken response
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
    const long = { maxBytes: 4 * 1024 ** 3, timeoutMs: 180_000, repeatsTimeout: false };
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
    // Other 2xx responses are partial, of another kind, or not ready.
    if (!wholeStatuses.includes(answer.status)) throw rejectionOf(answer);
    return answer;
  }
}
