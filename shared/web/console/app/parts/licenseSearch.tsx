import { useState } from "preact/hooks";
import { states } from "../../../../api/enumerations.ts";
import { ActionButton, Choice, Field, Notice } from "../../../browser/parts.tsx";
import { useAction } from "../../../browser/useAction.ts";
import { useDraft } from "../drafts.ts";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { type Column, StackTable } from "./dataTable.tsx";
import { Section } from "./layout.tsx";
import { expiry, holder, numberOf } from "./licenseComparison.tsx";

type License = Output<"searchLicenses">["data"][number];

/** Licenses that are shown at most. */
const limit = 20;

interface SearchProps {
  info: Output<"getCrbInfo">;
  /** Ids of the licenses that are linked already. */
  linked: readonly string[];
  reload(): void;
}

/** The search of a register by number or name, and the links to its licenses. */
export function LicenseSearch({ info, linked, reload }: SearchProps) {
  const { client, explain, announce } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const [wanted, setWanted] = useDraft(`license:${info.id}`, "");
  const [state, setState] = useState<string>(info.state);
  const [found, setFound] = useState<readonly License[]>();
  const [linking, setLinking] = useState("");

  function search(event: Event) {
    event.preventDefault();
    const words = wanted.trim();
    if (!words) return;
    void run(async () => {
      const query = { state: state as typeof info.state, limit };
      const lists = await Promise.all([
        client("searchLicenses", { query: { ...query, licenseNumber: words } }),
        client("searchLicenses", { query: { ...query, name: words } }),
      ]);
      const licenses = new Map(lists.flatMap(({ data }) => data.map((license) => [license.id, license])));
      setFound([...licenses.values()].slice(0, limit));
      announce(licenses.size === 0 ? "No license was found." : `${licenses.size} licenses were found.`);
    });
  }
  const link = (license: License) =>
    run(async () => {
      setLinking(license.id);
      await client("linkCrbLicense", { path: { crb_id: info.id, license_id: license.id } });
      announce(`License ${numberOf(license)} is linked.`);
      reload();
    }).finally(() => setLinking(""));

  const columns: Column<License>[] = [
    {
      label: "Number",
      value: numberOf,
      under: ({ reported_license_type_description: type }) => type,
    },
    holder,
    { label: "Status in the register", value: ({ reported_license_status: status }) => status },
    expiry,
    {
      label: "Link",
      shown: (license) => {
        // The button stays, so that it keeps the focus.
        const isLinked = linked.includes(license.id);
        return (
          <ActionButton
            type="button"
            kind="secondary"
            isBusy={isLinked || linking === license.id}
            busyLabel={isLinked ? "Linked" : "Linking …"}
            onClick={() => !isLinked && link(license)}
          >
            Link<span class="unseen"> {numberOf(license)}</span>
          </ActionButton>
        );
      },
    },
  ];
  return (
    <Section title="Link another license" operation="searchLicenses">
      <form class="bar panel pad" onSubmit={search}>
        <Field
          id="wanted"
          label="Number or name in the register"
          type="search"
          maxLength={255}
          value={wanted}
          changed={setWanted}
        />
        <Choice id="register" label="State" value={state} options={states} changed={setState} />
        <ActionButton kind="secondary" isBusy={isBusy && !linking} busyLabel="Searching …">
          Search the register
        </ActionButton>
      </form>
      {problem && <Notice kind="problem">{problem}</Notice>}
      {found?.length === 0 && (
        <p>
          No license of {state} has this whole number, or these words in a name. Check the state, or search with fewer
          words.
        </p>
      )}
      {found && found.length > 0 && (
        <StackTable
          caption={`The first ${limit} at most. Link a license only if its holder is this business.`}
          columns={columns}
          rows={found}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}
