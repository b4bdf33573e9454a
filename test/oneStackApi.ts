import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Template } from "./system/deployed/template.ts";

/**
 * The templates of the sandbox by their stacks' names, in the order of their deployment, as they were before the API was
 * parted into stacks (the release before "Let alarms reach somebody, and make room in the API's stack for 66 operations"):
 * what `npm run synth` wrote, without metadata, and with functions that answer 503.
 */
export const oneStackApi = (): Record<string, Template> =>
  JSON.parse(gunzipSync(readFileSync(new URL("oneStackApi.json.gz", import.meta.url))).toString());
