import { PosError } from "../connector.ts";
import type { PosResponse } from "./posClient.ts";

/** What an answer other than 2xx means that no other attempt would change. */
export function toPosError({ status, body }: PosResponse): PosError {
  const code = String(status);
  if (status === 401) return new PosError("credentialsRefused", { code });
  if (status === 403) return new PosError(isOfProxy(body) ? "unreachable" : "notPermitted", { code });
  return new PosError("notUnderstood", { code });
}

/** Whether something in front of the POS said no, which says nothing about the credentials. */
function isOfProxy(body: unknown): boolean {
  return typeof body === "string" && /^\s*<|\b1010\b|cloudflare/i.test(body);
}

/** Whether a POS does not give something that was asked for, which says nothing about the rest. */
export function isSourceUnavailable({ failure, code = "" }: PosError): boolean {
  return failure === "notPermitted" || (failure === "notUnderstood" && /^4\d\d$/.test(code));
}

/** Whether text can go as a credential into a header; what cannot is refused without asking, and never echoed. */
export function isCredential(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value);
}

/** A credential of the business. @throws PosError "credentialsRefused" for what can be none */
export function requireCredential(value: unknown): string {
  if (!isCredential(value)) throw new PosError("credentialsRefused", { code: "form" });
  return value;
}

/**
 * A credential of the business that goes encoded, as in JSON or XML, and so may hold any letters.
 *
 * @throws PosError "credentialsRefused" for what can be none
 */
export function requireEncodedCredential(value: unknown): string {
  if (typeof value === "string" && /^[^\p{Cc}]{1,255}$/u.test(value)) return value;
  throw new PosError("credentialsRefused", { code: "form" });
}

/**
 * A key that the POS company has given to this service.
 *
 * @param code of the failure
 * @throws PosError "unreachable" without it, which says nothing about the business's credentials
 */
export function requireServiceKey(key: string, code: string): string {
  if (key === "") throw new PosError("unreachable", { code });
  return key;
}

/**
 * Does something for which the credentials may be refused. Then the call that verifies them decides: where it accepts
 * them, they do not reach these records only.
 */
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
