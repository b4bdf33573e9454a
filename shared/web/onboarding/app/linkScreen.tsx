import { useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";
import { ActionButton, Field, Notice, useFocusOnProblem } from "../../browser/parts.tsx";

/** The screen for visitors without a valid link. It explains the reason and requests a new link. */
export function LinkScreen({ wasRejected, support }: { wasRejected: boolean; support: string }) {
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
      setProblem(isField ? { field: "This is not an email address." } : { other: failureMessage(failure, support) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <main>
      <h1>{wasRejected ? "This link no longer works" : "Connect your business"}</h1>
      {wasRejected ? (
        <p>
          The link has expired, a newer one has replaced it, or the invitation has ended. Your work is saved. Please use
          the link in the newest mail, or request a new one.
        </p>
      ) : (
        <p>
          This page opens with the link in your invitation. Please use the link in the newest mail, or request a new
          one.
        </p>
      )}
      {isSent ? (
        <div role="status">
          <Notice kind="good">
            <p>
              If <strong>{email.trim()}</strong> was invited, a new link is on its way. Earlier links end as soon as you
              save something with it. You can request five links a day.
            </p>
            <p>If no mail arrives within some minutes, look in your spam folder, or write to {support}.</p>
          </Notice>
        </div>
      ) : (
        <form noValidate onSubmit={send} ref={form}>
          <Field
            id="email"
            label="Email address of your invitation"
            type="email"
            autocomplete="email"
            value={email}
            changed={setEmail}
            problem={problem?.field}
          />
          {problem?.other && <Notice kind="problem">{problem.other}</Notice>}
          <ActionButton isBusy={isBusy} busyLabel="Sending …">
            Send a new link
          </ActionButton>
        </form>
      )}
    </main>
  );
}
