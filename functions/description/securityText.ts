import type { APIGatewayProxyEvent } from "aws-lambda";
import { respond } from "../../shared/http/handlerResult.ts";
import { textHeaders } from "../../shared/web/pages/headers.ts";

/** Milliseconds. RFC 9116 recommends less than a year; the file is computed for each request, so it never expires. */
const validFor = 180 * 24 * 60 * 60_000;

/** Serves the contact for reports of vulnerabilities, `security.txt` (RFC 9116). */
export const handler = async (event: APIGatewayProxyEvent) => {
  const expires = new Date(Date.now() + validFor).toISOString();
  const lines = [`Contact: mailto:${process.env.SUPPORT_EMAIL}`, `Expires: ${expires}`, "Preferred-Languages: en"];
  return respond(event, {
    status: 200,
    headers: textHeaders("text/plain; charset=utf-8"),
    body: `${lines.join("\n")}\n`,
  });
};
