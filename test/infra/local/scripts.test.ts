import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));
const names = Object.keys(scripts);

/** The scripts that npm runs before or after others, or with an installation. */
const lifecycle = /^(pre|post)?(install|pack|prepare|publish|version|uninstall|shrinkwrap)(Only)?$|^dependencies$/;
const hooks = names.filter(
  (name) => lifecycle.test(name) || names.some((other) => name === `pre${other}` || name === `post${other}`),
);

test("package.json has at most 33 scripts, and only those after an installation and before test are hooks", () => {
  expect(names.length).toBeLessThanOrEqual(33);
  expect(hooks).toEqual(["prepare", "pretest"]);
});

test("start and test install packages; every other script first checks that they are installed", () => {
  expect([scripts.start, scripts.pretest]).toEqual(["node infra/local/start.mjs", "node infra/local/install.mjs"]);
  const check = /^node (--max-\S+ )*(--import=\.\/)?infra\/local\/require(Dev)?Dependencies\.mjs /;
  const others = names.filter((name) => !["start", "test", ...hooks].includes(name));
  expect(others.filter((name) => !check.test(scripts[name] ?? ""))).toEqual([]);
});
