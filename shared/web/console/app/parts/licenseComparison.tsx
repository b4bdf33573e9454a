import { Fragment } from "preact";
import { formatDay } from "../../../browser/formatDay.ts";
import type { Output } from "../operations.ts";
import { useBusinessNames } from "../overview.ts";
import { useSession } from "../session.tsx";
import { holderState, type StateWords } from "../texts.ts";
import { type Column, StackTable } from "./dataTable.tsx";
import { Section } from "./layout.tsx";
import { State } from "./mark.tsx";

export type LinkedLicense = Output<"listCrbLicenses">["data"][number];
type License = Output<"searchLicenses">["data"][number] | LinkedLicense;

/** The number of a license; its id if the register has none. */
export const numberOf = ({ license_identifier, id }: License): string => license_identifier ?? id;

const listed = (names: readonly (string | null)[]): string => [...new Set(names)].filter(Boolean).join(", ") || "none";

/** All names of the holder. */
const holderNames = ({ licensee, businesses }: License): string =>
  listed([licensee, ...businesses.map(({ name }) => name)]);

export const holder: Column<License> = {
  label: "Holder in the register",
  shown: holderNames,
  under: ({ locality }) => locality,
};

export const expiry: Column<License> = {
  label: "Expires",
  value: ({ expires_at }) => expires_at?.slice(0, 10),
  shown: ({ expires_at }) => formatDay((expires_at ?? "").slice(0, 10), "medium"),
  none: "not in the register",
};

type Part = readonly [label: string, business: string, register: string, result: StateWords];

/** Compares a part of a record with the register. */
function compare(label: string, own: string | null, registered: string | null): Part {
  const isSame = own?.trim().toLowerCase() === registered?.trim().toLowerCase();
  const result: StateWords = isSame ? ["good", "Same"] : ["look", "Differs"];
  const isCompared = own !== null && registered !== null;
  return [label, own ?? "none", registered ?? "none", isCompared ? result : ["idle", "Not compared"]];
}

interface ComparisonProps {
  license: LinkedLicense;
  info: Output<"getCrbInfo">;
  unlink(): void;
}

/** A license and the record of the business part by part, with the decision. */
export function LicenseComparison({ license, info, unlink }: ComparisonProps) {
  const { person } = useSession();
  const number = numberOf(license);
  return (
    <Section title={`Compare ${number}`} operation="getCrbInfo">
      <div class="split">
        <StackTable
          caption="What the business stated, and what the state’s register says"
          columns={[
            { label: "Part", value: ([label]) => label },
            { label: "Business record", value: ([, business]) => business },
            { label: "State register", value: ([, , register]) => register },
            { label: "Result", shown: ([, , , result]) => <State of={result} /> },
          ]}
          rows={
            [
              ["Names", listed([info.name, info.dba]), holderNames(license), holderState(license.holder_matches)],
              compare("City", info.city, license.locality),
              compare("State", info.state, license.licensing_authority_address.region),
            ] satisfies Part[]
          }
          keyOf={([label]) => label}
        />
        <div class="panel pad">
          <h3>Is this license theirs?</h3>
          {license.also_linked_to.length > 0 && <Twice crbIds={license.also_linked_to} />}
          {person.role === "viewer" ? (
            <p class="small faint">Reviewers and administrators can remove the link.</p>
          ) : (
            <>
              <p class="small faint">
                Keep the link if it is theirs, such as that of a parent company. Decide on different names at the
                insight “License holder differs”.
              </p>
              <button type="button" class="danger" onClick={unlink}>
                Remove the link<span class="unseen">: {number}</span> …
              </button>
            </>
          )}
        </div>
      </div>
    </Section>
  );
}

/** The other businesses of the institution with the same license. */
function Twice({ crbIds }: { crbIds: readonly string[] }) {
  const nameOf = useBusinessNames();
  return (
    <p>
      <State of={["look", "Twice"]} /> Also linked to{" "}
      {crbIds.map((crbId, index) => (
        <Fragment key={crbId}>
          {index > 0 && ", "}
          <a href={`#/businesses/${crbId}/licenses`}>{nameOf(crbId)}</a>
        </Fragment>
      ))}
    </p>
  );
}
