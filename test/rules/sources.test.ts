import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Lines of the given files that break a rule, as `file:line text`. */
function offences(files: string, pattern: RegExp, except: readonly string[] = []): string[] {
  const found = globSync(files).filter((file) => !except.includes(file));
  expect(found).not.toEqual([]);
  return found.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

test("handlers do not use the AWS SDK directly", () => {
  expect(offences("functions/**/*.ts", /@aws-sdk\//)).toEqual([]);
});

test("handlers do not catch errors and do not build responses", () => {
  expect(offences("functions/!(replication)/**/*.ts", /\bcatch\b|statusCode/)).toEqual([]);
});

test("keys of the table are built only in shared/store/keys", () => {
  // `#name` placeholders of expressions have no interpolation directly after the sign.
  expect(
    offences(
      "{functions,shared,infra}/**/*.ts",
      /[`"'][A-Z_]+#|\}#\$\{|#\$\{(?!i\}|name)/,
      // Scripts of pages make addresses with fragments.
      [...globSync("shared/store/keys/*.ts"), ...globSync("shared/web/**/*.ts")],
    ),
  ).toEqual([]);
});

test("connectors and uploads read means of payment by their names and state none themselves", () => {
  const stated = /(?<!=== )["'`](cash|check|debit|credit|multiple|ach|wire)["'`]/;
  expect(offences("shared/pos/{connectors,upload}/**/*.ts", stated)).toEqual([]);
});

test("the operator's programs write to a terminal only by functions that escape control characters", () => {
  const allowed = ["infra/tools/operator/terminal.ts"];
  expect(
    offences("infra/tools/operator/**/*.ts", /\b(stdout|stderr)\??\.write\(|console\.|styleText/, allowed),
  ).toEqual([]);
});

test("the operation registry imports no handler", () => {
  expect(offences("shared/**/*.ts", /from "(\.\.\/)+functions\//)).toEqual([]);
});

test("a permanent removal is written to the journal before it happens", () => {
  const unnoted =
    /\b(eraseCustomer|endAssociation|purgeCrb|purgeServiceProvider|endCredential|revokeCredential|revokeEach)\b.*from "(?!.*api\/operations\/)/;
  expect(offences("{functions,infra}/**/*.ts", unnoted)).toEqual([]);
  expect(offences("{functions,infra}/**/*.ts", /\bwithdrawConsent\b.*from ".*onboarding\//)).toEqual([]);
  expect(offences("{functions,infra}/**/*.ts", /\b(deleteEndpoint|rotateSecret)\b.*from "/)).toEqual([]);
});

test("zod is imported as a namespace, which keeps bundles small", () => {
  expect(offences("{functions,shared,infra}/**/*.ts", /import (?!(type )?\* as z).*from "zod"/)).toEqual([]);
});

test("no folder or file has a catch-all name", () => {
  expect(globSync("{clients,functions,shared,infra,test}/**/{utils,helpers,lib,src,common,misc}*")).toEqual([]);
});

test("no text cites a contract by section numbers", () => {
  const section = /\bcontract,? (section )?(\d|\$\{)/i;
  expect(offences("{README,CONTRIBUTING,SECURITY}.md", section)).toEqual([]);
  expect(offences("docs/!(releases)/**/*.{md,json}", section)).toEqual([]);
  expect(offences("docs/*.{md,json}", section)).toEqual([]);
  expect(offences("{functions,infra,shared,test}/**/*.{ts,tsx,mjs}", section)).toEqual([]);
});

test("texts for callers and operators do not cite the specification's file", () => {
  // Comments may cite it.
  const code = /^(?!\s*(\/\/|\/?\*))((?!\s\/\/ |\/\*\*).)*docs\/spec\.md/;
  expect(offences("{functions,infra,shared}/**/*.{ts,tsx,mjs}", code)).toEqual([]);
});

test("the tests that docs/security.md names exist", () => {
  const named = readFileSync("docs/security.md", "utf8").matchAll(/`(test\/[^`]+)`/g);
  const files = [...new Set([...named].map(([, file]) => file as string))];
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
