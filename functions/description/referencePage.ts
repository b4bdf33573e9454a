import { randomBytes } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { answerPage } from "../../shared/pages/answerPage.ts";
import type { PageFiles } from "../../shared/pages/assets.ts";
import { readPageFiles } from "../../shared/referencePage/pageFiles.ts";
import { referenceHeaders } from "../../shared/referencePage/pageHeaders.ts";

let files: PageFiles | undefined;

/** The reference page (contract 1), and below it what it loads. */
export const handler = async (event: APIGatewayProxyEvent) => {
  files ??= readPageFiles();
  const { html } = files;
  return answerPage(event, files, () => {
    const nonce = randomBytes(16).toString("base64url");
    return { headers: referenceHeaders(nonce), body: html.replaceAll("{nonce}", nonce) };
  });
};
