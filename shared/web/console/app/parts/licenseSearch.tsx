import { useState } from "preact/hooks";
import { states } from "../../../../api/enumerations.ts";
import { Choice, Field } from "../../../browser/parts.tsx";
import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { ActButton, Form } from "./form.tsx";
import { Section } from "./layout.tsx";
import { type Column, day, StackTable, text } from "./table.tsx";

export type License = Output<"searchLicenses">["data"][number] | Output<"listCrbLicenses">["data"][number];

/** The number of a license; its id if the register has none. */
export const numberOf = ({ license_identifier, id }: License): string => license_identifier ?? id;

/** Names without repetitions. */
export const listed = (names: readonly (string | null)[]): string =>
  [...new Set(names)].filter(Boolean).join(", ") || "none";

/** All names of the holder. */
export const holderNames = ({ licensee, businesses }: License): string =>
  listed([licensee, ...businesses.map(({ name }) => name)]);

export const holder: Column<License> = {
  label: "Holder in the register",
  kind: "sentence",
  shown: holderNames,
  under: ({ locality }) => locality,
};

export const expiry = day<License>("Expires", ({ expires_at }) => expires_at?.slice(0, 10), {
  none: "not in the register",
});

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
  const { client, announce } = useSession();
  const [found, setFound] = useState<readonly License[]>();

  async function search({ wanted = "", state = "" }: Record<string, string>) {
    const query = { state: state as typeof info.state, limit };
    const lists = await Promise.all([
      client("searchLicenses", { query: { ...query, licenseNumber: wanted.trim() } }),
      client("searchLicenses", { query: { ...query, name: wanted.trim() } }),
    ]);
    const licenses = new Map(lists.flatMap(({ data }) => data.map((license) => [license.id, license])));
    setFound([...licenses.values()].slice(0, limit));
    announce(licenses.size === 0 ? "No license was found." : `${licenses.size} licenses were found.`);
  }
  async function link(license: License) {
    await client("linkCrbLicense", { path: { crb_id: info.id, license_id: license.id } });
    announce(`License ${numberOf(license)} is linked.`);
    reload();
  }

  const columns: Column<License>[] = [
    text("Number", numberOf, { under: ({ reported_license_type_description: type }) => type }),
    holder,
    text("Status in the register", ({ reported_license_status: status }) => status),
    expiry,
    {
      label: "Link",
      shown: (license) => (
        <ActButton kind="secondary" isDone={linked.includes(license.id)} act={() => link(license)}>
          {linked.includes(license.id) ? "Linked" : "Link"}
          <span class="unseen"> {numberOf(license)}</span>
        </ActButton>
      ),
    },
  ];
  return (
    <Section title={linked.length > 0 ? "Link another license" : "Link a license"} operation="searchLicenses">
      <Form
        class="bar panel pad"
        draft={`license:${info.id}`}
        buttons={["Search the register"]}
        busyLabel="Searching …"
        kind="secondary"
        isKept
        send={search}
      >
        <Field name="wanted" label="Number or name in the register" type="search" required maxLength={255} />
        <Choice name="state" label="State" options={[info.state, ...states.filter((each) => each !== info.state)]} />
      </Form>
      {found?.length === 0 && (
        <p>
          No license of this state has this whole number, or these words in a name. Check the state, or search with
          fewer words.
        </p>
      )}
      {found && found.length > 0 && (
        <StackTable
          caption={`The first ${limit} at most. Link a license only if its holder is this business.`}
          columns={columns}
          rows={found}
        />
      )}
    </Section>
  );
}
