import { escapeHtml } from "../../../shared/text/escapeHtml.ts";
import { stagePage } from "../stagePage.ts";
import { demoPersons } from "./demoPersons.ts";

/** The page on which a visitor chooses a person of the demo. @param action the address that gets the choice */
export const signInPage = (action: string): string =>
  stagePage("Sign in as a person of the demo", [
    "<p>This identity provider runs on this machine only. Its persons have no passwords: choose one.</p>",
    `<form method="post" action="${escapeHtml(action)}">`,
    ...demoPersons.map(
      ({ sub, name, may }) =>
        `<article><h2><button name="person" value="${sub}">${escapeHtml(name)}</button></h2><p>${escapeHtml(may)}</p></article>`,
    ),
    "</form>",
  ]);

/** The page that names an error of a sign-in. */
export const signInErrorPage = (message: string): string =>
  stagePage("The sign-in failed", [
    `<p>${escapeHtml(message)}</p>`,
    "<p>Begin again on the page that brought you here.</p>",
  ]);
