import { escapeHtml } from "../../text/escapeHtml.ts";
import type { Incident } from "./incidents.ts";
import type { ServiceStatus } from "./serviceStatus.ts";

const headlines: Record<ServiceStatus["status"], string> = {
  operational: "All systems work",
  incident: "There is an incident",
  delayed: "Replication is delayed",
  unavailable: "The API cannot read its data",
};

/** The parts of the status page that follow from the status, as HTML for the places in page.html. */
export function statusHtml(status: ServiceStatus): Record<string, string> {
  return {
    status: status.status,
    headline: headlines[status.status],
    date: timeOf(status.date),
    api:
      status.api === "operational"
        ? "The API responds and can read its data."
        : "The API cannot read its data. Try again later.",
    replication: replicationHtml(status.replication),
    incidents: status.incidents.map(incidentHtml).join("") || "<p>No incident in the last 90 days.</p>",
  };
}

function replicationHtml(replication: ServiceStatus["replication"]): string {
  if (!replication)
    return "<p>No data about replication: this stage replicates nothing, or its data cannot be read.</p>";
  const { status, planned_date: planned, ages } = replication;
  const when = planned
    ? `The planner of replications last ran at ${timeOf(planned)}.`
    : "The planner of replications has not run in the last hour.";
  const sentence = status === "operational" ? when : `${when} Records may be older than usual.`;
  if (ages.length === 0) return `<p>${sentence} No replication was due in the last hour.</p>`;
  const rows = ages.map(
    ({ kind, median_minutes: median, oldest_minutes: oldest }) =>
      `<tr><th scope="row">${escapeHtml(kind)}</th><td>${ageText(median)}</td><td>${ageText(oldest)}</td></tr>`,
  );
  return (
    `<p>${sentence} Age of the records when their next replication was due, in the last one to two hours:</p>` +
    `<table><thead><tr><th scope="col">Records</th><th scope="col">Median age</th><th scope="col">Highest age</th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table>`
  );
}

const incidentHtml = ({ title, began, ended, updates }: Incident): string =>
  `<article><h3>${escapeHtml(title)}</h3><p>${timeOf(began)} to ${ended ? timeOf(ended) : "now"}</p><ul>` +
  updates.map(({ date, text }) => `<li>${timeOf(date)}: ${escapeHtml(text)}</li>`).join("") +
  "</ul></article>";

/** For example `45 minutes`, `3 hours`, `2 days`. */
function ageText(minutes: number): string {
  const [count, unit] =
    minutes <= 90 ? [minutes, "minute"] : minutes < 1_440 ? [minutes / 60, "hour"] : [minutes / 1_440, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const timeOf = (date: string): string =>
  `<time datetime="${escapeHtml(date)}">${escapeHtml(date.slice(0, 16).replace("T", " "))} UTC</time>`;
