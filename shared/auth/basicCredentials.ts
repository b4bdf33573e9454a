/**
 * The client id and the secret of an `Authorization: Basic` header. Each is form-encoded; the header holds the base64
 * form of both together (RFC 6749, 2.3.1).
 *
 * @returns undefined for another scheme or a malformed header
 */
export function basicCredentials(
  authorization: string | undefined,
): { clientId: string; clientSecret: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization?.trim() ?? "") ?? [];
  const [, id, secret] = /([^:]*):(.*)/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { clientId: formDecoded(id), clientSecret: formDecoded(secret) };
  } catch {
    // The form encoding is invalid: a percent sign without two digits after it, or bytes that are not UTF-8.
    return undefined;
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
