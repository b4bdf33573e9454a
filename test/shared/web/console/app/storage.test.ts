import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  drafts,
  endSessions,
  hasSignedOutSince,
  keepSession,
  mustAuthenticate,
  readSession,
  type StoredSession,
} from "../../../../../shared/web/console/app/storage.ts";

/** As in a browser: the keys of the object are those that are stored. */
class MemoryStorage {
  getItem(name: string): string | null {
    return (this as unknown as Record<string, string>)[name] ?? null;
  }
  setItem(name: string, value: string): void {
    Object.assign(this, { [name]: value });
  }
  removeItem(name: string): void {
    Reflect.deleteProperty(this, name);
  }
}

const hour = 3_600_000;

beforeEach(() => {
  vi.stubGlobal("sessionStorage", new MemoryStorage());
  vi.stubGlobal("localStorage", new MemoryStorage());
  vi.useFakeTimers({ now: Date.parse("2026-05-04T12:00:00Z") });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const sessionOf = (sub: string, sp_id = "bank-a"): StoredSession => ({
  ...{
    shortName: sp_id,
    token: "t",
    signedInAt: Date.now(),
    renewsAt: Date.now() + hour,
    expiresAt: Date.now() + hour,
  },
  ...{ person: { sub, name: null, role: "viewer" }, institution: { name: sp_id, sp_id } },
});

describe("a clock that was a day ahead at the sign-out and was set back", () => {
  test("lets the person sign in again, after another authentication", () => {
    vi.setSystemTime(Date.now() + 24 * hour);
    keepSession(sessionOf("a"));
    endSessions();
    vi.setSystemTime(Date.now() - 24 * hour);
    expect(mustAuthenticate("bank-a")).toBe(true);
    vi.advanceTimersByTime(1_000);
    const begun = Date.now();
    vi.advanceTimersByTime(1_000);
    expect(hasSignedOutSince(begun)).toBe(false);
    keepSession(sessionOf("a"));
    expect(readSession("bank-a")).toMatchObject({ person: { sub: "a" } });
  });

  test("ends the session of another tab that began by that clock, at a sign-out by the right one", () => {
    vi.setSystemTime(Date.now() + hour / 6);
    keepSession(sessionOf("a"));
    const ofOtherTab = sessionStorage.getItem("console:session") ?? "";
    vi.setSystemTime(Date.now() - hour / 6);
    endSessions();
    sessionStorage.setItem("console:session", ofOtherTab);
    expect(readSession("bank-a")).toBeUndefined();
  });

  test("ends the session of another tab from before", () => {
    keepSession(sessionOf("a"));
    const ofOtherTab = sessionStorage.getItem("console:session") ?? "";
    vi.setSystemTime(Date.now() + 24 * hour);
    endSessions();
    vi.setSystemTime(Date.now() - 24 * hour + 1_000);
    sessionStorage.setItem("console:session", ofOtherTab);
    expect(readSession("bank-a")).toBeUndefined();
  });
});

describe("drafts", () => {
  test.each([
    ["the same person", sessionOf("a"), "typed"],
    ["another person", sessionOf("b"), ""],
    ["a person with the same id at another institution", sessionOf("a", "bank-b"), ""],
  ])("after the next sign-in of %s", (_, next, left) => {
    keepSession(sessionOf("a"));
    drafts.write("invitation", "typed");
    keepSession(next);
    expect(drafts.read("invitation", "")).toBe(left);
  });
});
