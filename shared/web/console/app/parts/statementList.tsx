import { useState } from "preact/hooks";
import { formatDay } from "../../../browser/formatDay.ts";
import { formatTime } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { formatNames, statementFailures, statementState } from "../texts.ts";
import { type Read, useRead } from "../useRead.ts";
import { ApiLink } from "./apiLink.tsx";
import { type Column, DataTable } from "./dataTable.tsx";
import { Empty } from "./empty.tsx";
import { Loaded } from "./loaded.tsx";
import { State } from "./mark.tsx";

type Statement = Output<"listStatements">["data"][number];

interface ListProps {
  list: Read<Output<"listStatements">>;
  crbId: string;
}

/** The statements of a business, newest first, with the files of those that are ready. */
export function StatementList({ list, crbId }: ListProps) {
  return (
    <Loaded of={list} name="The statements">
      {({ data, has_more }) =>
        data.length === 0 ? (
          <Empty title="No statement yet">
            <p>A statement of this business appears here as soon as a reviewer makes one.</p>
          </Empty>
        ) : (
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
        )
      }
    </Loaded>
  );
}

const columnsOf = (crbId: string): readonly Column<Statement>[] => [
  {
    label: "Days",
    cell: ({ start_date, end_date }) => `${formatDay(start_date, "medium")} to ${formatDay(end_date, "medium")}`,
    csv: ({ start_date, end_date }) => `${start_date} to ${end_date}`,
  },
  {
    label: "Requested",
    cell: ({ created_date, created_by_person }) => (
      <>
        {formatTime(Date.parse(created_date))}
        <span class="under">
          by {created_by_person ? (created_by_person.name ?? created_by_person.sub) : "a program"}
        </span>
      </>
    ),
    csv: ({ created_date }) => created_date,
  },
  { label: "Files", cell: ({ format }) => formatNames[format], csv: ({ format }) => format },
  {
    label: "State",
    cell: ({ status, error }) => (
      <>
        <State of={statementState(status)} />
        {error && <span class="under">{statementFailures[error]}</span>}
      </>
    ),
    csv: ({ status }) => status,
  },
  {
    label: "Statement",
    isWhole: true,
    cell: ({ id, status }) =>
      status === "ready" ? <Files crbId={crbId} id={id} /> : <span class="faint">not ready</span>,
    csv: ({ id }) => id,
  },
];

/** The links to the files of a statement, which are signed when they are wanted, because they are valid for an hour. */
function Files({ crbId, id }: { crbId: string; id: string }) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <Links crbId={crbId} id={id} />
  ) : (
    <button type="button" class="link" onClick={() => setOpen(true)}>
      Show the files
    </button>
  );
}

function Links({ crbId, id }: { crbId: string; id: string }) {
  const statement = useRead("getStatement", { path: { crb_id: crbId, statement_id: id } });
  return (
    <Loaded of={statement} name="The files">
      {({ files }) => (
        <>
          {files.map(({ name, bytes, download_link }) => (
            <span key={name} class="under">
              {download_link ? (
                <a href={download_link} target="_blank" rel="noreferrer">
                  {name}
                </a>
              ) : (
                name
              )}{" "}
              ({Math.ceil(bytes / 1_000).toLocaleString()} KB)
            </span>
          ))}
          <span class="under">
            Links are valid for an hour. <ApiLink operation="getStatement" />
          </span>
        </>
      )}
    </Loaded>
  );
}
