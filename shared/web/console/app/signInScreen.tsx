import type { ComponentChildren } from "preact";
import { ActionButton, Field, Notice } from "../../browser/parts.tsx";
import { useHeading } from "../../browser/useHeading.ts";
import { institutionAddress } from "./address.ts";
import { hasMapping } from "./deposits/mapping.ts";
import { hostOf, type Institution } from "./signIn.ts";

/** The screen of `/console`: requests the short name of the institution, and goes to its page. */
export function ShortNameScreen({ api, unknown = "" }: { api: string; unknown?: string }) {
  function submit(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("institution");
    location.assign(institutionAddress(api, String(name).trim().toLowerCase()));
  }
  return (
    <SignInPanel title="Sign in">
      <p class="faint">For staff of banks and credit unions that serve cannabis businesses.</p>
      <form onSubmit={submit}>
        <Field
          name="institution"
          label="Short name of your institution"
          autocomplete="organization"
          defaultValue={unknown}
          required
          pattern="\s*[A-Za-z0-9\-]{3,40}\s*"
          title="A short name has 3 to 40 letters, digits and hyphens, such as front-range."
          problem={unknown && `No institution has the short name ${unknown}. Compare it with the link that you got.`}
        />
        <button class="primary" type="submit">
          Continue
        </button>
      </form>
    </SignInPanel>
  );
}

interface SignInProps {
  institution: Institution;
  problem: string | undefined;
  wasSignedOut: boolean;
  isBusy: boolean;
  begin(): void;
}

/** The screen of an institution's page for persons who are not signed in. */
export function SignInScreen({ institution, problem, wasSignedOut, isBusy, begin }: SignInProps) {
  return (
    <SignInPanel title={`Sign in · ${institution.name}`}>
      <p class="lead">{institution.name}</p>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {wasSignedOut && !problem && (
        <Notice kind="good">
          <p>You are signed out. Nothing that you typed stays in this tab.</p>
          {hasMapping() && (
            <p>This browser keeps how your bank’s files of deposits are read, with the names of businesses in them.</p>
          )}
        </Notice>
      )}
      <ActionButton type="button" isBusy={isBusy} busyLabel="Opening …" onClick={begin}>
        Continue to your bank’s sign-in
      </ActionButton>
      <p class="hint">
        You sign in at <strong>{hostOf(institution)}</strong> with your usual account and second factor. What you may do
        here follows from your role there. After an hour you sign in again.
      </p>
    </SignInPanel>
  );
}

/** @param title the title of the browser tab */
function SignInPanel({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useHeading(title);
  return (
    <div class="single">
      <div class="panel pad">
        <h1 ref={heading} tabIndex={-1}>
          Sign in
        </h1>
        {children}
      </div>
      <details>
        <summary>I cannot sign in</summary>
        <p>
          “No role” means that your account is known but has no role in this console. The person who manages your bank’s
          accounts can give it one of the roles viewer, reviewer or administrator.
        </p>
        <p>You are the owner of a shop? Use the link in your invitation instead.</p>
      </details>
    </div>
  );
}
