import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { background } from "../stacks/background.ts";
import type { BundleSource } from "./bundle.ts";

/** Of what the bundles of the pages about the API are made. */
export const pageSources: readonly BundleSource[] = [
  ...new Map(pages.map(({ handler, files = [] }) => [handler, { handler, files }])).values(),
];

/** Of what the bundles of all functions are made. */
export const bundleSources: readonly BundleSource[] = [
  ...operationRegistry.map(({ handler }) => ({ handler })),
  ...pageSources,
  ...Object.values(background).map(({ handler }) => ({ handler })),
];

/** More than this must no bundle have, without what lies beside it. */
export const maxBundleBytes = 500_000;
