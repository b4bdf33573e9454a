import type { SandboxAction } from "../../api/enumerations.ts";
import { conflict, type Fields, invalid, notFound } from "../../api/errors.ts";
import { recordKinds } from "../../api/kinds.ts";
import { isUploaded } from "../../api/pos/posTypes.ts";
import type { SandboxControl, SandboxState } from "../../api/schemas/sandbox.ts";
import { breakableRules } from "../../pos/sandbox/violations.ts";
import type { Table } from "../../store/client.ts";
import type { ControlledSale, SandboxControls } from "../../store/crb.ts";
import { changeCrb } from "../../store/crbs.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { localDay } from "../../time/localTime.ts";
import { requestReplication } from "../replication/requestReplications.ts";

const minute = 60_000;
/** Seconds before the second run, which confirms a rejection. The first run ends in this time. */
const confirmationDelaySeconds = 5;
const defaultMinutes = 5;
/** Maximum number of sales that callers make for a CRB; they are stored in the CRB's item. */
const maxSales = 500;

/**
 * Makes the simulated POS of a CRB act (docs/spec.md#sandbox-controls), and requests a replication.
 *
 * @returns what the POS does from now on
 * @param details checked by `invalidDetails`
 * @throws ServiceError "invalid" if no sale of the CRB can break a rule of the check; "notFound" if the CRB has no association; "conflict" if the CRB is not connected to a POS, has no sale for the action, or has the maximum number of sales;
 *   "unavailable" if the queue cannot be reached: then the POS acts, but the replication comes later
 */
export async function controlSandbox(
  table: Table,
  crbId: string,
  action: SandboxAction,
  details: SandboxControl,
  clock: Clock = systemClock,
): Promise<SandboxState> {
  let controls: SandboxControls = {};
  const isStored = await changeCrb(
    table,
    crbId,
    ({ connection, ...crb }) => {
      if (!connection || isUploaded(connection.posType))
        throw conflict("pos_not_connected", "The CRB is not connected to a POS.");
      const { state, business_type: businessType, timezone } = crb.record;
      const { posType } = connection;
      const rules = breakableRules({ state, businessType, posType }, localDay(clock.now(), timezone));
      checkViolation(
        details.violation,
        rules.map(({ check }) => check),
      );
      controls = applyAction(connection.sandbox ?? {}, action, details, clock.now());
      return { ...crb, connection: { ...connection, sandbox: controls } };
    },
    clock,
  );
  if (!isStored) throw notFound("CRB");
  await requestReplication(crbId);
  // A second run confirms that the POS rejects the CRB.
  if (action === "refuse_credentials" || action === "fail") {
    await requestReplication(crbId, recordKinds, { delaySeconds: confirmationDelaySeconds });
  }
  return toState(crbId, controls, clock.now());
}

/** @throws ServiceError "invalid" unless a rule of the check holds */
function checkViolation(violation: string | undefined, checks: readonly string[]): void {
  if (violation === undefined || checks.includes(violation)) return;
  const known = [...new Set(checks)].join(", ") || "none";
  throw invalid({ "body.violation": { message: `must be a check that a sale of this CRB can break: ${known}` } });
}

/** The details that each action takes. */
const detailsOf: Readonly<Record<string, readonly string[]>> = {
  sell: ["count", "violation"],
  reject_records: ["count"],
  fail: ["error", "minutes"],
};

/**
 * The known details that an action does not take, and those that it lacks.
 *
 * @param details the body as received, which may be any JSON value
 */
export function invalidDetails(action: string, details: unknown): Fields {
  const given = Object.keys(details ?? {});
  const known = Object.values(detailsOf).flat();
  const surplus = known.filter((name) => given.includes(name) && !detailsOf[action]?.includes(name));
  return {
    ...Object.fromEntries(surplus.map((name) => [`body.${name}`, { message: `is not a detail of ${action}` }])),
    ...(action === "fail" && !given.includes("error") && { "body.error": { message: "is required for fail" } }),
  };
}

function applyAction(
  controls: SandboxControls,
  action: SandboxAction,
  { count = 1, violation, error, minutes = defaultMinutes }: SandboxControl,
  now: Date,
): SandboxControls {
  const { sales = [] } = controls;
  const date = now.toISOString();
  const added = (sale: Partial<ControlledSale>, number = 1): SandboxControls => {
    if (sales.length + number > maxSales) {
      throw conflict(
        "sale_limit",
        `The CRB has ${sales.length} sales that callers made; at most ${maxSales} are possible.`,
      );
    }
    const made = Array.from({ length: number }, () => ({ type: "sale" as const, date, changed: date, ...sale }));
    return { ...controls, sales: [...sales, ...made] };
  };
  switch (action) {
    case "sell":
      return added(violation === undefined ? {} : { violation }, count);
    case "reject_records":
      return added({ isUnreadable: true }, count);
    case "return":
      return added({ type: "return", original: lastOpen(sales) });
    case "void": {
      const last = lastOpen(sales);
      const voided = { type: "adjustment" as const, changed: date };
      return { ...controls, sales: sales.map((sale, number) => (number === last ? { ...sale, ...voided } : sale)) };
    }
    case "refuse_credentials":
      return { ...controls, rejectsCredentials: true };
    case "restore_credentials": {
      const { rejectsCredentials, ...others } = controls;
      return others;
    }
    case "fail": {
      const until = new Date(now.getTime() + minutes * minute).toISOString();
      return error ? { ...controls, failure: { error, until } } : controls;
    }
    case "reset":
      return { sales: sales.map(({ isUnreadable, ...sale }) => (isUnreadable ? { ...sale, changed: date } : sale)) };
  }
}

/** The place of the last sale that is readable and neither returned nor voided. */
function lastOpen(sales: readonly ControlledSale[]): number {
  const returned = new Set(sales.map(({ original }) => original));
  const last = sales.findLastIndex(
    ({ type, isUnreadable }, number) => type === "sale" && !isUnreadable && !returned.has(number),
  );
  if (last < 0) throw conflict("sale_missing", "There is no sale to return or to void: call sell first.");
  return last;
}

function toState(crbId: string, { rejectsCredentials, failure, sales = [] }: SandboxControls, now: Date): SandboxState {
  const present = failure && Date.parse(failure.until) > now.getTime() ? failure : undefined;
  return {
    crb_id: crbId,
    rejects_credentials: rejectsCredentials ?? false,
    error: present?.error ?? null,
    error_until: present?.until ?? null,
    sales: sales.length,
    unreadable_records: sales.filter(({ isUnreadable }) => isUnreadable).length,
  };
}
