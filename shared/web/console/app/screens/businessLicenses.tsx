import { useState } from "preact/hooks";
import type { Place } from "../findScreen.ts";
import { daysUntil } from "../format.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { Permitted } from "../parts/form.tsx";
import { Empty, Links, Reading, Section } from "../parts/layout.tsx";
import { expiry, holder, holderNames, LicenseSearch, listed, numberOf } from "../parts/licenseSearch.tsx";
import { State } from "../parts/marks.tsx";
import { RemoveButton } from "../parts/removeButton.tsx";
import { type Column, DataTable, day, StackTable, state, text } from "../parts/table.tsx";
import { useBusinessNames, useSession } from "../session.tsx";
import { actorName, holderState, licenseState, type StateWords } from "../texts.ts";

type LinkedLicense = Output<"listCrbLicenses">["data"][number];
type Info = Output<"getCrbInfo">;

/** Whether a license may be that of another business, or its status needs a decision. */
const isWrong = ({ holder_matches, also_linked_to, status }: LinkedLicense): boolean =>
  holder_matches === "different" || also_linked_to.length > 0 || licenseState(status)[0] === "act";

/** Wrong licenses first, then those to look at. */
function rankOf(license: LinkedLicense): number {
  if (isWrong(license)) return 0;
  if (license.status === "missing" || license.holder_matches === "similar") return 1;
  return license.status === "expiring" ? 2 : 3;
}

/** The licenses of a business: is each license theirs, and for how long? */
export function BusinessLicenses({ parameters: { crb_id = "" } }: Place) {
  return (
    <BusinessFrame crbId={crb_id} part="/licenses">
      {(info) => (
        <Reading of="listCrbLicenses" input={{ path: { crb_id } }} name="The linked licenses">
          {({ data }, reload) => (
            <>
              {data.length === 0 ? (
                <Empty title="No license is linked">
                  Search the register for the license of this business. A linked license is watched every day.
                </Empty>
              ) : (
                <Linked
                  licenses={data.toSorted((one, other) => rankOf(one) - rankOf(other))}
                  info={info}
                  reload={reload}
                />
              )}
              <Permitted task="link licenses">
                <LicenseSearch info={info} linked={data.map(({ id }) => id)} reload={reload} />
              </Permitted>
            </>
          )}
        </Reading>
      )}
    </BusinessFrame>
  );
}

interface LinkedProps {
  /** Wrong ones first; at least one. */
  licenses: readonly LinkedLicense[];
  info: Info;
  reload(): void;
}

function Linked({ licenses, info, reload }: LinkedProps) {
  const [chosen, choose] = useState("");
  const compared = licenses.find(({ id }) => id === chosen) ?? licenses[0];
  const columns: Column<LinkedLicense>[] = [
    text("Number", numberOf, {
      shown: (license) => (
        <button type="button" class="link" aria-pressed={license === compared} onClick={() => choose(license.id)}>
          {numberOf(license)}
        </button>
      ),
      under: ({ reported_license_type_description: type }) => type,
    }),
    { ...holder, value: ({ licensee }) => licensee, shown: ({ licensee }) => licensee ?? "none" },
    state("Is it this business?", ({ holder_matches }) => holderState(holder_matches ?? "not_compared"), {
      under: ({ also_linked_to }) => also_linked_to.length > 0 && <State of={["look", "Twice"]} />,
    }),
    state("Status", ({ status }) => licenseState(status)),
    { ...expiry, under: ({ expires_at }) => expires_at && daysUntil(expires_at.slice(0, 10)) },
    day("Register of", ({ register_date }) => register_date),
    day("Linked", ({ linked_date }) => linked_date.slice(0, 10), {
      under: ({ linked_by_kind }) => actorName(linked_by_kind),
    }),
  ];
  return (
    <>
      <DataTable
        title="Linked licenses"
        caption="A linked license is watched: the service reports it 90, 30 and 7 days before it expires, and on the day when its status changes. Wrong ones come first."
        columns={columns}
        rows={licenses}
        kindOf={(license) => (isWrong(license) ? "act" : rankOf(license) < 3 ? "look" : undefined)}
        operation="listCrbLicenses"
      />
      {compared && <Comparison key={compared.id} license={compared} info={info} reload={reload} />}
    </>
  );
}

type Part = readonly [label: string, business: string, register: string, result: StateWords];

/** Compares a part of a record with the register. */
function compare(label: string, own: string | null, registered: string | null): Part {
  const isSame = own?.trim().toLowerCase() === registered?.trim().toLowerCase();
  const result: StateWords = isSame ? ["good", "Same"] : ["look", "Differs"];
  const isCompared = own !== null && registered !== null;
  return [label, own ?? "none", registered ?? "none", isCompared ? result : ["idle", "Not compared"]];
}

interface ComparisonProps extends Omit<LinkedProps, "licenses"> {
  license: LinkedLicense;
}

/** A license and the record of the business part by part, with the decision. */
function Comparison({ license, info, reload }: ComparisonProps) {
  const { client } = useSession();
  const number = numberOf(license);
  const nameOf = useBusinessNames();
  return (
    <Section title={`Compare ${number}`} operation="getCrbInfo">
      <div class="split">
        <StackTable
          caption="What the business stated, and what the state’s register says"
          columns={[
            text<Part>("Part", ([label]) => label),
            text<Part>("Business record", ([, business]) => business),
            text<Part>("State register", ([, , register]) => register),
            state<Part>("Result", ([, , , result]) => result),
          ]}
          rows={
            [
              [
                "Names",
                listed([info.name, info.dba]),
                holderNames(license),
                holderState(license.holder_matches ?? "not_compared"),
              ],
              compare("City", info.city, license.locality),
              compare("State", info.state, license.licensing_authority_address.region),
            ] satisfies Part[]
          }
        />
        <div class="panel pad">
          <h3>Is this license theirs?</h3>
          {license.also_linked_to.length > 0 && (
            <p>
              <State of={["look", "Twice"]} /> Also linked to{" "}
              <Links
                of={license.also_linked_to.map((crbId) => [`#/businesses/${crbId}/licenses`, nameOf(crbId)] as const)}
              />
            </p>
          )}
          <Permitted task="remove links">
            <p class="small faint">
              Keep the link if it is theirs, such as that of a parent company. Decide on different names at the insight
              “License holder differs”.
            </p>
            <RemoveButton
              subject={`the link of ${number}`}
              words="Remove the link"
              kind="danger"
              remove={() => client("unlinkCrbLicense", { path: { crb_id: info.id, license_id: license.id } })}
              removed={reload}
            >
              <ul>
                <li>The license is no longer watched for {info.name}.</li>
                <li>The removal is recorded and reported as an event. You can link the license again.</li>
              </ul>
            </RemoveButton>
          </Permitted>
        </div>
      </div>
    </Section>
  );
}
