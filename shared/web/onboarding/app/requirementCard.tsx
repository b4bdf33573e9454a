import { useState } from "preact/hooks";
import type { Requirement } from "../../../api/schemas/requirement.ts";
import { DocumentRow } from "./documentRow.tsx";
import { accepted } from "./files.ts";
import { useSession } from "./session.tsx";
import { cardId } from "./steps.ts";
import { unreplaced } from "./turn.ts";
import { UploadRow } from "./uploadRow.tsx";

/** A requirement: its documents, and the area to drop or choose files. */
export function RequirementCard({ requirement }: { requirement: Requirement }) {
  const { uploads } = useSession();
  const [isOver, setOver] = useState(false);
  const { requirement_id: id = "", name, description, required, documents = [] } = requirement;
  const isMet = documents.some(({ status }) => status !== "archived");
  const isRejected = unreplaced(requirement).length > 0;
  const tag = isRejected ? "not accepted" : isMet ? "added" : required ? "required" : "optional";

  const add = (files: FileList | null | undefined) => uploads.add(id, files ?? []);
  return (
    <li
      class={isOver ? "card over" : "card"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer?.files);
      }}
    >
      <h3 id={cardId(id)} tabIndex={-1}>
        {name} <span class={isRejected ? "tag act" : isMet ? "tag good" : "tag"}>{tag}</span>
      </h3>
      {description && <p>{description}</p>}
      {documents.length > 0 && (
        <ul class="list">
          {documents.map((document) => (
            <DocumentRow key={document.id} requirementId={id} document={document} />
          ))}
        </ul>
      )}
      {uploads.list
        .filter(({ requirementId }) => requirementId === id)
        .map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      <label class="chooser">
        <input
          type="file"
          multiple
          accept={accepted}
          aria-describedby={cardId(id)}
          onChange={({ currentTarget }) => {
            add(currentTarget.files);
            // If the input kept its value, the browser would report no change when the visitor chooses the same file
            // again.
            currentTarget.value = "";
          }}
        />
        <span>
          <strong>{isMet ? "Add another file" : "Choose a file"}</strong>
          <span class="drop"> or drop it here</span>
        </span>
      </label>
    </li>
  );
}
