import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { handler as link } from "../../../functions/linkedLicenses/linkCrbLicense.ts";
import { handler as remove } from "../../../functions/stateSystems/deleteStateConnection.ts";
import { handler as get } from "../../../functions/stateSystems/getStateConnection.ts";
import { handler as list } from "../../../functions/stateSystems/listStateConnections.ts";
import { handler as listDays } from "../../../functions/stateSystems/listStateDays.ts";
import { handler as set } from "../../../functions/stateSystems/setStateConnection.ts";
import { sweepStateConnections } from "../../../shared/domain/stateSystems/sweepStateConnections.ts";
import { partnerKeys } from "../../../shared/pos/partnerKeys.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { FakeMetrc } from "../../shared/pos/fakes/fakeMetrc.ts";
import { givenInvited } from "../onboarding/givenInvited.ts";
import { useInvitedUsers } from "../onboarding/useInvitedUsers.ts";

const hourMs = 3_600_000;
const connections = "/service-providers/{sp_id}/crbs/{crb_id}/state-connections";
const own = "/onboarding/state-connections";

/** The number of the license that the fake has. */
export const licenseNumber = "402R-00001";

/** A day in the time zone of the businesses, counted back from today. */
export const daysAgo = (days: number): string => localDay(new Date(Date.now() - days * 24 * hourMs), "America/Denver");

/** Businesses whose license is linked, and a fake of Metrc that reads them. */
export function useStateBusinesses() {
  const users = useInvitedUsers();
  let metrc: FakeMetrc;
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs), sleep: () => systemClock.sleep(0) };
  beforeAll(() => {
    for (const name of partnerKeys) vi.stubEnv(name, "");
    vi.stubEnv("METRC_VENDOR_KEY_CO", "vendor+key");
  });
  beforeEach(async () => {
    passedMs = 0;
    metrc = new FakeMetrc(1, () => clock.now());
    await metrc.start();
    vi.stubEnv("POS_METRC_URL", metrc.url);
  });
  afterEach(() => metrc.close());
  afterAll(() => void vi.unstubAllEnvs());

  /** @param numbers the licenses to link */
  async function given(numbers: readonly string[] = [licenseNumber]) {
    const business = await givenInvited(users.table());
    const { crbId, call, robin } = business;
    await importRows(numbers.map((number) => ({ number, expires_in: 400 })));
    const at = (license_number: string) => ({ crb_id: crbId, license_number });
    for (const number of numbers) {
      const path = { crb_id: crbId, license_id: await licenseIdOf(number) };
      await call(link, {
        resource: "/service-providers/{sp_id}/crbs/{crb_id}/licenses/{license_id}",
        method: "PUT",
        path,
      });
    }
    const key = (user_key: string) => ({ system: "Metrc", user_key });
    const one = `${connections}/{license_number}`;
    const ofUser = `${own}/{license_number}`;
    return {
      ...business,
      set: (user_key = "user/key", number = licenseNumber, body: object = key(user_key)) =>
        call(set, { resource: one, method: "PUT", path: at(number), body }),
      get: (number = licenseNumber) => call(get, { resource: one, path: at(number) }),
      remove: (number = licenseNumber) => call(remove, { resource: one, method: "DELETE", path: at(number) }),
      list: () => call(list, { resource: connections, path: { crb_id: crbId } }),
      days: (query: Record<string, string[]> = {}) =>
        call(listDays, {
          resource: "/service-providers/{sp_id}/crbs/{crb_id}/state-days",
          path: { crb_id: crbId },
          query,
        }),
      user: {
        set: (user_key = "user/key", number = licenseNumber) =>
          robin.call(set, { resource: ofUser, method: "PUT", path: { license_number: number }, body: key(user_key) }),
        list: () => robin.call(list, { resource: own }),
        get: (number = licenseNumber) => robin.call(get, { resource: ofUser, path: { license_number: number } }),
        remove: (number = licenseNumber) =>
          robin.call(remove, { resource: ofUser, method: "DELETE", path: { license_number: number } }),
      },
    };
  }

  return {
    ...users,
    metrc: () => metrc,
    clock,
    given,
    /** A business that has consented and connected its license. */
    async givenConnected() {
      const business = await given();
      await business.robin.consent();
      await business.set();
      return business;
    },
    /** Lets hours pass, and reads the licenses that are due then. */
    async sweep(hours = 0) {
      passedMs += hours * hourMs;
      return sweepStateConnections(users.table(), {
        clock,
        metrc: { firstPauseMs: 1, requestsPerSecond: Number.POSITIVE_INFINITY },
      });
    },
  };
}
