import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { sweepStateConnections } from "../../../shared/domain/stateSystems/sweepStateConnections.ts";
import { partnerKeys } from "../../../shared/pos/partnerKeys.ts";
import { stateConnectionsKey, stateConnectionsPartition } from "../../../shared/store/keys/stateSystems.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { localDay } from "../../../shared/time/localTime.ts";
import { importRows, licenseIdOf } from "../../shared/domain/linkedLicenses/givenLicenses.ts";
import { FakeMetrc } from "../../shared/pos/fakes/fakeMetrc.ts";
import type { OperationRequest } from "../callHandler.ts";
import { givenInvited } from "../onboarding/givenInvited.ts";
import { useInvitedUsers } from "../onboarding/useInvitedUsers.ts";

const hourMs = 3_600_000;

/** The number of the license that the fake has. */
export const licenseNumber = "402R-00001";

/** A day in the time zone of the businesses, counted back from today. */
export const daysAgo = (days: number): string => addDays(localDay(new Date(), "America/Denver"), -days);

/** Businesses whose license is linked, and a fake of Metrc that reads them. */
export function useStateBusinesses() {
  const users = useInvitedUsers();
  let metrc: FakeMetrc;
  let passedMs = 0;
  /** The licenses in the register. */
  const imported = new Set<string>();
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
  afterEach(async () => {
    await metrc.close();
    // A sweep reads the licenses of all businesses, so later tests would read those of this one.
    const connections = await users.table().queryPartition(stateConnectionsPartition, { consistent: true });
    for (const { sk } of connections) await users.table().delete(stateConnectionsKey(sk));
  });
  afterAll(() => void vi.unstubAllEnvs());

  /** @param numbers the licenses to link */
  async function given(numbers: readonly string[] = [licenseNumber]) {
    const business = await givenInvited(users.table());
    const { call, robin } = business;
    const isNew = numbers.some((number) => !imported.has(number));
    for (const number of numbers) imported.add(number);
    if (isNew) await importRows([...imported].map((number) => ({ number, expires_in: 400 })));
    const at = (license_number: string, body?: object) => ({ path: { license_number }, body });
    for (const number of numbers) await call("linkCrbLicense", { path: { license_id: await licenseIdOf(number) } });
    const key = (user_key: string) => ({ system: "Metrc", user_key });
    return {
      ...business,
      set: (user_key = "user/key", number = licenseNumber, body: object = key(user_key)) =>
        call("setCrbStateConnection", at(number, body)),
      get: (number = licenseNumber) => call("getCrbStateConnection", at(number)),
      remove: (number = licenseNumber) => call("deleteCrbStateConnection", at(number)),
      list: () => call("listCrbStateConnections"),
      days: (query: OperationRequest["query"] = {}) => call("listStateDays", { query }),
      user: {
        set: () => robin.call("setOnboardingStateConnection", at(licenseNumber, key("user/key"))),
        list: () => robin.call("listOnboardingStateConnections"),
        get: () => robin.call("getOnboardingStateConnection", at(licenseNumber)),
        remove: () => robin.call("deleteOnboardingStateConnection", at(licenseNumber)),
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
