import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { respond } from "../../shared/http/handlerResult.ts";
import { readProjectFile } from "../../shared/platform/readProjectFile.ts";
import { escapeHtml } from "../../shared/text/escapeHtml.ts";
import type { PageFiles } from "../../shared/web/pages/assets.ts";
import { textHeaders } from "../../shared/web/pages/headers.ts";
import { respondWithPage } from "../../shared/web/pages/respondWithPage.ts";
import { demoFor } from "../../shared/web/reference/demo.ts";
import { llmsText } from "../../shared/web/reference/llmsText.ts";
import { readGuides, readPageFiles } from "../../shared/web/reference/pageFiles.ts";
import { referenceHeaders } from "../../shared/web/reference/pageHeaders.ts";
import { sources } from "../../shared/web/reference/sourceFiles.ts";

let files: PageFiles | undefined;

/**
 * Serves the reference page (docs/spec.md#methods-and-pages) and its assets, the guides as Markdown with their pictures, their
 * index, and the Postman collection. Redirects the API's root to the page.
 */
export const handler = async (event: APIGatewayProxyEvent) => {
  if (event.resource === "/") return respond(event, { status: 302, headers: { Location: locationFrom(event) } });
  const text = textFor(event);
  if (text) return respond(event, { status: 200, headers: textHeaders(text.contentType), body: text.body });
  files ??= readPageFiles();
  const { html } = files;
  return respondWithPage(event, files, () => {
    const nonce = randomBytes(16).toString("base64url");
    return {
      headers: referenceHeaders(nonce),
      body: html.replaceAll("{nonce}", nonce).replace("{demo}", () => escapeHtml(demoFor(event))),
    };
  });
};

/** The requested text; undefined for the page and its assets. */
function textFor({
  resource,
  pathParameters,
}: APIGatewayProxyEvent): { contentType: string; body: string } | undefined {
  if (resource === "/llms.txt") return { contentType: "text/plain; charset=utf-8", body: llmsText(readGuides()) };
  if (resource === "/postman.json") return { contentType: "application/json", body: readProjectFile(sources.postman) };
  const named = (path: string) => basename(path) === pathParameters?.file;
  const guide = sources.guides.find(named);
  if (guide) return { contentType: "text/markdown; charset=utf-8", body: readProjectFile(guide) };
  const picture = sources.pictures.find(named);
  return picture && { contentType: "image/svg+xml", body: readProjectFile(picture) };
}

/** The page's path. On AWS without a domain, it begins with the name of the stage. */
const locationFrom = ({ requestContext: { path } }: APIGatewayProxyEvent): string => `${path.replace(/\/+$/, "")}/docs`;
