import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { formatDay } from "./formatDay.ts";

type License = Onboarding["licenses"][number];

const statusTexts: Readonly<Record<License["status"], string>> = {
  active: "active",
  expiring: "expires soon",
  expired: "expired",
  inactive: "not active in the register",
  missing: "not in the register",
};

/** The linked licenses, each with its status; nothing without licenses. */
export function LicenseList({ licenses }: { licenses: readonly License[] }) {
  if (licenses.length === 0) return null;
  return (
    <ul class="documents">
      {licenses.map((license) => (
        <LicenseRow key={license.id} license={license} />
      ))}
    </ul>
  );
}

function LicenseRow({ license }: { license: License }) {
  const { license_identifier: number, licensee, licensing_authority_name: authority, status, expires_at } = license;
  const isGood = status === "active" || status === "expiring";
  return (
    <li class="row">
      <span class="grow">
        <span class="file">{number ?? licensee ?? authority}</span>
        <span class="aside">
          <span class={`state ${isGood ? "approved" : "archived"}`}>{statusTexts[status]}</span>
          {isGood && expires_at && `, valid until ${formatDay(expires_at)}`}
        </span>
        {number && licensee && <span class="aside">{licensee}</span>}
      </span>
    </li>
  );
}
