import type { Ref } from "preact";
import { Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { formatTime } from "../formatTime.ts";
import { saveDocument, showDocument, shownType } from "../openFile.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { Decision } from "./decisionForm.tsx";
import { ApiLink, Pairs } from "./layout.tsx";

type Item = Output<"listDocumentsToReview">["data"][number];

interface ArticleProps {
  item: Item;
  heading: Ref<HTMLHeadingElement>;
  hasNext: boolean;
  reviewed(opensNext: boolean): void;
  reload(): void;
}

/** A document that waits: the requirement, its file, and the decision. */
export function DocumentArticle({ item, heading, hasNext, reviewed, reload }: ArticleProps) {
  const { client } = useSession();
  const { crb_id, crb_name, requirement_id, requirement_name, required, document } = item;
  const { file_name, friendly_name } = document;
  return (
    <article class="panel open" aria-labelledby="document">
      <header>
        <div class="section-head">
          <h2 id="document" ref={heading} tabIndex={-1}>
            {requirement_name}
          </h2>
          <p>
            <a href={`#/businesses/${crb_id}`}>{crb_name}</a> <ApiLink operation="listDocumentsToReview" />
          </p>
        </div>
        <p>{required ? "The business must send this document." : "The business can send this document."}</p>
      </header>
      <div class="pad">
        <Pairs
          of={[
            ["File", [file_name, " ", <ApiLink key="file" operation="getCrbDocumentDownload" />]],
            ["Name on the sender’s device", friendly_name === file_name ? "" : friendly_name],
            ["Added", formatTime(document.upload_date)],
            ["License number", document.license_number],
            ["Expires", document.expiration_date],
          ]}
        />
        <FileButtons item={item} />
      </div>
      <Decision
        task="review documents"
        draft={`document:${document.id}`}
        options={[
          { value: "approved", title: "Accept", hint: "The requirement is met." },
          {
            value: "archived",
            title: "Not accepted",
            hint: "The business sees your note and can send a new file.",
          },
        ]}
        noteLabel="Note to the business"
        noteHint={
          <>
            1 to 500 characters. <strong>The business reads it</strong>: name the missing part, such as “Page 2 with the
            signature”.
          </>
        }
        hasNote={(choice) => choice === "archived"}
        hasNext={hasNext}
        after="The business sees the result."
        save={async ({ choice, note }, opensNext) => {
          const path = { crb_id, requirement_id, document_id: document.id };
          const body = { status: choice, ...(choice === "archived" && { review_note: note }) };
          await client("updateRequirementDocumentStatus", { path, body });
          reviewed(opensNext);
        }}
        reload={reload}
      />
    </article>
  );
}

function FileButtons({ item: { crb_id, document } }: { item: Item }) {
  const { client, explain } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const file = { crb_id, doc_id: document.id };
  const type = shownType(document.file_name ?? "");
  const save = () => saveDocument(client, file);
  const button = (words: string, work: () => Promise<void>) => (
    <button type="button" aria-disabled={isBusy || undefined} onClick={() => run(work)}>
      {words}
    </button>
  );
  return (
    <>
      <div class="bar">
        {type &&
          button("Open in a new tab", async () => {
            if (!(await showDocument(client, file, type))) await save();
          })}
        {button("Download", save)}
      </div>
      {problem && <Notice kind="problem">{problem}</Notice>}
    </>
  );
}
