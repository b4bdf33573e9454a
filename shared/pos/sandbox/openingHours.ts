import { addDays } from "../../time/addDays.ts";
import { fromLocalTime, localDay } from "../../time/localTime.ts";
import { perWorld, type World } from "./world.ts";

const hour = 60 * 60 * 1000;

/** Opening hours in local time, the same on every day of the week. */
const hours = {
  retail: { opens: "09:00:00.000", open: 12 * hour },
  wholesale: { opens: "07:00:00.000", open: 10 * hour },
};

/**
 * The instant at which a share of the business hours has passed. The business hours are those of the `days` days before
 * the connection, and of the day of the connection up to that instant.
 *
 * @param share from 0 (opening time of the first day) to 1 (the connection, or the last closing time before it)
 */
export function businessInstant(world: World, days: number, share: number): Date {
  const { open } = hours[world.businessType];
  const today = dayOfConnection(world);
  const openToday = Math.min(open, Math.max(0, world.connectedAt - openingOf(world, today)));
  const passed = share * (days * open + openToday);
  const daysPassed = Math.min(days, Math.floor(passed / open));
  return new Date(openingOf(world, addDays(today, daysPassed - days)) + (passed - daysPassed * open));
}

/**
 * An instant if the business is open then, otherwise a time near the end of the previous business hours.
 *
 * @param secondsBeforeEnd seconds from that time to the end of the business hours
 */
export function lastOpenInstant(world: World, instant: Date, secondsBeforeEnd: number): Date {
  const { open } = hours[world.businessType];
  const today = localDay(instant, world.timezone);
  const opening = openingOf(world, today);
  if (instant.getTime() >= opening && instant.getTime() < opening + open) return instant;
  const lastOpening = instant.getTime() < opening ? openingOf(world, addDays(today, -1)) : opening;
  return new Date(lastOpening + open - secondsBeforeEnd * 1000);
}

const dayOfConnection = perWorld(({ connectedAt, timezone }) => localDay(new Date(connectedAt), timezone));

/** Cached opening times by day, because a day has many sales. */
const openings = perWorld(() => new Map<string, number>());

function openingOf(world: World, localDate: string): number {
  const known = openings(world);
  const opening =
    known.get(localDate) ??
    Date.parse(fromLocalTime(`${localDate} ${hours[world.businessType].opens}`, world.timezone) ?? "");
  known.set(localDate, opening);
  return opening;
}
