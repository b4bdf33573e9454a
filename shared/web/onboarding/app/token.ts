/** What an invitation token begins with (docs/spec.md#credentials). */
const beginning = "#iv_";

const key = "invitation-token";

/**
 * The invitation token: from behind `#` in the address, where the mail's link has it, or as this tab has kept it. It is
 * taken out of the address bar, and with it out of the history, bookmarks, and what is copied.
 */
export function takeToken(): string | undefined {
  if (location.hash.startsWith(beginning)) {
    sessionStorage.setItem(key, location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(key) ?? undefined;
}
