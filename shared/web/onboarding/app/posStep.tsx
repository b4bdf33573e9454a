import { useEffect, useState } from "preact/hooks";
import type { PosCredentialsSchema } from "../../../api/schemas/posCredentialsSchema.ts";
import { formatDay } from "../../browser/formatDay.ts";
import { ActionButton, Notice } from "../../browser/parts.tsx";
import { PosForm } from "./posForm.tsx";
import { useSession } from "./session.tsx";
import { StepHeading } from "./stepHeading.tsx";
import { useAction } from "./useAction.ts";

/** The POS connection: its status, and the form to change it. */
export function PosStep() {
  const { pos, consent, missing } = useSession().onboarding;
  const [isChanging, setChanging] = useState(false);
  const isConnected = pos?.status === "Connected" || pos?.status === "Pending";
  // Without a connection, the step is complete only if the operator configured that records are read from files.
  const usesFiles = !isConnected && !missing.some(({ step }) => step === "pos_connection");
  const isSettled = isConnected || usesFiles;

  return (
    <>
      <StepHeading>Connect your point of sale</StepHeading>
      {pos?.status === "Connected" && (
        <Notice kind="good">
          <p>
            <strong>{pos.name}</strong> has been connected since {formatDay(pos.updated_date)}. Its records are being
            read.
          </p>
        </Notice>
      )}
      {pos?.status === "Pending" && (
        <Notice kind="note">
          <p>The connection to {pos.name} is being checked.</p>
        </Notice>
      )}
      {pos?.status === "Needs Attention" && (
        <Notice kind="problem">
          <p>
            <strong>{pos.name}</strong> no longer accepts the credentials, or the location no longer exists. Nothing is
            read until you enter new credentials.
          </p>
        </Notice>
      )}
      {pos?.status === "Not Connected" && (
        <Notice kind="note">
          <p>{pos.name} is disconnected. Nothing is read from it.</p>
        </Notice>
      )}
      {usesFiles && (
        <Notice kind="good">
          <p>The service reads the records of your business from files. You do not need to connect a point of sale.</p>
        </Notice>
      )}
      {isSettled && !isChanging && (
        <p class="bar">
          <a class="button primary" href="#documents">
            Continue
          </a>
          {consent && (
            <button type="button" onClick={() => setChanging(true)}>
              {usesFiles ? "Connect a point of sale instead" : "Enter other credentials"}
            </button>
          )}
        </p>
      )}
      {!consent && !isSettled && (
        <p>
          Before you connect it, please <a href="#consent">read the terms and give consent</a>.
        </p>
      )}
      {consent && (!isSettled || isChanging) && <PosChoice done={() => setChanging(false)} />}
    </>
  );
}

/** The form, once the credentials schemas are loaded. */
function PosChoice({ done }: { done(): void }) {
  const { call } = useSession();
  const [schema, setSchema] = useState<PosCredentialsSchema>();
  const { isBusy, problem, run } = useAction();
  const read = () =>
    run(async () => setSchema(await call<PosCredentialsSchema>("GET", "onboarding/pos-credentials-schema")));
  useEffect(() => {
    void read();
  }, []);

  if (schema) return <PosForm schema={schema} done={done} />;
  if (!problem) return <p>One moment, please …</p>;
  return (
    <Notice kind="problem">
      <p>{problem}</p>
      <ActionButton type="button" kind="secondary" isBusy={isBusy} busyLabel="Trying …" onClick={read}>
        Try again
      </ActionButton>
    </Notice>
  );
}
