import { useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";
import { ActionButton, Field, Notice } from "../../browser/parts.tsx";
import { useForm } from "../../browser/useForm.ts";

/** The screen for visitors without a valid link. It explains the reason and requests a new link. */
export function LinkScreen({ wasRejected, support }: { wasRejected: boolean; support: string }) {
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const { form, problems, problem, isBusy } = useForm<string>({
    explain: (failure) => failureMessage(failure, support),
    check: () => (/^\S+@\S+$/.test(email.trim()) ? undefined : "Please enter an email address."),
    async send() {
      await callsWith()("POST", "onboarding/link", { email: email.trim() });
      setSent(true);
    },
    async handle(failure, report) {
      if (!(failure instanceof Rejection && failure.status === 422)) return undefined;
      report("This is not an email address.");
      return "";
    },
  });

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
        <form {...form}>
          <Field
            id="email"
            label="Email address of your invitation"
            type="email"
            autocomplete="email"
            value={email}
            changed={setEmail}
            problem={problems}
          />
          {problem && <Notice kind="problem">{problem}</Notice>}
          <ActionButton isBusy={isBusy} busyLabel="Sending …">
            Send a new link
          </ActionButton>
        </form>
      )}
    </main>
  );
}
