import { useRef, useState } from "preact/hooks";
import { statementFormats } from "../../../../api/enumerations.ts";
import { formatDay } from "../../../browser/formatDay.ts";
import { Choice } from "../../../browser/parts.tsx";
import { useDraft } from "../drafts.ts";
import type { Place } from "../findScreen.ts";
import { formatTime } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { DaysForm, FileLink, OnDemand, sizeOf, usePolling, Validity } from "../parts/jobs.tsx";
import { Head, Loaded } from "../parts/layout.tsx";
import { State } from "../parts/mark.tsx";
import { lastMonth } from "../period.ts";
import { useSession } from "../session.tsx";
import { formatNames, nameOfPerson, statementFailures, statementState } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Statement = Output<"listStatements">["data"][number];

const madeAt = ({ created_date }: Statement) => formatTime(created_date);

/** Statements of days for an examiner: choose what to make, and take the files. */
export function Statements({ query }: Place) {
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  return (
    <>
      <Head
        title="Statements"
        lead="What the point of sale reported and the bank entered about some days, with the days that are not complete named on page one. A statement never changes."
      />
      <div class="panel pad">
        <BusinessChoice value={crbId} changed={setCrbId} />
      </div>
      {crbId && <OfBusiness key={crbId} crbId={crbId} />}
    </>
  );
}

function OfBusiness({ crbId }: { crbId: string }) {
  const { person } = useSession();
  const list = useRead("listStatements", { path: { crb_id: crbId }, query: { limit: 100 } });
  const unfinished = list.data?.data.filter(({ status }) => status === "queued" || status === "running");
  usePolling(unfinished?.length ?? 0, list.reload, "A statement is finished.");
  return (
    <>
      {person.role !== "viewer" && <Form crbId={crbId} statements={list.data?.data ?? []} made={list.reload} />}
      <Loaded
        of={list}
        name="The statements"
        empty={["No statement yet", "A statement of this business appears here as soon as a reviewer makes one."]}
      >
        {({ data, has_more }) => (
          <DataTable
            title="Statements"
            caption={`Newest first. A statement never changes; a later correction shows in a new one.${has_more ? ` The newest ${data.length}.` : ""}`}
            columns={columnsOf(crbId)}
            rows={data}
            keyOf={({ id }) => id}
            kindOf={({ status }) => (status === "failed" ? "act" : undefined)}
            operation="listStatements"
            file="statements"
          />
        )}
      </Loaded>
    </>
  );
}

interface FormProps {
  crbId: string;
  statements: readonly Statement[];
  made(): void;
}

function Form({ crbId, statements, made }: FormProps) {
  const { client } = useSession();
  const [{ format, ...days }, setDraft, clear] = useDraft(`statement:${crbId}`, {
    ...lastMonth(new Date()),
    format: "html" as Statement["format"],
  });
  const [compared, compare] = useState("");
  const comparable = statements.filter(
    (each) => each.status === "ready" && each.start_date === days.start_date && each.end_date === days.end_date,
  );
  const compare_with = comparable.find(({ id }) => id === compared)?.id;
  /** The key of the request, which stays the same until it succeeds or its content changes. */
  const sent = useRef({ content: "", key: "" });

  async function make() {
    const body = { ...days, format, ...(compare_with && { compare_with }) };
    const content = JSON.stringify(body);
    if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
    await client("createStatement", { path: { crb_id: crbId }, body, idempotencyKey: sent.current.key });
    sent.current = { content: "", key: "" };
    clear();
    made();
  }
  const after = (
    <>
      <Choice
        id="format"
        label="Files"
        value={format}
        options={statementFormats.map((each) => [each, formatNames[each]])}
        changed={(chosen) => setDraft({ ...days, format: chosen as Statement["format"] })}
      />
      {comparable.length > 0 && (
        <Choice
          id="compare"
          label="List the differences from"
          value={compare_with ?? ""}
          options={[["", "no other"], ...comparable.map((each) => [each.id, madeAt(each)] as const)]}
          changed={compare}
        />
      )}
    </>
  );
  return (
    <DaysForm
      name="statement"
      operation="createStatement"
      days={days}
      changed={(next) => setDraft({ ...next, format })}
      after={after}
      hint="At most 400 days, in the time zone of the business. It takes up to some minutes; you can leave this page."
      make={make}
    />
  );
}

const columnsOf = (crbId: string): readonly Column<Statement>[] => [
  {
    label: "Days",
    value: ({ start_date, end_date }) => `${start_date} to ${end_date}`,
    shown: ({ start_date, end_date }) => `${formatDay(start_date, "medium")} to ${formatDay(end_date, "medium")}`,
  },
  {
    label: "Requested",
    value: ({ created_date }) => created_date,
    shown: madeAt,
    under: ({ created_by_person: person }) => `by ${person ? nameOfPerson(person) : "a program"}`,
  },
  { label: "Files", value: ({ format }) => format, shown: ({ format }) => formatNames[format] },
  {
    label: "State",
    value: ({ status }) => status,
    shown: ({ status }) => <State of={statementState(status)} />,
    under: ({ error, compare_with }) =>
      error ? statementFailures[error] : compare_with && "with the differences from an earlier one",
  },
  {
    label: "Statement",
    kind: "sentence",
    value: ({ id }) => id,
    shown: ({ id, status }) =>
      status === "ready" ? (
        <OnDemand words="Show the files">
          <Files crbId={crbId} id={id} />
        </OnDemand>
      ) : (
        <span class="faint">not ready</span>
      ),
  },
];

function Files({ crbId, id }: { crbId: string; id: string }) {
  const statement = useRead("getStatement", { path: { crb_id: crbId, statement_id: id } });
  return (
    <Loaded of={statement} name="The files">
      {({ files }) => (
        <>
          {files.map(({ name, bytes, download_link }) => (
            <span key={name} class="under">
              <FileLink link={download_link}>{name}</FileLink> {sizeOf(bytes)}
            </span>
          ))}
          <Validity operation="getStatement">Links are valid for an hour.</Validity>
        </>
      )}
    </Loaded>
  );
}
