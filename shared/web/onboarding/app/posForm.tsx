import { useState } from "preact/hooks";
import type { PosCredentialsSchema } from "../../../api/schemas/posCredentialsSchema.ts";
import { Choice, Notice } from "../../browser/parts.tsx";
import { CredentialsForm } from "./credentialsForm.tsx";
import { useSession } from "./session.tsx";

const notListed = "not listed";

/** The form in which the visitor chooses the POS type and then enters its credentials. */
export function PosForm({ schema, done }: { schema: PosCredentialsSchema; done(): void }) {
  const { onboarding, support } = useSession();
  const entries = Object.values(schema);
  const present = entries.find(({ pos_type }) => pos_type === onboarding.pos?.name)?.pos_type;
  const [chosen, setChosen] = useState<string>(present ?? "");
  const entry = entries.find(({ pos_type }) => pos_type === chosen);
  return (
    <>
      <Choice
        id="pos-type"
        label={`Which point-of-sale system does ${onboarding.business.name} use?`}
        value={chosen}
        options={[["", "Please choose"], ...entries.map(({ pos_type }) => pos_type), [notListed, "Another system"]]}
        changed={setChosen}
      />
      {chosen === notListed && (
        <Notice kind="note">
          <p>
            Other systems cannot be connected yet, but the service can read records from files. Please write to{" "}
            <strong>{support}</strong>, and name {onboarding.business.name} and your system. The answer says which files
            are needed. Meanwhile, please continue with the documents.
          </p>
          <p class="bar">
            <a class="button primary" href="#documents">
              Continue with the documents
            </a>
          </p>
        </Notice>
      )}
      {entry && <CredentialsForm key={entry.pos_type} entry={entry} done={done} />}
    </>
  );
}
