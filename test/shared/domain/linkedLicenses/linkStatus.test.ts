import { expect, test } from "vitest";
import type { License } from "../../../../shared/api/schemas/license.ts";
import { endOn, registerFacts, statusOn } from "../../../../shared/domain/linkedLicenses/linkStatus.ts";

const day = "2026-03-01";

/** The status of a link whose license has these words and this expiry. */
function statusOf(reported_license_status: string, expires_at: string | null) {
  const license = {
    ...{ reported_license_status, uniform_license_status_description: "Inactive" },
    ...{ status_date: "2026-01-05", expires_at },
  } as License;
  return statusOn(registerFacts(license, undefined), day);
}

test.each(["Expired", "EXP", "License Expired", "Vencida"])(
  "the status of a license with the words %s and an expiry that has not passed is unknown",
  (reported) => {
    for (const expiresAt of [day, "2027-12-31"])
      expect(statusOf(reported, expiresAt)).toEqual({ status: "unknown", statusDate: "2026-01-05" });
  },
);

test("a license is expired since the day after its expiry, or since the date of its status if it has no expiry", () => {
  expect(statusOf("Expired", "2026-02-28")).toEqual({ status: "expired", statusDate: "2026-03-01" });
  expect(statusOf("Expired", null)).toEqual({ status: "expired", statusDate: "2026-01-05" });
});

test("a license that has ended for another reason is inactive before its expiry, too", () => {
  for (const reported of ["Revoked", "Expired - Revoked", "Suspended"])
    expect(statusOf(reported, "2027-12-31").status).toBe("inactive");
});

test("a license that expired before the day of its status ended with its expiry", () => {
  const license = (uniform_license_status_description: string, expires_at: string | null) =>
    ({
      uniform_license_status_description,
      reported_license_status: "",
      status_date: "2026-01-20",
      expires_at,
    }) as License;
  const endOf = (uniform: string, expiresAt: string | null) =>
    endOn(registerFacts(license(uniform, expiresAt), undefined), day);
  expect(endOf("Inactive", "2026-01-10")).toBe("2026-01-11");
  expect(endOf("Inactive", "2026-02-10")).toBe("2026-01-20");
  expect(endOf("Inactive", null)).toBe("2026-01-20");
  expect(endOf("Active", "2026-01-10")).toBe("2026-01-11");
  expect(endOf("Unknown", "2026-12-31")).toBeNull();
});
