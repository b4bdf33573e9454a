import { randomBytes } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { respond } from "../../shared/http/handlerResult.ts";
import type { PageFiles } from "../../shared/web/pages/assets.ts";
import { respondWithPage } from "../../shared/web/pages/respondWithPage.ts";
import { demoFor } from "../../shared/web/reference/demo.ts";
import { readPageFiles } from "../../shared/web/reference/pageFiles.ts";
import { referenceHeaders } from "../../shared/web/reference/pageHeaders.ts";

let files: PageFiles | undefined;

/** Serves the reference page (docs/spec.md#methods-and-pages) and its assets, and redirects the API's root to it. */
export const handler = async (event: APIGatewayProxyEvent) => {
  if (event.resource === "/") return respond(event, { status: 302, headers: { Location: locationFrom(event) } });
  files ??= readPageFiles();
  const { html } = files;
  return respondWithPage(event, files, () => {
    const nonce = randomBytes(16).toString("base64url");
    return {
      headers: referenceHeaders(nonce),
      body: html.replaceAll("{nonce}", nonce).replace("{demo}", () => asAttribute(demoFor(event))),
    };
  });
};

/** The page's path. On AWS without a domain, it begins with the name of the stage. */
const locationFrom = ({ requestContext: { path } }: APIGatewayProxyEvent): string => `${path.replace(/\/+$/, "")}/docs`;

const asAttribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
