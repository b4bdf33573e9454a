import { useState } from "preact/hooks";
import { Notice } from "../../../browser/parts.tsx";
import { linesIn, readStored, saveFile } from "../files.ts";
import { addDays, counted, formatTime } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessChoice } from "../parts/businessFrame.tsx";
import { JobForm, sizeOf, useJobs } from "../parts/jobs.tsx";
import { Empty, Head, Loaded } from "../parts/layout.tsx";
import { type Column, DataTable, number, state, text, time } from "../parts/table.tsx";
import { useBusinessNames, useLoad, useSession } from "../session.tsx";
import { useDraft } from "../storage.ts";
import { jobFailure, jobState, kindName } from "../texts.ts";

type Report = Output<"listAccessReports">["data"][number];

/** A line of a report's file: a permitted request. */
interface Access {
  time: string;
  operation_id: string;
  /** Who made the request: `name` is null if none is known. */
  principal: { id: string; name: string | null };
  crb_id: string | null;
  crb_ids: string[] | null;
  record_id: string | null;
  kinds: string[] | null;
  records: number | null;
}

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
  const list = useJobs("listAccessReports", { query: { limit: 300 } }, "A report is finished.");
  const [crbId, setCrbId] = useDraft("report-of", "");
  const [opened, open] = useState<Report>();
  const nameOf = useBusinessNames();

  async function make({ crb_id, start_date = "", end_date = "" }: Record<string, string>) {
    const end = `${addDays(end_date, 1)}T00:00:00.000Z`;
    const now = new Date().toISOString();
    const body = { ...(crb_id && { crb_id }), from: `${start_date}T00:00:00.000Z`, to: end < now ? end : now };
    // A lost response does not mean that no report was requested: the list shows it.
    await client("createAccessReport", { body }).finally(list.reload);
  }
  const columns: readonly Column<Report>[] = [
    text("Days", ({ from, to }) => `${formatTime(from)} to ${formatTime(to)}`),
    text("Business", ({ crb_id }) => (crb_id ? nameOf(crb_id) : "All")),
    state("State", ({ status }) => jobState(status), { under: ({ error }) => error && jobFailure(error) }),
    number("Requests", ({ requests }) => requests, "number", {
      under: ({ unreadable }) => (unreadable ? "some are missing" : ""),
    }),
    {
      label: "Report",
      shown: (report) =>
        report.status === "ready" && (
          <button type="button" class="link" onClick={() => open(report)}>
            Show the report
          </button>
        ),
    },
  ];
  return (
    <>
      <JobForm
        name="report"
        draft="report"
        operation="createAccessReport"
        hint="At most 400 days, in UTC. Operators of the service are not in it."
        make={make}
      >
        <BusinessChoice value={crbId} changed={setCrbId} none="All businesses" />
      </JobForm>
      <Loaded
        of={list}
        name="The reports"
        empty={["No report yet", "A report appears here as soon as an administrator requests one."]}
      >
        {({ data, has_more }) => (
          <DataTable
            title="Reports"
            caption={`Newest first. Files are removed after some days.${has_more ? ` The newest ${data.length}.` : ""}`}
            columns={columns}
            rows={data}
            kindOf={({ status }) => (status === "failed" ? "act" : undefined)}
            operation="listAccessReports"
          />
        )}
      </Loaded>
      {opened && <OpenReport key={opened.id} report={opened} />}
    </>
  );
}

/** The requests of a report. */
function OpenReport({ report }: { report: Report }) {
  const { client, api } = useSession();
  const nameOf = useBusinessNames();
  const read = useLoad(report.id, async () => {
    const [{ file, unreadable }, description] = await Promise.all([
      client("getAccessReport", { path: { report_id: report.id } }),
      readStored(`${api}openapi.json`),
    ]);
    const content = await readStored(file?.download_link ?? "");
    const lines = await linesIn<Access>(content);
    return { content, unreadable, lines: lines.toReversed(), words: summariesIn(description) };
  });
  return (
    <Loaded of={read} name="The report">
      {({ content, unreadable, lines, words }) => {
        const columns: readonly Column<Access>[] = [
          time("Time", (row) => row.time),
          text("Person or key", ({ principal }) => principal.name ?? principal.id),
          text("What", ({ operation_id: id }) => words.get(id) ?? id),
          text("Business", ({ crb_id, crb_ids }) => (crb_id ? [crb_id] : (crb_ids ?? [])).map(nameOf).join(", ")),
          text("Records read", wordsOf),
        ];
        const days = report.from.slice(0, 10);
        return (
          <>
            {unreadable ? (
              <Notice kind="note">Parts of the log could not be read, so requests may be missing here.</Notice>
            ) : null}
            <DataTable
              title={`Who read ${report.crb_id ? `the data of ${nameOf(report.crb_id)}` : "the data"}`}
              caption={`${unreadable ? "At least " : ""}${counted(lines.length, "request")}, newest first. A person or key without a known name has its id. The file has one line of JSON for each request.`}
              filters={
                <button type="button" onClick={() => saveFile(`access-${days}.ndjson.gz`, content)}>
                  Download the file {sizeOf(content.byteLength)}
                </button>
              }
              columns={columns}
              rows={lines}
              operation="getAccessReport"
              file={`access-${days}`}
              firstRows={200}
              isWrapped
            />
          </>
        );
      }}
    </Loaded>
  );
}

/** What a request read. */
function wordsOf({ records, kinds, record_id }: Access): string {
  const of = kinds?.length ? ` of ${kinds.map((kind) => kindName(kind).toLowerCase()).join(", ")}` : "";
  const read = records === null ? kinds?.map(kindName).join(", ") : `${counted(records, "record")}${of}`;
  return [read, record_id && `record ${record_id}`].filter(Boolean).join("; ");
}

/** What operations do, in words of the API's own description. */
function summariesIn(description: ArrayBuffer): Map<string, string> {
  const { paths } = JSON.parse(new TextDecoder().decode(description)) as {
    paths: Record<string, Record<string, { operationId?: string; summary?: string }>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.map(({ operationId = "", summary = "" }) => [
      operationId,
      summary.replaceAll("CRBs", "businesses").replaceAll("CRB", "business").replaceAll("POS", "point of sale"),
    ]),
  );
}
