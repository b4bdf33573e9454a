import { randomUUID } from "node:crypto";
import type { Table } from "../table/client.ts";
import { linkRequestsKey } from "../table/keys.ts";
import { type Clock, systemClock, utcDay } from "../time/clock.ts";
import { addressDigest } from "./addressDigest.ts";
import { requestLinks } from "./queue.ts";

/**
 * Requests for links that are answered for an address on one UTC day (contract 14.4); counted for each CRB that is named, so
 * that nobody uses up somebody's links by naming one for which no mail is sent.
 */
const mostADay = 5;
const daySeconds = 24 * 60 * 60;

/**
 * Asks for new links to be sent to an address, at most five times a day. Whether the address is invited is not looked at
 * here: the same is counted and queued for every one, so that neither answer nor time tells who is known.
 *
 * @param crbId of the one CRB that is meant; all without it
 */
export async function askForLink(
  table: Table,
  email: string,
  crbId: string | undefined,
  clock: Clock = systemClock,
): Promise<void> {
  const address = addressDigest(email);
  const day = utcDay(clock.now());
  const expires = Date.parse(day) / 1_000 + 2 * daySeconds;
  const { done } = await table.change(
    linkRequestsKey(address, day, crbId),
    {
      expression: "SET expires = :expires ADD asked :one",
      values: { ":expires": expires, ":one": 1, ":most": mostADay },
    },
    "attribute_not_exists(asked) OR asked < :most",
  );
  if (done) await requestLinks({ link_for: address, request: randomUUID(), ...(crbId && { crb_id: crbId }) });
}
