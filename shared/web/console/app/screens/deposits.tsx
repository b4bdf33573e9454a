import { useState } from "preact/hooks";
import { Problem } from "../../../browser/parts.tsx";
import { type CsvFile, readCsv } from "../deposits/readCsv.ts";
import type { Place } from "../findScreen.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { CashCount } from "../parts/cashCount.tsx";
import { DepositsUpload, rowsOf } from "../parts/depositsUpload.tsx";
import { Empty, Head } from "../parts/layout.tsx";
import { Steps } from "../parts/steps.tsx";
import { useSession } from "../session.tsx";

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
      <Steps names={["Choose a file", "Match and check", "Send"]} done={isSent ? 3 : crbId && file ? 1 : 0} />
      <div class="split">
        <section class="panel pad" aria-label="Business and file">
          <BusinessChoice
            value={crbId}
            changed={(id) => {
              setCrbId(id);
              setSent(false);
            }}
          />
          <div class="field">
            <label for="file">CSV file with the postings of this business</label>
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
      {file && crbId && (
        <DepositsUpload key={`${crbId} ${file.key}`} crbId={crbId} file={file} sent={() => setSent(true)} />
      )}
    </>
  );
}
