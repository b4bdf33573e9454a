import type {
  CrbStatus,
  CredentialStatus,
  LinkedLicenseStatus,
  PosConnectionStatus,
  replicationStates,
  WebhookStatus,
} from "../../../shared/api/enumerations.ts";
import type { Styled } from "../../cli/terminalOutput.ts";

export type State =
  | CrbStatus
  | CredentialStatus
  | LinkedLicenseStatus
  | PosConnectionStatus
  | (typeof replicationStates)[number]
  | WebhookStatus;

/** Red: data or access is lost until a person acts. Yellow: it is late, uncertain, or waits for a person. */
const styles: Partial<Record<State, Styled["style"]>> = {
  bank_disconnected: "red",
  disabled: "red",
  expired: "red",
  failing: "red",
  inactive: "red",
  missing: "red",
  "Needs Attention": "red",
  bank_awaiting_review: "yellow",
  expiring: "yellow",
  late: "yellow",
  not_available: "yellow",
  svc_awaiting_review: "yellow",
  unknown: "yellow",
  active: "green",
  bank_approved: "green",
  Connected: "green",
  current: "green",
  svc_approved: "green",
};

/** A cell with one or more states, in the color of the worst one. A pipe gets no colors. */
export function stateCell(...states: readonly (State | null)[]): Styled | string | null {
  const present = states.filter((state) => state !== null);
  if (present.length === 0) return null;
  const found = new Set(present.map((state) => styles[state]));
  const style = (["red", "yellow", "green"] as const).find((each) => found.has(each));
  const isSure = style !== "green" || !found.has(undefined);
  const text = present.join(", ");
  return style && isSure ? { style, text } : text;
}
