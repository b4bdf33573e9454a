import type { APIGatewayProxyEvent } from "aws-lambda";
import { readConnectFiles } from "../../shared/web/onboarding/connectFiles.ts";
import { connectHeaders } from "../../shared/web/onboarding/connectHeaders.ts";
import type { PageFiles } from "../../shared/web/pages/assets.ts";
import { respondWithPage } from "../../shared/web/pages/respondWithPage.ts";

let files: PageFiles | undefined;

/** Serves the page that invitations link to (docs/spec.md#in-app-onboarding), and its assets. */
export const handler = async (event: APIGatewayProxyEvent) => {
  const { OPERATOR_NAME = "", PRIVACY_URL = "", SUPPORT_EMAIL = "" } = process.env;
  files ??= readConnectFiles({ operatorName: OPERATOR_NAME, privacyUrl: PRIVACY_URL, supportEmail: SUPPORT_EMAIL });
  const { html } = files;
  return respondWithPage(event, files, () => ({ headers: connectHeaders(), body: html }));
};
