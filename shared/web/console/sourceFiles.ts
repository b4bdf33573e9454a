const own = (name: string) => `shared/web/console/${name}`;

/** The page's script. infra/codegen/pageFiles.ts bundles it from `app/`; it is not in version control. */
export const consoleScript = own("console.js");

/** The page's files, by paths in this project. */
export const consoleSources = {
  page: own("page.html"),
  assets: [consoleScript, "shared/web/browser/base.css", own("console.css"), "shared/web/pages/icon.svg"],
} as const;

/** All files of the page, which the bundle of its function includes. */
export const consoleFiles: readonly string[] = [consoleSources.page, ...consoleSources.assets];
