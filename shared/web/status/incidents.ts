import * as z from "zod";

/** A disturbance that an operator reports on the status page. */
const incidentSchema = z.strictObject({
  title: z.string().min(1).max(120),
  began: z.iso.datetime(),
  /** null while it lasts */
  ended: z.iso.datetime().nullable(),
  /** What happened, newest first. */
  updates: z.array(z.strictObject({ date: z.iso.datetime(), text: z.string().min(1).max(1_000) })).min(1),
});

export type Incident = z.output<typeof incidentSchema>;

const incidentsSchema = z.record(z.string(), z.array(incidentSchema));

/** Whether an incident lasts: one that begins or ends later was planned. */
export const isOpen = ({ began, ended }: Incident, now: Date): boolean =>
  Date.parse(began) <= now.getTime() && (ended === null || Date.parse(ended) > now.getTime());

const shownMs = 90 * 86_400_000;

/**
 * Reads the incidents of a stage that last, or ended in the last 90 days, the newest first.
 *
 * @param text infra/stages/incidents.json: a list of incidents for each stage
 * @throws Error if the text is not such a file
 */
export function parseIncidents(text: string, stage: string, now: Date): Incident[] {
  const incidents = incidentsSchema.parse(JSON.parse(text))[stage] ?? [];
  return incidents
    .filter(({ ended }) => ended === null || now.getTime() - Date.parse(ended) <= shownMs)
    .sort((one, other) => Date.parse(other.began) - Date.parse(one.began));
}
