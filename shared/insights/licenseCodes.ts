import { addDays } from "../time/addDays.ts";
import { daysBetween, type Finding, followState, type History, salesOf } from "./history.ts";

/** What a register says of a license that is linked to the business (docs/spec.md#linked-licenses). */
export interface InsightLicense {
  id: string;
  /** its number; null if the register has none */
  number: string | null;
  /** the day on which it was linked, yyyy-MM-dd */
  linked: string;
  /** the first day on which it does not permit business; null if no such day is known */
  endedOn: string | null;
  /** whether the register does not say if the license permits business, lacks it, or may not have a renewal yet */
  isUnknown: boolean;
  /** whether the names on the license are others than those of the business */
  hasOtherHolder: boolean;
}

/** Whether the linked licenses show if the business may sell. Without a link, or with one that is unknown, nothing is certain. */
export const haveKnownStatus = (licenses: readonly InsightLicense[]): boolean =>
  licenses.length > 0 && !licenses.some(({ isUnknown }) => isUnknown);

/** Sales after every linked license has ended. The first such day is found, and the first of each later month. */
export function salesWithoutActiveLicense(
  history: History,
  date: string,
  licenses: readonly InsightLicense[],
): Finding | undefined {
  if (!haveKnownStatus(licenses) || licenses.some(({ endedOn }) => endedOn === null)) return undefined;
  const ended = licenses
    .map(({ endedOn }) => endedOn as string)
    .sort()
    .at(-1) as string;
  const measured = salesOf(history.get(date)?.figures ?? {});
  if (date < ended || measured === 0) return undefined;
  const [since = ended] = [ended, `${date.slice(0, 8)}01`].sort().reverse();
  const earlier = daysBetween(since, addDays(date, -1)).some((day) => salesOf(history.get(day)?.figures ?? {}) > 0);
  if (earlier) return undefined;
  const sentence = (day: string, sales: number) =>
    `${sales} ${sales === 1 ? "sale" : "sales"} on ${day}. The last of the linked licenses ended on ${ended}.`;
  const soldOn = (day: string) => salesOf(history.get(day)?.figures ?? {});
  const later = [...history.keys()].filter((day) => day >= date && soldOn(day) > 0).sort();
  const { as_of, ended_on } = followState(later, () => true);
  const latest = soldOn(as_of);
  return {
    code: "sales_without_active_license",
    start_date: date,
    end_date: date,
    subject: null,
    measured,
    expected: 0,
    unit: "sales",
    criterion: "a sale after every linked license has ended; once a month",
    sentence: sentence(date, measured),
    latest: { as_of, measured: latest, expected: 0, sentence: sentence(as_of, latest), ended_on },
    windows: [[date, date]],
    sales: [],
    licenses: licenses.map(({ id, number }) => ({ id, number })),
  };
}

/** A linked license whose holder is another than the business. A decision on the insight is kept with the link. */
export function licenseHolderDiffers({ id, number, linked, hasOtherHolder }: InsightLicense): Finding | undefined {
  if (!hasOtherHolder) return undefined;
  return {
    code: "license_holder_differs",
    start_date: linked,
    end_date: linked,
    subject: id,
    measured: 1,
    expected: 0,
    unit: "licenses",
    criterion: "the names on the license differ from those of the business",
    sentence: `The license ${number ?? id}, linked on ${linked}, has a holder whose names differ from those of the business.`,
    windows: [],
    sales: [],
    licenses: [{ id, number }],
  };
}
