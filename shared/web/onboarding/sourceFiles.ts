const own = (name: string) => `shared/web/onboarding/${name}`;

/** What the page is made of, by paths in this project. */
export const connectSources = {
  page: own("page.html"),
  /** `page.js` is made of `app/` by `npm run connect-page`. */
  assets: [own("page.js"), own("page.css"), "shared/web/pages/icon.svg"],
} as const;

/** All of them: what lies beside the code where the page's function is bundled. */
export const connectFiles: readonly string[] = [connectSources.page, ...connectSources.assets];
