import { useEffect, useState } from "preact/hooks";
import { metrcStates, type StateConnectionError } from "../../../api/enumerations.ts";
import type { StateConnection } from "../../../api/schemas/stateSystem.ts";
import { Rejection } from "../../browser/failures.ts";
import { formatDay } from "../../browser/formatDay.ts";
import { ActionButton, Choice, Field, Notice } from "../../browser/parts.tsx";
import { useForm } from "../../browser/useForm.ts";
import { useSession } from "./session.tsx";
import { isPresent } from "./steps.ts";
import { useAction } from "./useAction.ts";

const path = (number: string) => `onboarding/state-connections/${encodeURIComponent(number)}`;

const errorTexts: Readonly<Record<StateConnectionError, string>> = {
  key_refused: "cannot be read: Metrc rejects the key, please enter another one",
  license_missing: "cannot be read: the key does not reach this license, please enter another one",
  key_may_manage_sales: "is not read: the key may manage sales, please enter one that may only view them",
  key_cannot_view_sales: "cannot be read: the key may not view sales, please enter another one",
  license_unlinked: "is not read: the license is no longer one of your business",
  unreachable: "could not be read: Metrc did not respond, and the service tries again",
};

const statusTexts: Readonly<Record<StateConnection["status"], string>> = {
  waiting: "is read soon",
  current: "is being read",
  failing: "cannot be read",
};

/**
 * The connections of the linked licenses to Metrc, and a form for a key. Shows nothing in a state without Metrc, or
 * without a linked license and a connection.
 */
export function StateSection() {
  const { onboarding, call } = useSession();
  const { consent, licenses, business } = onboarding;
  const numbers = licenses.flatMap(({ license_identifier: number }) => number ?? []);
  const [connections, setConnections] = useState<readonly StateConnection[]>();
  const { problem, run } = useAction();
  const hasMetrc = (metrcStates as readonly string[]).includes(business.state);
  const read = () =>
    run(async () =>
      setConnections((await call<{ data: StateConnection[] }>("GET", "onboarding/state-connections")).data),
    );
  useEffect(() => {
    if (hasMetrc) void read();
  }, [hasMetrc]);
  // A connection stays when its license is removed, and so does its key.
  if (!hasMetrc || (numbers.length === 0 && !connections?.length)) return null;
  return (
    <section class="card" aria-labelledby="state-system">
      <h3 id="state-system" tabIndex={-1}>
        Metrc <span class="tag">optional</span>
      </h3>
      <p>
        {business.state} records your sales in Metrc. With a key, the service reads the totals of each day there and
        compares them with your point of sale. Create the key for a user who may <strong>only view sales</strong>.
      </p>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {connections && connections.length > 0 && (
        <ul class="list">
          {connections.map((connection) => (
            <ConnectionRow key={connection.license_number} connection={connection} reload={read} />
          ))}
        </ul>
      )}
      {consent ? (
        numbers.length > 0 && <KeyForm numbers={numbers} reload={read} />
      ) : (
        <p>
          Before you connect it, please <a href="#consent">read the terms and give consent</a>.
        </p>
      )}
    </section>
  );
}

function ConnectionRow({ connection, reload }: { connection: StateConnection; reload(): Promise<unknown> }) {
  const { call, announce } = useSession();
  const { isBusy, problem, run } = useAction();
  const { license_number: number, status, error, data_as_of } = connection;
  const words = (error && errorTexts[error]) ?? statusTexts[status];
  const disconnect = () =>
    run(async () => {
      // 404: the license was already disconnected in another tab or by another person. This is no failure.
      await call("DELETE", path(number)).catch((failure) => {
        if (!(failure instanceof Rejection && failure.status === 404)) throw failure;
      });
      announce(`License ${number} is disconnected from Metrc.`);
      await reload();
      document.getElementById("state-system")?.focus();
    });
  return (
    <li>
      <div class="row">
        <span class="grow">
          <span>{number}</span>
          <span class="hint">
            <span class={`state ${status === "failing" ? "act" : "good"}`}>{words}</span>
            {data_as_of && `; last read on ${formatDay(data_as_of)}`}
          </span>
        </span>
        <ActionButton
          type="button"
          kind="secondary"
          isBusy={isBusy}
          busyLabel="Disconnecting …"
          aria-label={`Disconnect license ${number} from Metrc`}
          onClick={disconnect}
        >
          Disconnect
        </ActionButton>
      </div>
      {problem && <Notice kind="problem">{problem}</Notice>}
    </li>
  );
}

function KeyForm({ numbers, reload }: { numbers: readonly string[]; reload(): Promise<unknown> }) {
  const { call, refresh, announce, explain } = useSession();
  const [chosen, setChosen] = useState(numbers[0] ?? "");
  // The chosen license may have been removed since.
  const number = numbers.includes(chosen) ? chosen : (numbers[0] ?? "");
  const [key, setKey] = useState("");
  const { form, problems, problem, isBusy } = useForm<string>({
    explain,
    check: () => (key.trim() === "" ? "Please enter the key." : undefined),
    async send() {
      await call("PUT", path(number), { system: "Metrc", user_key: key.trim() });
      announce(`License ${number} is connected to Metrc.`);
      setKey("");
      await reload();
    },
    async handle(failure, report) {
      if (!(failure instanceof Rejection)) return undefined;
      if (failure.code === "consent_missing") {
        const now = await refresh();
        if (now && isPresent(now)) return "The terms do not name Metrc, so no license can be connected to it here.";
        return "Please read the current terms first, and give consent to them: they name Metrc. Then enter the key again.";
      }
      if (failure.code === "license_not_linked") {
        await refresh();
        return `License ${number} is no longer one of your business. Please add it again first.`;
      }
      if (failure.code === "state_connection_limit")
        return "No more licenses can be connected to Metrc. Please disconnect one of them first.";
      if (failure.code === "state_system_unavailable")
        return "Metrc cannot be reached at the moment. Please try again in some minutes.";
      const rejected = failure.fields["body.user_key"];
      if (rejected) report(`This key ${rejected.message}.`);
      return rejected ? "" : failure.status === 422 ? "Metrc cannot be connected for this license yet." : undefined;
    },
  });

  return (
    <form {...form}>
      {numbers.length > 1 && (
        <Choice id="state-license" label="License" value={number} options={numbers} changed={setChosen} />
      )}
      <Field
        id="state-key"
        label={`Key of a Metrc user for ${number}`}
        type="password"
        value={key}
        changed={setKey}
        problem={problems}
      />
      {problem && <Notice kind="problem">{problem}</Notice>}
      <ActionButton kind="secondary" isBusy={isBusy} busyLabel="Checking with Metrc …">
        Connect Metrc
      </ActionButton>
    </form>
  );
}
