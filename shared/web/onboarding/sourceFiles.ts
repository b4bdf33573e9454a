const own = (name: string) => `shared/web/onboarding/${name}`;

/** The page's script. infra/codegen/pageFiles.ts bundles it from `app/`; it is not in version control. */
export const connectScript = own("page.js");

/** The page's files, by paths in this project. */
export const connectSources = {
  page: own("page.html"),
  assets: [connectScript, "shared/web/browser/base.css", own("page.css"), "shared/web/pages/icon.svg"],
} as const;

/** All files of the page, which the bundle of its function includes. */
export const connectFiles: readonly string[] = [connectSources.page, ...connectSources.assets];
