import type { Output } from "../operations.ts";
import { useSession } from "../session.tsx";
import { holderState, type StateWords } from "../texts.ts";
import { useBusinessNames } from "../useBusinessNames.ts";
import { ApiLink } from "./apiLink.tsx";
import { State } from "./mark.tsx";
import { StackTable } from "./stackTable.tsx";

export type LinkedLicense = Output<"listCrbLicenses">["data"][number];

/** The number of a license; its id if the register has none. */
export const numberOf = ({ license_identifier, id }: Pick<LinkedLicense, "license_identifier" | "id">): string =>
  license_identifier ?? id;

interface Part {
  label: string;
  business: string;
  register: string;
  result: StateWords;
}

const isSame = (one: string | null, other: string | null): StateWords =>
  one === null || other === null
    ? ["idle", "Not compared"]
    : one.trim().toLowerCase() === other.trim().toLowerCase()
      ? ["good", "Same"]
      : ["look", "Differs"];

const listed = (names: readonly (string | null)[]): string => [...new Set(names)].filter(Boolean).join(", ") || "none";

interface ComparisonProps {
  license: LinkedLicense;
  info: Output<"getCrbInfo">;
  unlink(): void;
}

/** A license and the record of the business part by part, with the decision. */
export function LicenseComparison({ license, info, unlink }: ComparisonProps) {
  const { person } = useSession();
  const { licensee, businesses, locality, holder_matches, also_linked_to } = license;
  const region = license.licensing_authority_address.region;
  const parts: Part[] = [
    {
      label: "Names",
      business: listed([info.name, info.dba]),
      register: listed([licensee, ...businesses.map(({ name }) => name)]),
      result: holderState(holder_matches),
    },
    {
      label: "City",
      business: info.city ?? "none",
      register: locality ?? "none",
      result: isSame(info.city, locality),
    },
    { label: "State", business: info.state, register: region ?? "none", result: isSame(info.state, region) },
  ];
  const number = numberOf(license);
  return (
    <section aria-labelledby="compare">
      <div class="section-head">
        <h2 id="compare">
          Compare {number} <ApiLink operation="getCrbInfo" />
        </h2>
      </div>
      <div class="split">
        <StackTable
          caption="What the business stated, and what the state’s register says"
          columns={[
            { label: "Part", cell: ({ label }) => label },
            { label: "Business record", cell: ({ business }) => business },
            { label: "State register", cell: ({ register }) => register },
            { label: "Result", cell: ({ result }) => <State of={result} /> },
          ]}
          rows={parts}
          keyOf={({ label }) => label}
        />
        <div class="panel pad">
          <h3>Is this license theirs?</h3>
          {also_linked_to.length > 0 && <Twice crbIds={also_linked_to} />}
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
    </section>
  );
}

/** The other businesses of the institution with the same license. */
function Twice({ crbIds }: { crbIds: readonly string[] }) {
  const nameOf = useBusinessNames();
  return (
    <p>
      <State of={["look", "Twice"]} /> Also linked to{" "}
      {crbIds.map((crbId, index) => (
        <>
          {index > 0 && ", "}
          <a key={crbId} href={`#/businesses/${crbId}/licenses`}>
            {nameOf(crbId)}
          </a>
        </>
      ))}
    </p>
  );
}
