import type * as z from "zod";
import { PosError } from "../connector.ts";
import { arrayElements } from "./arrayElements.ts";
import type { PosCall, PosClient, PosResponse } from "./posClient.ts";
import type { PosPath } from "./posPath.ts";
import { toPosError } from "./toPosError.ts";

export type Query = NonNullable<PosCall["query"]>;

/** How one connection asks a POS that answers in JSON. */
export interface JsonApiOptions {
  client: PosClient;
  /** whose pace counts; nothing secret */
  rateLimitBucket: string;
  /** what lets a request in */
  headers: PosCall["headers"];
  /** what a response of another status means, where the status alone does not say it */
  rejectionOf?: (answer: PosResponse) => PosError;
  /** for a POS that states a status in the body too; see PosCall */
  statusIn?: PosCall["statusIn"];
  /** statuses of a whole response; 200 and 201 unless given */
  wholeStatuses?: readonly number[];
}

/** Asks a POS, as far as one connection's credentials reach. */
export class JsonApi {
  readonly #options: JsonApiOptions;

  constructor(options: JsonApiOptions) {
    this.#options = options;
  }

  /**
   * What the POS answers, read by a schema.
   *
   * @returns also what its clock showed
   * @throws PosError for any status but those of a whole response; "notUnderstood" for another shape
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
   * Reads a long list row by row as it arrives, for three minutes at most: as long again would be longer than a function
   * may take.
   *
   * @param property of the answer that holds the list, where the answer is not the list itself; null where it always is
   * @param take is handed each row: again where the answer broke off, and another attempt was needed
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
    // Others below 300 hold only a part, something else, or nothing yet.
    if (!wholeStatuses.includes(answer.status)) throw rejectionOf(answer);
    return answer;
  }
}
