/** The fragment prefix of an invitation token (docs/spec.md#credentials). */
const beginning = "#iv_";

const key = "invitation-token";

let token: string | undefined;

/**
 * Reads the invitation token from the fragment of the mail's link, or from this tab's session storage. Removes the
 * token from the address bar, so that history, bookmarks and copied links do not contain the token.
 */
export function takeToken(): string | undefined {
  if (location.hash.startsWith(beginning)) {
    const found = location.hash.slice(1);
    token = found;
    withStorage((storage) => storage.setItem(key, found));
    history.replaceState(null, "", location.pathname + location.search);
  }
  token ??= withStorage((storage) => storage.getItem(key)) ?? undefined;
  return token;
}

/** Uses the session storage; undefined if the browser blocks it, as it does together with cookies. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
