import { expect, test } from "vitest";
import { moveOnboarding } from "../../../../shared/domain/onboarding/statusChange.ts";
import { givenOnboarding } from "../../../functions/onboarding/givenOnboarding.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();

test("a CRB is onboarded by the service, paused and resumed, and its answers keep the dates", async () => {
  const { crbId, template } = await givenOnboarding(table(), undefined, { status: "svc_pending" });
  const move = (name: Parameters<typeof moveOnboarding>[2]) => moveOnboarding(table(), crbId, name);
  expect(await move("start")).toEqual({ from: "svc_pending", to: "svc_in_progress" });
  expect((await template()).json).not.toHaveProperty("submitted_date");
  expect(await move("submit")).toEqual({ from: "svc_in_progress", to: "svc_awaiting_review" });
  const submitted = (await template()).json;
  expect(submitted).toMatchObject({ status: "svc_awaiting_review", submitted_date: submitted.last_updated });
  expect(await move("approve")).toEqual({ from: "svc_awaiting_review", to: "svc_approved" });
  expect(await move("pause")).toEqual({ from: "svc_approved", to: "bank_disconnected" });
  const paused = (await template()).json;
  expect(paused).toMatchObject({ status: "bank_disconnected", disconnected_on: paused.last_updated });
  expect(await move("resume")).toEqual({ from: "bank_disconnected", to: "bank_pending" });
  expect((await template()).json).toMatchObject({ status: "bank_pending", disconnected_on: null });
});

test("a transition that is not allowed changes nothing, and an unknown CRB has none", async () => {
  const { crbId, template } = await givenOnboarding(table());
  const before = (await template()).json;
  expect(await moveOnboarding(table(), crbId, "resume")).toEqual({ from: "svc_approved" });
  expect((await template()).json).toEqual(before);
  expect(await moveOnboarding(table(), "unknown", "pause")).toBeUndefined();
});
