import type { APIGatewayProxyEvent } from "aws-lambda";
import { findSignInOrigins } from "../../shared/domain/identityProviders/signInOrigins.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { consoleSources } from "../../shared/web/console/sourceFiles.ts";
import { readAppFiles } from "../../shared/web/pages/appFiles.ts";
import { appHeaders } from "../../shared/web/pages/appHeaders.ts";
import type { PageFiles } from "../../shared/web/pages/assets.ts";
import { respondWithPage } from "../../shared/web/pages/respondWithPage.ts";

let files: { entry: PageFiles; page: PageFiles } | undefined;

/**
 * Serves the console (docs/spec.md#console): `/console`, where a visitor enters the short name of the institution, the page of an
 * institution, and the assets. A short name has no dot, and each asset has one. The policy of an institution's page permits
 * calls to its identity provider, which the stored settings name.
 */
export const handler = async (event: APIGatewayProxyEvent) => {
  files ??= { entry: readAppFiles(consoleSources, "console"), page: readAppFiles(consoleSources, ".") };
  const name = event.pathParameters?.file;
  if (name?.includes(".")) return respondWithPage(event, files.page, () => ({ headers: {}, body: "" }));
  const { html } = name === undefined ? files.entry : files.page;
  // The mock stage has no table.
  const isKnown = name !== undefined && process.env.TABLE_NAME !== undefined;
  const origins = isKnown ? await findSignInOrigins(serviceTable(), name) : [];
  const shown = { ...event, pathParameters: null };
  return respondWithPage(shown, files.page, () => ({ headers: appHeaders(origins), body: html }));
};
