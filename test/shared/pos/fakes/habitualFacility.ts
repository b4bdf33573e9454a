import {
  type FacilityAnswer,
  type FacilityReceipt,
  type List,
  MetrcFacility,
} from "../../../../infra/local/metrc/metrcFacility.ts";

/** How a state's Metrc differs from others. */
interface FacilityHabits {
  /** keys as `salesDateTime` instead of `SalesDateTime` */
  isCamelCase?: boolean;
  /** lists of receipts without `Data` and totals */
  isBare?: boolean;
  /** a window longer than this comes without the receipts of its beginning, and with a smaller total */
  maxWindowMs?: number;
  /** lists begin with the newest receipt */
  isNewestFirst?: boolean;
  keepsDateWhenFinal?: boolean;
  /** the names of the permissions of the key's person; null if the key cannot read them */
  permissions?: readonly string[] | null;
}

/** A facility in the Metrc of a state with other habits. */
export class HabitualFacility extends MetrcFacility {
  habits: FacilityHabits = {};

  override answer(path: string, query: URLSearchParams, authorization: string | undefined): FacilityAnswer {
    const { isCamelCase, isBare, permissions } = this.habits;
    if (path === "/employees/v2/permissions" && permissions && query.get("licenseNumber") === this.licenseNumber) {
      const { status, body } = super.answer("/facilities/v2", query, authorization);
      return { status, body: status === 200 ? permissions : body };
    }
    const { status, body } = super.answer(path, query, authorization);
    if (status !== 200) return { status, body };
    const { Data: rows = body } = body as { Data?: unknown };
    return { status, body: withKeys(isBare ? rows : body, isCamelCase) };
  }

  protected override changedIn(list: List, from: string | null, to: string | null): FacilityReceipt[] {
    const { maxWindowMs = Number.POSITIVE_INFINITY, isNewestFirst } = this.habits;
    const earliest = Date.parse(to ?? "") - maxWindowMs;
    const isTooLong = earliest > Date.parse(from ?? "");
    const found = super.changedIn(list, isTooLong ? new Date(earliest).toISOString() : from, to);
    return isNewestFirst ? found.toSorted((a, b) => b.modifiedAt - a.modifiedAt || b.id - a.id) : found;
  }
}

function withKeys(value: unknown, isCamelCase: boolean | undefined): unknown {
  if (!isCamelCase || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withKeys(inner, isCamelCase));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.charAt(0).toLowerCase() + key.slice(1),
      withKeys(inner, isCamelCase),
    ]),
  );
}
