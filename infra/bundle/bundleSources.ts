import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { pages } from "../../shared/web/pageRoutes.ts";
import { background } from "../stacks/background.ts";
import type { BundleSource } from "./bundle.ts";

export const pageSources: readonly BundleSource[] = [
  ...new Map(pages.map(({ handler, files = [] }) => [handler, { handler, files }])).values(),
];

export const bundleSources: readonly BundleSource[] = [
  ...operationRegistry.map(({ handler }) => ({ handler })),
  ...pageSources,
  ...Object.values(background).map(({ handler }) => ({ handler })),
];

/** The maximum size of a bundle, without files that it loads later. */
export const maxBundleBytes = 500_000;
