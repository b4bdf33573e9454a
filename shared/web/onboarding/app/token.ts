/** The fragment prefix of an invitation token (docs/spec.md#credentials). */
const beginning = "#iv_";

const key = "invitation-token";

/**
 * Reads the invitation token from the fragment of the mail's link, or from this tab's session storage. Removes the
 * token from the address bar, so that history, bookmarks and copied links do not contain the token.
 */
export function takeToken(): string | undefined {
  if (location.hash.startsWith(beginning)) {
    sessionStorage.setItem(key, location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(key) ?? undefined;
}
