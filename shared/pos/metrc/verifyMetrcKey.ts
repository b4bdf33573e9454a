import { PosError } from "../connector.ts";
import { interactiveLimits } from "../framework/posClient.ts";
import { isSourceUnavailable } from "../framework/toPosError.ts";
import type { MetrcAccess, MetrcOptions } from "./metrcAccess.ts";
import { MetrcApi } from "./metrcApi.ts";

/** The result of a check of a user key. */
export type MetrcKeyCheck =
  /** the key may view the license's sales, and its permissions prove that it cannot manage them */
  | { status: "ok" }
  | {
      status: "refused";
      /**
       * - `key`: Metrc rejects the keys. A wrong vendor key has the same response
       * - `license_missing`: the user key does not reach the license
       * - `no_view_sales`: the user key may not view sales, or the type of the license has no sales
       * - `may_manage_sales`: the user key may also change and void receipts
       */
      reason: "key" | "license_missing" | "no_view_sales" | "may_manage_sales";
    }
  | {
      status: "unknown";
      /**
       * - `permissions`: the key may view the license's sales, but its other permissions cannot be read
       * - `unavailable`: Metrc could not be reached, or the form of its response is unknown
       */
      reason: "permissions" | "unavailable";
      /** seconds that Metrc asks clients to wait, if it states them */
      retryAfter?: number | undefined;
    };

const hourMs = 3_600_000;

/**
 * Checks a user key by reading. A 401 does not prove that Metrc rejects the key, because Metrc sends it also for a missing
 * permission and for a license of another type. Only `GET /facilities/v2` needs no permission. A 401 counts if it comes
 * twice in a row.
 *
 * Metrc shows the permissions of a person only to keys that may manage employees. So `unknown` because of `permissions` is
 * the normal result for a key that may only view sales.
 */
export async function verifyMetrcKey(access: MetrcAccess, options: MetrcOptions = {}): Promise<MetrcKeyCheck> {
  try {
    const api = new MetrcApi(access, options);
    const license = await unlessDenied(() => api.findLicense(interactiveLimits));
    if (license === null) return { status: "refused", reason: "key" };
    if (!license.isFound) return { status: "refused", reason: "license_missing" };
    const now = (options.clock?.now() ?? new Date()).getTime();
    const window = { start: new Date(now - hourMs), end: new Date(now) };
    const receipts = await unlessDenied(() => api.receipts("active", window, 1, interactiveLimits));
    if (receipts === null) return { status: "refused", reason: "no_view_sales" };
    return checkPermissions(await permissionsOf(api));
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    // A key that cannot be sent in a header.
    if (error.failure === "credentialsRefused") return { status: "refused", reason: "key" };
    return { status: "unknown", reason: "unavailable", retryAfter: error.retryAfter };
  }
}

/** The names of permissions; empty if the key cannot read them. */
async function permissionsOf(api: MetrcApi): Promise<string[]> {
  try {
    return (await unlessDenied(() => api.permissions(interactiveLimits))) ?? [];
  } catch (error) {
    if (error instanceof PosError && isSourceUnavailable(error)) return [];
    throw error;
  }
}

function checkPermissions(names: readonly string[]): MetrcKeyCheck {
  const ofSales = names.filter((name) => /\bsales\b/i.test(name));
  if (ofSales.some((name) => !/^\s*view\b/i.test(name))) return { status: "refused", reason: "may_manage_sales" };
  return ofSales.length > 0 ? { status: "ok" } : { status: "unknown", reason: "permissions" };
}

/** The result of a call; null if Metrc denies the call twice in a row. */
async function unlessDenied<Result>(call: () => Promise<Result>, attempts = 2): Promise<Result | null> {
  try {
    return await call();
  } catch (error) {
    const isDenied =
      error instanceof PosError && (error.failure === "credentialsRefused" || error.failure === "notPermitted");
    if (!isDenied) throw error;
    return attempts > 1 ? unlessDenied(call, attempts - 1) : null;
  }
}
