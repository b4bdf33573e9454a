import { useState } from "preact/hooks";
import { Confirmation } from "../../../browser/confirmation.tsx";
import { formatDay } from "../../../browser/formatDay.ts";
import { useAction } from "../../../browser/useAction.ts";
import type { Place } from "../findScreen.ts";
import { daysUntil } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { BusinessFrame } from "../parts/businessFrame.tsx";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { Empty, Loaded } from "../parts/layout.tsx";
import { expiry, holder, LicenseComparison, type LinkedLicense, numberOf } from "../parts/licenseComparison.tsx";
import { LicenseSearch } from "../parts/licenseSearch.tsx";
import { State } from "../parts/mark.tsx";
import { useSession } from "../session.tsx";
import { actorNames, holderState, licenseState } from "../texts.ts";
import { useRead } from "../useRead.ts";

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
  const licenses = useRead("listCrbLicenses", { path: { crb_id } });
  const { person } = useSession();
  const { reload } = licenses;
  return (
    <BusinessFrame crbId={crb_id} part="licenses">
      {(info) => (
        <Loaded of={licenses} name="The linked licenses">
          {({ data }) => (
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
              {person.role !== "viewer" && (
                <LicenseSearch info={info} linked={data.map(({ id }) => id)} reload={reload} />
              )}
            </>
          )}
        </Loaded>
      )}
    </BusinessFrame>
  );
}

interface LinkedProps {
  /** Wrong ones first; at least one. */
  licenses: readonly LinkedLicense[];
  info: Output<"getCrbInfo">;
  reload(): void;
}

function Linked({ licenses, info, reload }: LinkedProps) {
  const [chosen, choose] = useState("");
  const [unlinked, unlink] = useState<LinkedLicense>();
  const compared = licenses.find(({ id }) => id === chosen) ?? licenses[0];
  const columns: Column<LinkedLicense>[] = [
    {
      label: "Number",
      value: numberOf,
      shown: (license) => (
        <button type="button" class="link" aria-pressed={license === compared} onClick={() => choose(license.id)}>
          {numberOf(license)}
        </button>
      ),
      under: ({ reported_license_type_description: type }) => type,
    },
    { ...holder, value: ({ licensee }) => licensee, shown: ({ licensee }) => licensee ?? "none" },
    {
      label: "Is it this business?",
      value: ({ holder_matches }) => holder_matches,
      shown: ({ holder_matches }) => <State of={holderState(holder_matches)} />,
      under: ({ also_linked_to }) => also_linked_to.length > 0 && <State of={["look", "Twice"]} />,
    },
    { label: "Status", value: ({ status }) => status, shown: ({ status }) => <State of={licenseState(status)} /> },
    { ...expiry, under: ({ expires_at }) => daysUntil((expires_at ?? "").slice(0, 10)) },
    {
      label: "Register of",
      value: ({ register_date }) => register_date,
      shown: ({ register_date }) => formatDay(register_date, "medium"),
    },
    {
      label: "Linked",
      value: ({ linked_date }) => linked_date.slice(0, 10),
      shown: ({ linked_date }) => formatDay(linked_date, "medium"),
      under: ({ linked_by_kind }) => actorNames[linked_by_kind],
    },
  ];
  return (
    <>
      <DataTable
        title="Linked licenses"
        caption="A linked license is watched: the service reports it 90, 30 and 7 days before it expires, and on the day when its status changes. Wrong ones come first."
        columns={columns}
        rows={licenses}
        keyOf={({ id }) => id}
        kindOf={(license) => (isWrong(license) ? "act" : rankOf(license) < 3 ? "look" : undefined)}
        operation="listCrbLicenses"
        file="licenses"
      />
      {compared && (
        <LicenseComparison key={compared.id} license={compared} info={info} unlink={() => unlink(compared)} />
      )}
      {unlinked && <Unlink license={unlinked} info={info} reload={reload} close={() => unlink(undefined)} />}
    </>
  );
}

interface UnlinkProps extends Omit<LinkedProps, "licenses"> {
  license: LinkedLicense;
  close(): void;
}

function Unlink({ license, info, reload, close }: UnlinkProps) {
  const { client, explain, announce } = useSession();
  const { isBusy, problem, run } = useAction(explain);
  const number = numberOf(license);
  const act = () =>
    run(async () => {
      await client("unlinkCrbLicense", { path: { crb_id: info.id, license_id: license.id } });
      announce(`The link of license ${number} is removed.`);
      close();
      reload();
    });
  return (
    <Confirmation
      title={`Remove the link of ${number}?`}
      action="Remove the link"
      busyLabel="Removing …"
      {...{ isBusy, problem, act, close }}
    >
      <ul>
        <li>The license is no longer watched for {info.name}.</li>
        <li>The removal is recorded and reported as an event. You can link the license again.</li>
      </ul>
    </Confirmation>
  );
}
