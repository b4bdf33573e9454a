/**
 * The client id and secret of an `Authorization: Basic` header, each written as in a form before both are base64
 * (RFC 6749, 2.3.1).
 *
 * @returns undefined for a header of another scheme, and for one that cannot be read
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
    // A percent sign without its two digits, or bytes that are no UTF-8.
    return undefined;
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
