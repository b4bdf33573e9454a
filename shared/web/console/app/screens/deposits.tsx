import { useState } from "preact/hooks";
import { formatDay } from "../../../browser/formatDay.ts";
import { ActionButton, Field, Notice, Problem } from "../../../browser/parts.tsx";
import { Steps } from "../../../browser/steps.tsx";
import { useForm } from "../../../browser/useForm.ts";
import { parseCents } from "../deposits/amount.ts";
import { parseDay } from "../deposits/day.ts";
import { type CsvFile, readCsv } from "../deposits/readCsv.ts";
import { useDraft } from "../drafts.ts";
import type { Place } from "../findScreen.ts";
import { inDollars } from "../money.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { DepositsUpload, rowsOf } from "../parts/depositsUpload.tsx";
import { ApiLink, Empty, Head, Loaded } from "../parts/layout.tsx";
import { useSession } from "../session.tsx";
import { useRead } from "../useRead.ts";

/** Bytes of a file at most. */
const maxBytes = 20_000_000;

/** A file that was read in the browser. */
interface ReadFile extends CsvFile {
  name: string;
  /** Distinguishes files of the same name. */
  key: number;
}

/** Deposits and cash counts of a business; viewers only read them day by day. */
export function Deposits({ query }: Place) {
  const { person } = useSession();
  if (person.role !== "viewer") return <Upload chosen={query.get("crb_id") ?? ""} />;
  return (
    <>
      <Head title="Deposits" />
      <Empty title="Reviewers and administrators upload deposits">
        Your role reads the stored deposits day by day: open a business in the <a href="#/">portfolio</a>.
      </Empty>
    </>
  );
}

/** A file of the core banking system is mapped, checked and sent. */
function Upload({ chosen }: { chosen: string }) {
  const [crbId, setCrbId] = useState(chosen);
  const [file, setFile] = useState<ReadFile>();
  const [problem, setProblem] = useState("");
  const [isSent, setSent] = useState(false);

  const choose = async (given: File | undefined) => {
    if (!given) return;
    setFile(undefined);
    setSent(false);
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
            ? `${file.name} · ${rowsOf(file.rows.length)} · read in this browser${isSent ? "" : ", nothing sent yet"}`
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
              onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
            />
            <Problem id="file-problem">{problem}</Problem>
            <p class="hint" id="file-hint">
              The first row names the columns. Nothing leaves this browser before “Send”, and account numbers never do.
            </p>
          </div>
        </section>
        <CashCount key={crbId} crbId={crbId} />
      </div>
      {file && <DepositsUpload key={`${crbId} ${file.key}`} crbId={crbId} file={file} sent={() => setSent(true)} />}
    </>
  );
}

/** The form of a cash count, from which the balance of later days starts. @param crbId empty if none is chosen */
function CashCount({ crbId }: { crbId: string }) {
  return (
    <section class="panel pad" aria-labelledby="count">
      <h2 id="count">
        Cash count <ApiLink operation="setCashCount" />
      </h2>
      {crbId ? <CountForm crbId={crbId} /> : <p class="hint">Choose the business first.</p>}
    </section>
  );
}

function CountForm({ crbId }: { crbId: string }) {
  const { client, explain, announce } = useSession();
  const counts = useRead("listCashCounts", { path: { crb_id: crbId }, query: { limit: 3 } });
  const [count, setCount, clearCount] = useDraft(`count:${crbId}`, { date: "", amount: "" });
  const day = parseDay(count.date, Date.now());
  const amount = parseCents(count.amount) ?? -1;
  const { form, problems, problem, isBusy } = useForm({
    explain,
    check() {
      if ("day" in day && amount >= 0) return undefined;
      return {
        date: "problem" in day ? day.problem : "",
        amount: amount < 0 ? "This is no amount such as 1,234.56." : "",
      };
    },
    async send() {
      if ("problem" in day) return;
      await client("setCashCount", { path: { crb_id: crbId, date: day.day }, body: { amount } });
      announce(`The count of ${formatDay(day.day)} is stored.`);
      clearCount();
      counts.reload();
    },
  });
  return (
    <form {...form}>
      <p class="hint">The cash at the business at the end of a day, after the deposits of that day.</p>
      <Field
        id="count-date"
        label="Day"
        type="date"
        value={count.date}
        changed={(date) => setCount({ ...count, date })}
        problem={problems?.date}
      />
      <Field
        id="count-amount"
        label="US dollars"
        value={count.amount}
        changed={(text) => setCount({ ...count, amount: text })}
        problem={problems?.amount}
      />
      {problem && <Notice kind="problem">{problem}</Notice>}
      <ActionButton kind="secondary" isBusy={isBusy} busyLabel="Storing …">
        Store the count
      </ActionButton>
      <Loaded of={counts} name="The stored counts">
        {({ data }) => (
          <p class="hint">
            {data.length === 0
              ? "No count is stored: the balance needs one."
              : `Stored: ${data.map((each) => `${formatDay(each.date, "medium")} ${inDollars(each.amount)}`).join("; ")}`}
          </p>
        )}
      </Loaded>
    </form>
  );
}
