import { useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";
import { ActionButton, Field, Notice, Problem, useFocusOnProblem } from "../../browser/parts.tsx";
import {
  credentialsOf,
  isSecret,
  labelsOf,
  type PosEntry,
  type Problems,
  problemsIn,
  problemsOf,
  type Typed,
} from "./credentials.ts";
import { type Location, LocationChoice } from "./locationChoice.tsx";
import { useSession } from "./session.tsx";
import { focusHeading } from "./stepHeading.tsx";
import { useAction } from "./useAction.ts";

/** The form that connects a POS: its credentials and, if the POS has several locations, the location. */
export function CredentialsForm({ entry, done }: { entry: PosEntry; done(): void }) {
  const { onboarding, call, show, refresh, announce } = useSession();
  const [typed, setTyped] = useState<Typed>({});
  const [isShown, setShown] = useState(false);
  const [locations, setLocations] = useState<readonly Location[]>();
  const [location, setLocation] = useState("");
  const [problems, setProblems] = useState<Problems>();
  const { isBusy, problem, run } = useAction();
  const form = useFocusOnProblem(problems);
  const { credentials_description, credentials_properties } = entry.pos_credentials_schema;

  const change = (name: string, value: string) => {
    setTyped({ ...typed, [name]: value });
    // Other credentials may have other locations.
    setLocations(undefined);
    setLocation("");
  };

  async function explainRejection(failure: unknown): Promise<string | undefined> {
    if (!(failure instanceof Rejection)) return undefined;
    if (failure.status === 503) {
      return `${entry.pos_type} cannot be reached at the moment. Nothing was stored, and your entries are still here. Please try again in some minutes.`;
    }
    if (failure.status === 409) {
      const now = await refresh();
      if (!now?.consent) return undefined;
      return `${onboarding.service_provider.name} has already connected this business. Please contact them.`;
    }
    if (failure.status !== 422) return undefined;
    setLocations((failure.data as { locations?: Location[] } | undefined)?.locations);
    setProblems(problemsIn(failure, entry, location !== ""));
    return "";
  }

  function connect(event: Event) {
    event.preventDefault();
    const wrong = {
      ...problemsOf(entry, typed),
      ...(locations && !location && { location: "Please choose a location." }),
    };
    if (Object.keys(wrong).length > 0) return setProblems(wrong);
    void run(async () => {
      setProblems(undefined);
      const body = {
        pos_type: entry.pos_type,
        pos_credentials: credentialsOf(entry, typed),
        ...(location && { location_id: location }),
      };
      show(await call<Onboarding>("PUT", "onboarding/pos-connection", body));
      announce(`${entry.pos_type} is connected.`);
      focusHeading();
      done();
    }, explainRejection);
  }

  return (
    <form noValidate onSubmit={connect} ref={form} class="credentials">
      <p>{credentials_description}</p>
      <Problem id="all-problem">{problems?.all}</Problem>
      {labelsOf(entry).map(([name, label]) => (
        <Field
          key={name}
          id={`credential-${name}`}
          label={label}
          type={isSecret(name) && !isShown ? "password" : "text"}
          isNumber={credentials_properties[name]?.type === "number"}
          autocomplete="off"
          value={typed[name] ?? ""}
          changed={(value) => change(name, value)}
          problem={problems?.[name]}
          rejectedBy={problems?.all && "all-problem"}
        />
      ))}
      {labelsOf(entry).some(([name]) => isSecret(name)) && (
        <label class="check">
          <input type="checkbox" checked={isShown} onChange={({ currentTarget }) => setShown(currentTarget.checked)} />
          Show my entries
        </label>
      )}
      {locations && (
        <LocationChoice
          posType={entry.pos_type}
          locations={locations}
          chosen={location}
          choose={setLocation}
          problem={problems?.location}
        />
      )}
      {problem && <Notice kind="problem">{problem}</Notice>}
      <p class="actions">
        <ActionButton isBusy={isBusy} busyLabel={`Checking with ${entry.pos_type} …`}>
          {locations ? "Connect this location" : `Connect ${entry.pos_type}`}
        </ActionButton>
      </p>
      <p class="aside">The credentials are checked immediately, stored encrypted, and never shown to anyone.</p>
    </form>
  );
}
