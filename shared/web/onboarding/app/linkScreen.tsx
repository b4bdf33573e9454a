import { useState } from "preact/hooks";
import { callsWith } from "./api.ts";
import { Rejection } from "./failures.ts";
import { ActionButton, Field, Notice, useFocusOnProblem } from "./parts.tsx";
import { wordsOf } from "./words.ts";

/** The screen without a valid invitation. Explains this and requests a new link. */
export function LinkScreen({ wasRefused, support }: { wasRefused: boolean; support: string }) {
  const [email, setEmail] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<{ field?: string; other?: string }>();
  const form = useFocusOnProblem(problem?.field);

  async function send(event: Event) {
    event.preventDefault();
    if (isBusy) return;
    if (!/^\S+@\S+$/.test(email.trim())) return setProblem({ field: "Please enter an email address." });
    setBusy(true);
    setProblem(undefined);
    try {
      await callsWith()("POST", "onboarding/link", { email: email.trim() });
      setSent(true);
    } catch (failure) {
      const isField = failure instanceof Rejection && failure.status === 422;
      setProblem(isField ? { field: "This is no email address." } : { other: wordsOf(failure, support) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <main>
      <h1>{wasRefused ? "This link no longer works" : "Connect your business"}</h1>
      {wasRefused ? (
        <p>
          It has expired, a newer link has taken its place, or the invitation has ended. What you have done so far is
          kept. Please use the link of the newest mail, or have a new one sent.
        </p>
      ) : (
        <p>
          This page opens with the link of your invitation. Please use the link of the newest mail, or have a new one
          sent.
        </p>
      )}
      {isSent ? (
        <div role="status">
          <Notice kind="good">
            <p>
              If <strong>{email.trim()}</strong> was invited, a new link is on its way. Only the newest link works. At
              most five are sent in a day.
            </p>
            <p>Nothing has come after some minutes? Look among the unwanted mail, or write to {support}.</p>
          </Notice>
        </div>
      ) : (
        <form noValidate onSubmit={send} ref={form}>
          <Field
            id="email"
            label="Email address that was invited"
            type="email"
            autocomplete="email"
            value={email}
            changed={setEmail}
            problem={problem?.field}
          />
          {problem?.other && <Notice kind="problem">{problem.other}</Notice>}
          <ActionButton isBusy={isBusy} busyWords="Sending …">
            Send a new link
          </ActionButton>
        </form>
      )}
    </main>
  );
}
