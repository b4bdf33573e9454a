import { expect, test } from "vitest";
import { exchangeToken } from "../../../shared/api/operations/authentication.ts";
import { getCrb } from "../../../shared/api/operations/crbs.ts";
import { createMockResponses } from "../../../shared/http/mockResponses.ts";

const bodiesOf = (...parameters: Parameters<typeof createMockResponses>) => {
  const { success, rejection } = createMockResponses(...parameters);
  expect([success.status, rejection.status]).toEqual([200, 401]);
  return [success, rejection].map(({ body }) => JSON.parse(body ?? ""));
};
const unauthorized = {
  name: "Unauthorized",
  code: "unauthorized",
  message: "A valid credential is needed in the Authorization header.",
  status: 401,
};

test("the mock stage returns the example, or a 401", () => {
  expect(bodiesOf(exchangeToken, "json")).toEqual([exchangeToken.success.example, unauthorized]);
});

test("a form gets a response for an OAuth 2 library", () => {
  const [example, rejection] = bodiesOf(exchangeToken, "form");
  expect(example).toEqual(exchangeToken.form.example);
  expect(rejection).toMatchObject({ ...unauthorized, error: "invalid_client" });
});

test("a form gets the ordinary example if the operation has no example for forms", () => {
  expect(bodiesOf(getCrb, "form")[0]).toEqual(getCrb.success.example);
});
