import { PosError } from "../connector.ts";
import type { PosResponse } from "./posClient.ts";

/** The failure of a non-2xx response that a retry would not change. */
export function toPosError({ status, body }: PosResponse): PosError {
  const code = String(status);
  if (status === 401) return new PosError("credentialsRefused", { code });
  if (status === 403) return new PosError(isOfProxy(body) ? "unreachable" : "notPermitted", { code });
  return new PosError("notUnderstood", { code });
}

/** Whether a proxy before the POS sent the rejection, which then does not mean that the credentials are invalid. */
function isOfProxy(body: unknown): boolean {
  return typeof body === "string" && /^\s*<|\b1010\b|cloudflare/i.test(body);
}

/** Whether the failure means that the POS does not offer this source. Other sources may still work. */
export function isSourceUnavailable({ failure, code = "" }: PosError): boolean {
  return failure === "notPermitted" || (failure === "notUnderstood" && /^4\d\d$/.test(code));
}

/**
 * Returns a credential of the business that is sent in a header. Any other is rejected unsent, and never logged.
 *
 * @throws PosError "credentialsRefused" if its form is invalid
 */
export function requireCredential(value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value)) return value;
  throw new PosError("credentialsRefused", { code: "form" });
}

/**
 * Returns a credential of the business that is sent encoded, for example in JSON or XML. Such a credential may contain
 * any characters except control characters.
 *
 * @throws PosError "credentialsRefused" if its form is invalid
 */
export function requireEncodedCredential(value: unknown): string {
  if (typeof value === "string" && /^[^\p{Cc}]{1,255}$/u.test(value)) return value;
  throw new PosError("credentialsRefused", { code: "form" });
}

/**
 * Returns a key that the POS company issued to this service.
 *
 * @param code code of the failure if the key is missing
 * @throws PosError "unreachable" if the key is missing. The failure does not mean that the business's credentials are
 * invalid
 */
export function requireServiceKey(key: string, code: string): string {
  if (key === "") throw new PosError("unreachable", { code });
  return key;
}

/** Runs `read`. If it is rejected but `verify` succeeds, the credentials are valid but may not read these records. */
export async function verifyOnRejection<Result>(
  read: () => Promise<Result>,
  verify: () => Promise<unknown>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PosError && error.failure === "credentialsRefused")) throw error;
    await verify();
    throw new PosError("notPermitted", { code: error.code ?? "401" });
  }
}
