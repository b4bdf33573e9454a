/** The end of the page's path: the console, and the short name of an institution. */
const own = /\/console(?:\/([^/]*))?$/;

/** The short name in a path such as `/console/front-range`; undefined for `/console`. */
export const shortNameIn = (path: string): string | undefined => own.exec(path)?.[1] || undefined;

/** The address of the API, with a slash at its end. On AWS without a domain, its path begins with the name of the stage. */
export const apiAddress = ({ origin, pathname }: { origin: string; pathname: string }): string =>
  `${origin}${pathname.replace(own, "")}/`;

/** The address of an institution's page. */
export const institutionAddress = (api: string, shortName: string): string =>
  `${api}console/${encodeURIComponent(shortName)}`;
