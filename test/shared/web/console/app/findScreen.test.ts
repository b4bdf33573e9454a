import { expect, test } from "vitest";
import {
  addressOf,
  findScreen,
  menuAddress,
  nextAfter,
  pathIn,
} from "../../../../../shared/web/console/app/findScreen.ts";

const screens = [{ path: "/" }, { path: "/businesses/:crb_id" }, { path: "/businesses/:crb_id/licenses" }];

test.each<[string, string | undefined, Record<string, string>, Record<string, string>]>([
  ["", "/", {}, {}],
  ["#main", "/", {}, {}],
  ["#/", "/", {}, {}],
  ["#/?status=open", "/", {}, { status: "open" }],
  ["#/businesses/%E0", "/businesses/:crb_id", { crb_id: "%E0" }, {}],
  ["#/businesses/x/licenses?from=a?b&to=", "/businesses/:crb_id/licenses", { crb_id: "x" }, { from: "a?b", to: "" }],
  ["#/elsewhere", undefined, {}, {}],
])("the fragment %j names the screen %s", (fragment, path, parameters, query) => {
  const found = findScreen(screens, pathIn(fragment));
  expect(found?.screen.path).toBe(path);
  if (!found) return;
  expect(found.place.parameters).toEqual(parameters);
  expect(Object.fromEntries(found.place.query)).toEqual(query);
});

test("the menu leads to a screen without its optional parameter", () => {
  expect(menuAddress({ path: "/insights/:id?" })).toBe("#/insights");
  expect(menuAddress({ path: "/" })).toBe("#/");
});

test("an address has only the filters that are set", () => {
  expect(addressOf("/insights", { status: "", crb_id: undefined })).toBe("#/insights");
  expect(addressOf("/insights/a", { status: "open", crb_id: "b c" })).toBe("#/insights/a?status=open&crb_id=b+c");
});

test.each([
  ["a", "b"],
  ["b", "c"],
  ["c", "a"],
  ["elsewhere", "a"],
])("after %s comes %s", (chosen, next) => {
  expect(nextAfter(["a", "b", "c"], (each) => each === chosen)).toBe(next);
});

test("nothing comes after the only item", () => {
  expect(nextAfter(["a"], (each) => each === "a")).toBeUndefined();
});
