import { type Fields, type OAuthError, ServiceError } from "./errors.ts";

/** Maximum length of `error_description`, in characters. */
const longest = 500;

/**
 * Adds the fields of RFC 6749, 5.2, to a rejection, for OAuth 2 libraries. Leaves other failures unchanged.
 *
 * @param authorization the request's header. A client that used `Basic` gets a challenge, as the RFC demands. API
 * Gateway renames the header `WWW-Authenticate` of the response to `x-amzn-Remapped-WWW-Authenticate`, so on AWS
 * libraries get no challenge, only the error `invalid_client`.
 */
export function forOAuthLibrary(failure: unknown, authorization: string | undefined): unknown {
  const error = failure instanceof ServiceError ? codeOf(failure) : undefined;
  if (!(failure instanceof ServiceError) || !error) return failure;
  const { kind, message, details } = failure;
  const basic = kind === "unauthorized" && /^\s*basic\b/i.test(authorization ?? "");
  return new ServiceError(kind, {
    ...details,
    message,
    oauth: { error, error_description: describe(message, details.fields) },
    // OAuth libraries read the error only from a response without another challenge.
    challenge: basic ? 'Basic realm="token", charset="UTF-8"' : null,
  });
}

function codeOf({ kind, details: { code, fields = {} } }: ServiceError): OAuthError["error"] | undefined {
  if (kind === "unauthorized") return code === "assertion_rejected" ? "invalid_grant" : "invalid_client";
  if (kind === "forbidden") return code === "scope_missing" ? "invalid_scope" : "unauthorized_client";
  if (kind !== "invalid") return undefined;
  // A missing or repeated parameter gives `invalid_request`. A parameter with an invalid value gives the error code for
  // this parameter.
  const hasValue = (name: string) => typeof fields[name]?.value === "string";
  if (hasValue("body.grant_type")) return "unsupported_grant_type";
  const others = Object.keys(fields).filter((name) => name !== "body.scope");
  return hasValue("body.scope") && others.length === 0 ? "invalid_scope" : "invalid_request";
}

/** The failure in one line, in the characters that the RFC permits. */
function describe(message: string, fields: Fields | undefined): string {
  const failing = Object.entries(fields ?? {}).map(
    ([name, { message: wrong }]) => `${name.replace("body.", "")} ${wrong}`,
  );
  const line = fields ? failing.join("; ") : message;
  return line.slice(0, longest).replaceAll(/[^ !#-[\]-~]/g, "?");
}
