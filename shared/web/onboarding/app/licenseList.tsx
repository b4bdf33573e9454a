import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";
import { formatDay } from "../../browser/formatDay.ts";
import { ActionButton, Problem } from "../../browser/parts.tsx";
import { useSession } from "./session.tsx";
import { focusHeading } from "./stepHeading.tsx";
import { useAction } from "./useAction.ts";

type License = Onboarding["licenses"][number];

const statusTexts: Readonly<Record<License["status"], string>> = {
  active: "active",
  expiring: "expires soon",
  expired: "expired",
  inactive: "not active in the register",
  unknown: "status unclear in the register",
  missing: "not in the register",
};

interface ListProps {
  licenses: readonly License[];
  /** Whether the visitor can remove the licenses that users of the business added. */
  isRemovable?: boolean;
}

/** The linked licenses, each with its status; nothing without licenses. */
export function LicenseList({ licenses, isRemovable = false }: ListProps) {
  if (licenses.length === 0) return null;
  return (
    <ul class="list">
      {licenses.map((license) => (
        <LicenseRow key={license.id} license={license} isRemovable={isRemovable} />
      ))}
    </ul>
  );
}

function LicenseRow({ license, isRemovable }: { license: License; isRemovable: boolean }) {
  const { license_identifier: number, licensee, licensing_authority_name: authority, status, expires_at } = license;
  const { call, show, refresh, announce, onboarding } = useSession();
  const { isBusy, problem, run } = useAction();
  const isGood = status === "active" || status === "expiring";
  const color = isGood ? "good" : status === "unknown" ? "" : "act";
  const name = number ?? licensee ?? authority;
  const isByUser = license.linked_by_kind === "invited_user";

  const remove = () =>
    run(
      async () => {
        const after = await call<Onboarding>("DELETE", `onboarding/licenses/${license.id}`).catch((failure) => {
          // The license was already removed in another tab or by another person. This is no failure.
          if (failure instanceof Rejection && failure.status === 404) return refresh();
          throw failure;
        });
        announce(`License ${name} was removed.`);
        if (after) show(after);
        focusHeading();
      },
      async (failure) => {
        if (!(failure instanceof Rejection && failure.code === "license_of_provider")) return undefined;
        await refresh();
        return `This license cannot be removed, because ${onboarding.service_provider.name} added it.`;
      },
    );

  return (
    <li>
      <div class="row">
        <span class="grow">
          <span>{name}</span>
          <span class="hint">
            <span class={`state ${color}`}>{statusTexts[status]}</span>
            {isGood && expires_at && `, valid until ${formatDay(expires_at)}`}
          </span>
          {number && licensee && (
            <span class="hint">
              <bdi>{licensee}</bdi>
              {license.holder_matches === "different" && (
                <>
                  , <span class="state act">not the name of {onboarding.business.name}</span>
                </>
              )}
            </span>
          )}
          {isRemovable && license.linked_by_kind === "service_provider" && (
            <span class="hint">added by {onboarding.service_provider.name}</span>
          )}
        </span>
        {isRemovable && isByUser && (
          <ActionButton
            type="button"
            kind="secondary"
            isBusy={isBusy}
            busyLabel="Removing …"
            aria-label={`Remove license ${name}`}
            onClick={remove}
          >
            Remove
          </ActionButton>
        )}
      </div>
      <Problem id={`linked-${license.id}-problem`}>{problem}</Problem>
    </li>
  );
}
