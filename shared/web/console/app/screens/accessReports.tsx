import { useState } from "preact/hooks";
import { formatDay } from "../../../browser/formatDay.ts";
import { formatTime } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { useBusinessNames } from "../overview.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { DaysForm, FileLink, OnDemand, sizeOf, usePolling, Validity } from "../parts/jobs.tsx";
import { Empty, Head, Loaded } from "../parts/layout.tsx";
import { State } from "../parts/mark.tsx";
import { lastMonth } from "../period.ts";
import { useSession } from "../session.tsx";
import { accessReportFailures, accessReportState } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Report = Output<"listAccessReports">["data"][number];

/** Reports of who read the data: an administrator's, because they show the conduct of staff. */
export function AccessReports() {
  const { person } = useSession();
  return (
    <>
      <Head title="Access reports" lead="Which persons and programs of your institution read whose data, and when." />
      {person.role === "administrator" ? (
        <Reports />
      ) : (
        <Empty title="Administrators make these reports">
          They show which person read what, so your role does not include them. A statement of a business also counts
          who read its data. Roles come from your bank’s own accounts.
        </Empty>
      )}
    </>
  );
}

function Reports() {
  const { client } = useSession();
  const list = useRead("listAccessReports", { query: { limit: 100 } });
  const nameOf = useBusinessNames();
  const [crbId, setCrbId] = useState("");
  const [days, setDays] = useState(lastMonth(new Date()));
  const unfinished = list.data?.data.filter(({ status }) => status === "queued").length ?? 0;
  usePolling(unfinished, list.reload, "A report is finished.");

  async function make() {
    const after = new Date(`${days.end_date}T00:00:00.000Z`);
    after.setUTCDate(after.getUTCDate() + 1);
    const body = {
      ...(crbId && { crb_id: crbId }),
      from: `${days.start_date}T00:00:00.000Z`,
      to: new Date(Math.min(after.getTime(), Date.now())).toISOString(),
    };
    await client("createAccessReport", { body });
    list.reload();
  }
  return (
    <>
      <DaysForm
        name="report"
        operation="createAccessReport"
        days={days}
        changed={setDays}
        before={<BusinessChoice value={crbId} changed={setCrbId} none="All businesses" />}
        hint="At most 400 days, in UTC. Operators of the service and users of the businesses are not in it."
        make={make}
      />
      <Loaded
        of={list}
        name="The reports"
        empty={["No report yet", "A report appears here as soon as an administrator requests one."]}
      >
        {({ data }) => (
          <DataTable
            title="Reports"
            caption="Newest first. Files are removed after some days. They have one line of JSON for each request."
            columns={columnsOf(nameOf)}
            rows={data}
            keyOf={({ id }) => id}
            kindOf={({ status }) => (status === "failed" ? "act" : undefined)}
            operation="listAccessReports"
            file="access-reports"
          />
        )}
      </Loaded>
    </>
  );
}

const columnsOf = (nameOf: (crbId: string) => string): readonly Column<Report>[] => [
  {
    label: "Days",
    value: ({ from, to }) => `${from} to ${to}`,
    shown: ({ from, to }) => `${formatDay(from.slice(0, 10), "medium")} to ${formatTime(to)}`,
  },
  {
    label: "Business",
    value: ({ crb_id }) => crb_id,
    shown: ({ crb_id }) => (crb_id ? nameOf(crb_id) : "All"),
  },
  {
    label: "State",
    value: ({ status }) => status,
    shown: ({ status }) => <State of={accessReportState(status)} />,
    under: ({ error }) => error && accessReportFailures[error],
  },
  {
    label: "Requests",
    kind: "number",
    value: ({ requests }) => requests,
    under: ({ unreadable }) => (unreadable ? "some are missing" : ""),
  },
  {
    label: "File",
    kind: "sentence",
    value: ({ id }) => id,
    shown: ({ id, status }) =>
      status === "ready" && (
        <OnDemand words="Show the file">
          <File id={id} />
        </OnDemand>
      ),
  },
];

function File({ id }: { id: string }) {
  const report = useRead("getAccessReport", { path: { report_id: id } });
  return (
    <Loaded of={report} name="The file">
      {({ file }) => (
        <>
          {file?.download_link && <FileLink link={file.download_link}>Download {sizeOf(file.bytes)}</FileLink>}
          <Validity operation="getAccessReport">The link is valid for ten minutes.</Validity>
        </>
      )}
    </Loaded>
  );
}
