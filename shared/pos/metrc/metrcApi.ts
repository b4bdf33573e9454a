import type * as z from "zod";
import { systemClock } from "../../time/clock.ts";
import { PosError } from "../connector.ts";
import { JsonApi, type Query } from "../framework/jsonApi.ts";
import { type PosCall, PosClient } from "../framework/posClient.ts";
import { type PosPath, posPath } from "../framework/posPath.ts";
import { requireCredential, requireServiceKey } from "../framework/toPosError.ts";
import { unpaced } from "../testEndpoints.ts";
import { type MetrcAccess, type MetrcOptions, metrcBaseUrl, metrcTestEndpoint } from "./metrcAccess.ts";
import { facility, page, permissions } from "./responses.ts";

/**
 * What one reading of one license may use of Metrc's limits. Metrc allows 50 GET requests a second and 10 at the same time
 * for each license, and 150 a second and 30 at the same time for each vendor key. So five readings of licenses of one state
 * can run at the same time and leave a third of the vendor key's limits for checks of new keys.
 */
export const readingShare = { requestsPerSecond: 20, atOnce: 4 } as const;

/** The number of readings of licenses of one state that may run at the same time, in all processes together. */
export const maxReadingsPerState = 5;

/** Metrc's maximum number of rows per page. A greater number is an error. */
export const pageSize = 20;

/** The two lists of receipts. A receipt moves to `inactive` when it is finalized or voided. */
export type ReceiptList = "active" | "inactive";

/** A time range of `LastModified`. */
export interface Window {
  start: Date;
  end: Date;
}

/** The API of Metrc for one license. */
export class MetrcApi {
  readonly #api: JsonApi;
  readonly #licenseNumber: string;

  /**
   * @throws PosError "credentialsRefused" if a key cannot be sent; "unreachable" if the vendor key is missing or this stage
   * reads no state system
   */
  constructor(access: MetrcAccess, options: MetrcOptions) {
    const { url = metrcBaseUrl(access.state), clock = systemClock, ...rest } = options;
    if (url === undefined) throw new PosError("unreachable", { code: "not_offered" });
    const isTestEndpoint = url === metrcTestEndpoint();
    const pace = isTestEndpoint ? unpaced : { requestsPerSecond: readingShare.requestsPerSecond };
    const user = requireServiceKey(access.vendorKey, "vendor_key");
    const basic = Buffer.from(`${user}:${requireCredential(access.userKey)}`).toString("base64");
    this.#licenseNumber = access.licenseNumber;
    this.#api = new JsonApi({
      client: new PosClient({ ...pace, ...rest, url, clock }),
      rateLimitBucket: access.state,
      headers: { authorization: `Basic ${basic}` },
    });
  }

  /** Whether the user key reaches the license. This call alone decides whether the keys are valid. */
  async findLicense(options: Partial<PosCall> = {}): Promise<{ isFound: boolean; date: Date | null }> {
    const { body, date } = await this.#api.read(page, posPath`/facilities/v2`, {}, options);
    const number = this.#licenseNumber.toUpperCase();
    const isFound = body.rows.some((row) => facility.safeParse(row).data?.license.number?.toUpperCase() === number);
    return { isFound, date };
  }

  /**
   * The names of permissions at the license. Metrc requires the permission to manage employees, and documents the call only
   * with the license number of an employee, which callers do not send.
   *
   * @throws PosError "credentialsRefused" without that permission, although the keys are valid
   */
  async permissions(options: Partial<PosCall>): Promise<string[]> {
    return (await this.#read(permissions, posPath`/employees/v2/permissions`, {}, options)).body;
  }

  /**
   * Reads one page of receipts that changed in a window. Metrc returns only a part of the receipts without a window.
   *
   * @param number counts from 1
   */
  async receipts(list: ReceiptList, { start, end }: Window, number: number, options: Partial<PosCall> = {}) {
    // An instant with `Z` needs no `+`, which Metrc misreads unless it is escaped.
    const query = {
      lastModifiedStart: withoutMilliseconds(start),
      lastModifiedEnd: withoutMilliseconds(end),
      pageNumber: number,
      pageSize,
    };
    const { body, date } = await this.#read(page, posPath`/sales/v2/receipts/${list}`, query, options);
    return { ...body, date };
  }

  #read<Body>(schema: z.ZodType<Body>, path: PosPath, query: Query, options: Partial<PosCall>) {
    return this.#api.read(schema, path, { licenseNumber: this.#licenseNumber, ...query }, options);
  }
}

const withoutMilliseconds = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;
