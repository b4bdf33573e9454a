import { useEffect, useState } from "preact/hooks";
import { formatDay } from "../../../browser/formatDay.ts";
import { ActionButton, Notice, Problem } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { formatTime } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { ApiLink } from "../parts/apiLink.tsx";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { DaysFields } from "../parts/daysFields.tsx";
import { Empty } from "../parts/empty.tsx";
import { Head } from "../parts/head.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { State } from "../parts/mark.tsx";
import { lastMonth, problemOfDays } from "../period.ts";
import { useSession } from "../session.tsx";
import { accessReportFailures, accessReportState } from "../texts.ts";
import { useBusinessNames } from "../useBusinessNames.ts";
import { useRead } from "../useRead.ts";

type Report = Output<"listAccessReports">["data"][number];

const lead = "Which persons and programs of your institution read whose data, and when.";

/** Reports of who read the data: an administrator's, because they show the conduct of staff. */
export function AccessReports() {
  const { person } = useSession();
  return (
    <>
      <Head title="Access reports" lead={lead} />
      {person.role === "administrator" ? (
        <Reports />
      ) : (
        <Empty title="Administrators make these reports">
          <p>
            They show which person read what, so your role does not include them. A statement of a business also counts
            who read its data. Roles come from your bank’s own accounts.
          </p>
        </Empty>
      )}
    </>
  );
}

/** Milliseconds between two readings of reports that are being made. */
const pollMs = 3_000;

function Reports() {
  const list = useRead("listAccessReports", { query: { limit: 100 } });
  const names = useBusinessNames();
  const isUnfinished = list.data?.data.some(({ status }) => status === "queued");
  useEffect(() => {
    if (!isUnfinished) return undefined;
    const timer = setInterval(list.reload, pollMs);
    return () => clearInterval(timer);
  }, [isUnfinished, list.reload]);
  return (
    <>
      <Form made={list.reload} />
      <Loaded of={list} name="The reports">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No report yet">
              <p>A report appears here as soon as an administrator requests one.</p>
            </Empty>
          ) : (
            <DataTable
              title="Reports"
              caption="Newest first. Files are removed after some days. They have one line of JSON for each request."
              columns={columnsOf(names)}
              rows={data}
              keyOf={({ id }) => id}
              kindOf={({ status }) => (status === "failed" ? "act" : undefined)}
              operation="listAccessReports"
              file="access-reports"
            />
          )
        }
      </Loaded>
    </>
  );
}

function Form({ made }: { made(): void }) {
  const { client, explain, announce } = useSession();
  const [crbId, setCrbId] = useState("");
  const [days, setDays] = useState(lastMonth(new Date()));
  const [wrong, setWrong] = useState<string>();
  const { isBusy, problem, run } = useAction(explain);
  function make(event: Event) {
    event.preventDefault();
    const found = problemOfDays(days.start_date, days.end_date);
    setWrong(found);
    if (found) return;
    const after = new Date(`${days.end_date}T00:00:00.000Z`);
    after.setUTCDate(after.getUTCDate() + 1);
    const body = {
      ...(crbId && { crb_id: crbId }),
      from: `${days.start_date}T00:00:00.000Z`,
      to: new Date(Math.min(after.getTime(), Date.now())).toISOString(),
    };
    void run(async () => {
      await client("createAccessReport", { body });
      announce("The report is being made.");
      made();
    });
  }
  return (
    <section aria-labelledby="make">
      <div class="section-head">
        <h2 id="make">
          Make a report <ApiLink operation="createAccessReport" />
        </h2>
      </div>
      <form class="panel pad" noValidate onSubmit={make}>
        <div class="bar">
          <BusinessChoice value={crbId} changed={setCrbId} none="All businesses" />
          <DaysFields days={days} changed={setDays} isWrong={wrong !== undefined} />
          <ActionButton isBusy={isBusy} busyLabel="Requesting …">
            Make the report
          </ActionButton>
        </div>
        <Problem id="days-problem">{wrong}</Problem>
        <p class="hint">
          At most 400 days, in UTC. Operators of the service and users of the businesses are not in it.
        </p>
        {problem && <Notice kind="problem">{problem}</Notice>}
      </form>
    </section>
  );
}

const columnsOf = (nameOf: (crbId: string) => string): readonly Column<Report>[] => [
  {
    label: "Days",
    cell: ({ from, to }) => `${formatDay(from.slice(0, 10), "medium")} to ${formatTime(Date.parse(to))}`,
    csv: ({ from, to }) => `${from} to ${to}`,
  },
  {
    label: "Business",
    cell: ({ crb_id }) => (crb_id ? nameOf(crb_id) : "All"),
    csv: ({ crb_id }) => crb_id,
  },
  {
    label: "State",
    cell: ({ status, error }) => (
      <>
        <State of={accessReportState(status)} />
        {error && <span class="under">{accessReportFailures[error]}</span>}
      </>
    ),
    csv: ({ status }) => status,
  },
  {
    label: "Requests",
    isNumber: true,
    cell: ({ requests, unreadable }) => (
      <>
        {requests?.toLocaleString() ?? ""}
        {unreadable ? <span class="under">some are missing</span> : ""}
      </>
    ),
    csv: ({ requests }) => requests,
  },
  {
    label: "File",
    isWhole: true,
    cell: ({ id, status }) => (status === "ready" ? <File id={id} /> : ""),
    csv: ({ id }) => id,
  },
];

/** The link to the file of a report. It is signed when it is wanted, because it is valid for ten minutes. */
function File({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Link id={id} />;
  return (
    <button type="button" class="link" onClick={() => setOpen(true)}>
      Show the file
    </button>
  );
}

function Link({ id }: { id: string }) {
  const report = useRead("getAccessReport", { path: { report_id: id } });
  return (
    <Loaded of={report} name="The file">
      {({ file }) => (
        <>
          {file?.download_link && (
            <a href={file.download_link} target="_blank" rel="noreferrer">
              Download ({Math.ceil(file.bytes / 1_000).toLocaleString()} KB)
            </a>
          )}
          <span class="under">
            The link is valid for ten minutes. <ApiLink operation="getAccessReport" />
          </span>
        </>
      )}
    </Loaded>
  );
}
