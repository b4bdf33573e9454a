import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Template } from "./system/deployed/template.ts";

/**
 * The sandbox's templates by stack name, in the order of deployment, from before the API was split into several
 * stacks (the release before "Let alarms reach somebody, and make room in the API's stack for 66 operations"). They
 * are the output of `npm run synth` without metadata, with functions that answer 503.
 */
export const oneStackApi = (): Record<string, Template> =>
  JSON.parse(gunzipSync(readFileSync(new URL("oneStackApi.json.gz", import.meta.url))).toString());
