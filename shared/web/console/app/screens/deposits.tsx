import { useState } from "preact/hooks";
import { formatShortDay } from "../../../browser/formatDay.ts";
import { Field, Problem } from "../../../browser/parts.tsx";
import { Steps } from "../../../browser/steps.tsx";
import { parseCents } from "../deposits/amount.ts";
import { type CsvFile, readCsv } from "../deposits/readCsv.ts";
import type { Place } from "../findScreen.ts";
import { addDays, counted } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessChoice } from "../parts/businessFrame.tsx";
import { DepositsUpload } from "../parts/depositsUpload.tsx";
import { Form } from "../parts/form.tsx";
import { ApiLink, Empty, Head, Loaded, Section } from "../parts/layout.tsx";
import { RemoveButton } from "../parts/removeButton.tsx";
import { type Column, day, number, StackTable } from "../parts/table.tsx";
import { useRead, useSession } from "../session.tsx";

type CashCount = Output<"listCashCounts">["data"][number];

/** Bytes of a file at most. */
const maxBytes = 20_000_000;

/** A file that was read in the browser. */
interface ReadFile extends CsvFile {
  name: string;
  /** Distinguishes files of the same name. */
  key: number;
}

/** Deposits and cash counts of a business; viewers only read them. */
export function Deposits({ query }: Place) {
  const { person } = useSession();
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  if (person.role !== "viewer") return <Upload crbId={crbId} setCrbId={setCrbId} />;
  return (
    <>
      <Head title="Deposits" />
      <Empty title="Reviewers and administrators upload deposits">
        Your role reads the stored deposits day by day: open a business in the <a href="#/">portfolio</a>.
      </Empty>
      <Section title="Cash counts" operation="listCashCounts">
        <BusinessChoice value={crbId} changed={setCrbId} />
        {crbId && <CashCounts key={crbId} crbId={crbId} />}
      </Section>
    </>
  );
}

interface UploadProps {
  crbId: string;
  setCrbId(crbId: string): void;
}

/** A file of the core banking system is mapped, checked and sent. */
function Upload({ crbId, setCrbId }: UploadProps) {
  const { announce } = useSession();
  const [file, setFile] = useState<ReadFile>();
  const [problem, setProblem] = useState("");
  const [isSent, setSent] = useState(false);

  const choose = async (given: File | undefined) => {
    if (!given) return;
    setFile(undefined);
    setSent(false);
    announce("");
    if (given.size > maxBytes) return setProblem("The file has more than 20 MB. Choose a file of fewer days.");
    const read = await given.text().then(readCsv, () => ({ problem: "The browser cannot read the file." }));
    if ("problem" in read) return setProblem(read.problem);
    setProblem("");
    setFile({ ...read, name: given.name, key: Date.now() });
  };
  const done = isSent ? 3 : file ? 1 : 0;
  return (
    <>
      <Head
        title="Upload deposits"
        lead={
          file
            ? `${file.name} · ${counted(file.rows.length, "row")} · read in this browser${isSent ? "" : ", nothing sent yet"}`
            : "The postings of your core banking system, for the comparison with the cash that was sold."
        }
      />
      <Steps
        steps={["Choose a file", "Match and check", "Send"].map((title, index) => ({
          ...{ title, isDone: index < done, isPresent: index === done },
        }))}
      />
      <div class="split">
        <section class="panel pad" aria-label="Business and file">
          <BusinessChoice
            value={crbId}
            none="Several, named in a column"
            changed={(id) => {
              setCrbId(id);
              setSent(false);
            }}
          />
          <div class="field">
            <label for="file">CSV file with the postings{crbId && " of this business"}</label>
            <input
              id="file"
              type="file"
              accept=".csv,.txt,text/csv"
              aria-invalid={problem ? true : undefined}
              aria-describedby="file-problem file-hint"
              onChange={({ currentTarget }) => {
                void choose(currentTarget.files?.[0]);
                // A browser reports no change if the input has the same file, whose content may be another one now.
                currentTarget.value = "";
              }}
            />
            <Problem id="file-problem">{problem}</Problem>
            <p class="hint" id="file-hint">
              The first row names the columns. Nothing leaves this browser before “Send”, and account numbers never do.
            </p>
          </div>
        </section>
        <section class="panel pad" aria-labelledby="count">
          <h2 id="count">
            Cash count <ApiLink operation="setCashCount" />
          </h2>
          {crbId ? <CashCounts key={crbId} crbId={crbId} /> : <p class="hint">Choose the business first.</p>}
        </section>
      </div>
      {file && <DepositsUpload key={`${crbId} ${file.key}`} crbId={crbId} file={file} sent={() => setSent(true)} />}
    </>
  );
}

/** The form of a cash count, from which the balance of later days starts, and the stored counts. Viewers only see these. */
function CashCounts({ crbId }: { crbId: string }) {
  const { client, announce, person } = useSession();
  const isReader = person.role === "viewer";
  const counts = useRead("listCashCounts", { path: { crb_id: crbId }, query: { limit: 1_000 } });
  const columns: Column<CashCount>[] = [
    day("Day", ({ date }) => date),
    number("US dollars", ({ amount }) => amount, "cents"),
  ];
  const removal: Column<CashCount> = {
    label: "Remove",
    shown: ({ date }) => (
      <RemoveButton
        subject={`the count of ${formatShortDay(date)}`}
        remove={() => client("deleteCashCount", { path: { crb_id: crbId, date } })}
        removed={counts.reload}
      >
        <p>The balance of later days starts from the count before it. You can store it again.</p>
      </RemoveButton>
    ),
  };
  async function store({ date = "", amount = "" }: Record<string, string>) {
    // The service rejects an amount that is no number.
    const body = { amount: parseCents(amount) ?? Number.NaN };
    await client("setCashCount", { path: { crb_id: crbId, date }, body });
    announce(`The count of ${formatShortDay(date)} is stored.`);
    counts.reload();
  }
  return (
    <>
      <p class="hint">
        The cash at the business at the end of a day, together with cash that has left and counts as a deposit on a
        later day.
      </p>
      {!isReader && (
        <Form
          draft={`count:${crbId}`}
          buttons={["Store the count"]}
          busyLabel="Storing …"
          kind="secondary"
          send={store}
        >
          <Field
            name="date"
            label="Day"
            type="date"
            required
            min="2000-01-01"
            max={addDays(new Date().toISOString().slice(0, 10), 1)}
          />
          <Field
            name="amount"
            label="US dollars"
            required
            pattern="\$?(\d{1,8}|\d{1,3},\d{3}|\d{1,2}(,\d{3}){2})(\.\d{1,2})?"
            title="An amount such as 1,234.56, below 100 million."
          />
        </Form>
      )}
      <Loaded of={counts} name="The stored counts">
        {({ data, has_more }) =>
          data.length === 0 ? (
            <p class="hint">No count is stored: the balance needs one.</p>
          ) : (
            <StackTable
              caption={`The ${has_more ? "newest 1,000 " : ""}stored counts, the newest first.`}
              columns={isReader ? columns : [...columns, removal]}
              rows={data}
              firstRows={10}
            />
          )
        }
      </Loaded>
    </>
  );
}
