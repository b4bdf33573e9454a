import { statementFormats } from "../../../../api/enumerations.ts";
import { Choice } from "../../../browser/parts.tsx";
import { readStored, saveFile } from "../files.ts";
import type { Place } from "../findScreen.ts";
import { periodOf } from "../format.ts";
import type { Input, Output } from "../operations.ts";
import { BusinessChoice, businessIn } from "../parts/businessFrame.tsx";
import { ActButton, Permitted } from "../parts/form.tsx";
import { JobForm, OnDemand, sizeOf, useJobs } from "../parts/jobs.tsx";
import { ApiLink, Head, Loaded, Reading } from "../parts/layout.tsx";
import { type Column, DataTable, state, text, time } from "../parts/table.tsx";
import { useBusinessNames, useCreation, useSession } from "../session.tsx";
import { formatName, jobFailure, jobState, nameOfPerson } from "../texts.ts";

type Statement = Output<"listStatements">["data"][number];
type Wanted = NonNullable<Input<"createStatement">["body"]>;

/** Statements of days for an examiner: choose what to make, and take the files. */
export function Statements({ query }: Place) {
  const [crbId, choose] = businessIn(query);
  return (
    <>
      <Head
        title="Statements"
        lead="What the point of sale reported and the bank entered about some days, with the days that are not complete named on page one. A statement never changes."
      />
      <div class="panel pad">
        <BusinessChoice value={crbId} changed={choose} />
      </div>
      {crbId && <OfBusiness key={crbId} crbId={crbId} />}
    </>
  );
}

function OfBusiness({ crbId }: { crbId: string }) {
  const { person } = useSession();
  const input = { path: { crb_id: crbId }, query: { limit: 100 } };
  const list = useJobs("listStatements", input, "A statement is finished.");
  const create = useCreation();

  async function make(body: Wanted) {
    await create("createStatement", { path: { crb_id: crbId }, body });
    list.reload();
  }
  const differences: Column<Statement> = {
    label: "Differences",
    shown: ({ id, status, start_date, end_date, format }) =>
      status === "ready" && (
        <ActButton act={() => make({ start_date, end_date, format, compare_with: id })}>
          Make again with the differences
        </ActButton>
      ),
  };
  return (
    <>
      <Permitted task="make statements">
        <JobForm
          name="statement"
          draft={`statement:${crbId}`}
          operation="createStatement"
          hint="At most 400 days, in the time zone of the business. It takes up to some minutes; you can leave this page."
          make={(fields) => make(fields as unknown as Wanted)}
        >
          <Choice
            name="format"
            label="Files"
            options={statementFormats
              .toSorted((one) => (one === "html" ? -1 : 1))
              .map((each) => [each, formatName(each)])}
          />
        </JobForm>
      </Permitted>
      <Loaded
        of={list}
        name="The statements"
        empty={["No statement yet", "A statement of this business appears here as soon as a reviewer makes one."]}
      >
        {({ data, has_more }) => (
          <DataTable
            title="Statements"
            caption={`Newest first. A statement never changes; a later correction shows in a new one.${has_more ? ` The newest ${data.length}.` : ""}`}
            columns={person.role === "viewer" ? columns : [...columns, differences]}
            rows={data}
            kindOf={({ status }) => (status === "failed" ? "act" : undefined)}
            operation="listStatements"
            isWrapped
          />
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column<Statement>[] = [
  text("Days", ({ start_date, end_date }) => periodOf(start_date, end_date)),
  time("Requested", ({ created_date }) => created_date, {
    under: ({ created_by_person: person }) => `by ${person ? nameOfPerson(person) : "a program"}`,
  }),
  text("Files", ({ format }) => formatName(format)),
  state("State", ({ status }) => jobState(status), {
    under: ({ error, compare_with }) =>
      error ? jobFailure(error) : compare_with && "with the differences from an earlier one",
  }),
  {
    label: "Statement",
    kind: "sentence",
    shown: (statement) =>
      statement.status === "ready" ? (
        <OnDemand words="Show the files">
          <Files statement={statement} />
        </OnDemand>
      ) : (
        <span class="faint">not ready</span>
      ),
  },
];

/** The files of a statement. They are saved under the name of the business and the days. */
function Files({ statement: { crb_id, id, start_date, end_date } }: { statement: Statement }) {
  const { client } = useSession();
  const name = useBusinessNames()(crb_id);
  const input = { path: { crb_id, statement_id: id } };
  // The shown links can have ended.
  const save = async (file: string) => {
    const { files } = await client("getStatement", input);
    const link = files.find((each) => each.name === file)?.download_link ?? "";
    saveFile(`${name} ${start_date} to ${end_date} ${file}`, await readStored(link));
  };
  return (
    <Reading of="getStatement" input={input} name="The files">
      {({ files }) => (
        <>
          {files.map(
            ({ name: file, bytes, download_link: link }) =>
              link && (
                <span key={file} class="under">
                  <a href={link} target="_blank" rel="noreferrer">
                    {file}
                  </a>{" "}
                  {sizeOf(bytes)}{" "}
                  <ActButton act={() => save(file)}>
                    Save<span class="unseen"> {file}</span>
                  </ActButton>
                </span>
              ),
          )}
          <span class="under">
            Links are valid for an hour. <ApiLink operation="getStatement" />
          </span>
        </>
      )}
    </Reading>
  );
}
