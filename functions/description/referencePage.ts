import { randomBytes } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { notFound } from "../../shared/api/errors.ts";
import { respond, respondError } from "../../shared/endpoint/answer.ts";
import { type PageFiles, readPageFiles } from "../../shared/referencePage/pageFiles.ts";
import { assetHeaders, pageHeaders } from "../../shared/referencePage/pageHeaders.ts";

let files: PageFiles | undefined;

/** The reference page (contract 1), and below it what it loads. */
export const handler = async (event: APIGatewayProxyEvent) => {
  files ??= readPageFiles();
  const name = event.pathParameters?.file;
  if (name === undefined) {
    const nonce = randomBytes(16).toString("base64url");
    return respond(event, { status: 200, headers: pageHeaders(nonce), body: files.html.replaceAll("{nonce}", nonce) });
  }
  const asset = files.assets.get(name);
  if (!asset) return respondError(event, notFound());
  return respond(event, { status: 200, headers: assetHeaders(asset.contentType), body: asset.body });
};
