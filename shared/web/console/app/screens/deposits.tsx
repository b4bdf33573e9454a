import { useState } from "preact/hooks";
import { Problem } from "../../../browser/parts.tsx";
import { type CsvFile, readCsv } from "../deposits/readCsv.ts";
import type { Place } from "../findScreen.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { CashCount } from "../parts/cashCount.tsx";
import { DepositsUpload } from "../parts/depositsUpload.tsx";
import { Empty } from "../parts/empty.tsx";
import { Head } from "../parts/head.tsx";
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

/** Deposits and cash counts of a business: a file of the core banking system is mapped, checked and sent. */
export function Deposits({ query }: Place) {
  const { person } = useSession();
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  const [file, setFile] = useState<ReadFile>();
  const [problem, setProblem] = useState("");
  const [isSent, setSent] = useState(false);

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFile(undefined);
    setSent(false);
    if (chosen.size > maxBytes) return setProblem("The file has more than 20 MB. Choose a file of fewer days.");
    const read = await chosen.text().then(readCsv, () => ({ problem: "The browser cannot read the file." }));
    if ("problem" in read) return setProblem(read.problem);
    setProblem("");
    setFile({ ...read, name: chosen.name, key: Date.now() });
  };
  const chooseBusiness = (chosen: string) => {
    setCrbId(chosen);
    setSent(false);
  };

  if (person.role === "viewer")
    return (
      <>
        <Head title="Deposits" />
        <Empty title="Reviewers and administrators upload deposits">
          <p>
            Your role reads the stored deposits day by day: open a business in the <a href="#/">portfolio</a>.
          </p>
        </Empty>
      </>
    );
  const rows = file && `${file.rows.length.toLocaleString()} ${file.rows.length === 1 ? "row" : "rows"}`;
  return (
    <>
      <Head
        title="Upload deposits"
        lead={
          file
            ? `${file.name} · ${rows} · read in this browser${isSent ? "" : ", nothing sent yet"}`
            : "The postings of your core banking system, for the comparison with the cash that was sold."
        }
      />
      <Steps names={["Choose a file", "Match and check", "Send"]} done={isSent ? 3 : crbId && file ? 1 : 0} />
      <div class="split">
        <section class="panel pad" aria-label="Business and file">
          <BusinessChoice value={crbId} changed={chooseBusiness} />
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
