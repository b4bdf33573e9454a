const own = (name: string) => `shared/web/status/${name}`;

/** The status page's files, by paths in this project. */
export const statusSources = {
  page: own("page.html"),
  style: own("page.css"),
  incidents: "infra/stages/incidents.json",
} as const;

/** All files of the page, which the bundle of its function includes. */
export const statusFiles: readonly string[] = Object.values(statusSources);
