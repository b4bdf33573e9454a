import { useState } from "preact/hooks";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";
import { ActionButton, Field, Notice, Problem } from "../../browser/parts.tsx";
import { useForm } from "../../browser/useForm.ts";
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

/** The form that connects a POS: its credentials and, if the POS has several locations, the location. */
export function CredentialsForm({ entry, done }: { entry: PosEntry; done(): void }) {
  const { onboarding, call, show, refresh, announce, explain } = useSession();
  const [typed, setTyped] = useState<Typed>({});
  const [isShown, setShown] = useState(false);
  const [locations, setLocations] = useState<readonly Location[]>();
  const [location, setLocation] = useState("");
  const { credentials_description, credentials_properties } = entry.pos_credentials_schema;
  const canChoose = locations !== undefined && locations.length > 0;

  const change = (name: string, value: string) => {
    // A password manager can fill in several fields before the form is shown again.
    setTyped((before) => ({ ...before, [name]: value }));
    // Other credentials may have other locations.
    setLocations(undefined);
    setLocation("");
  };

  const { form, problems, problem, isBusy } = useForm<Problems>({
    explain,
    check() {
      const isOpen = canChoose && !location;
      const wrong = { ...problemsOf(entry, typed), ...(isOpen && { location: "Please choose a location." }) };
      return Object.keys(wrong).length > 0 ? wrong : undefined;
    },
    async send() {
      const body = {
        pos_type: entry.pos_type,
        pos_credentials: credentialsOf(entry, typed),
        ...(location && { location_id: location }),
      };
      show(await call<Onboarding>("PUT", "onboarding/pos-connection", body));
      announce(`${entry.pos_type} is connected.`);
      focusHeading();
      done();
    },
    async handle(failure, report) {
      if (!(failure instanceof Rejection)) return undefined;
      if (failure.code === "pos_unavailable") {
        return `${entry.pos_type} cannot be reached at the moment. Nothing was stored, and your entries are still here. Please try again in some minutes.`;
      }
      if (failure.code === "already_connected") {
        return `${onboarding.service_provider.name} has already connected this business. Please contact them.`;
      }
      if (failure.status === 409) await refresh();
      if (failure.status !== 422) return undefined;
      setLocations((failure.data as { locations?: Location[] } | undefined)?.locations);
      report(problemsIn(failure, entry, location !== ""));
      return "";
    },
  });

  return (
    <form {...form}>
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
      <p class="bar">
        <ActionButton isBusy={isBusy} busyLabel={`Checking with ${entry.pos_type} …`}>
          {canChoose ? "Connect this location" : `Connect ${entry.pos_type}`}
        </ActionButton>
      </p>
      <p class="hint">The credentials are checked immediately, stored encrypted, and never shown to anyone.</p>
    </form>
  );
}
