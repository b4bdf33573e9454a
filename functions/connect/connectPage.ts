import type { APIGatewayProxyEvent } from "aws-lambda";
import { connectSources } from "../../shared/web/onboarding/sourceFiles.ts";
import { readAppFiles } from "../../shared/web/pages/appFiles.ts";
import { appHeaders } from "../../shared/web/pages/appHeaders.ts";
import type { PageFiles } from "../../shared/web/pages/assets.ts";
import { respondWithPage } from "../../shared/web/pages/respondWithPage.ts";

let files: PageFiles | undefined;

/** Serves the page that invitations link to (docs/spec.md#in-app-onboarding), and its assets. */
export const handler = async (event: APIGatewayProxyEvent) => {
  files ??= readAppFiles(connectSources, "connect");
  const { html } = files;
  return respondWithPage(event, files, () => ({ headers: appHeaders(), body: html }));
};
