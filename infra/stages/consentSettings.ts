import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { TermsSettings } from "../../shared/domain/onboarding/terms.ts";
import { termsIssues } from "../../shared/domain/onboarding/termsIssues.ts";
import type { StageName, StageSettings } from "./stages.ts";

const root = join(import.meta.dirname, "../..");
const settingsFile = "infra/stages/stages.ts";

/** The settings that the page of invitations, its mails and the terms of consent show. */
type ConsentSettings = Pick<StageSettings, keyof TermsSettings>;

/** The errors in a stage's `operatorName`, `privacyUrl` and terms file, each with its correction; empty if all are valid. */
export function consentSettingIssues(name: StageName, settings: ConsentSettings): string[] {
  const { operatorName, privacyUrl, termsFile } = settings;
  const issues: string[] = [];
  if (!/^\S(?:[^\p{C}{}]{0,98}\S)?$/u.test(operatorName)) {
    issues.push(
      `Set operatorName of stage ${name} in ${settingsFile} to the name of the company that runs the stage: 1 to 100 characters in one line, without braces.`,
    );
  }
  if (!/^https:\/\/[^\s<>"{}]+$/.test(privacyUrl) || !URL.canParse(privacyUrl)) {
    issues.push(
      `Set privacyUrl of stage ${name} in ${settingsFile} to the https address of the operator's privacy notice.`,
    );
  }
  const text = readTermsFile(termsFile);
  if (text === undefined) {
    issues.push(
      `Set termsFile of stage ${name} in ${settingsFile} to the path of a file in this project: ${termsFile} cannot be read.`,
    );
    return issues;
  }
  return [
    ...issues,
    ...termsIssues(text, settings).map((issue) => `Correct ${termsFile}, the terms of stage ${name}: ${issue}.`),
  ];
}

function readTermsFile(path: string): string | undefined {
  // The bundles of the functions contain the file under the same path.
  if (isAbsolute(path) || path.split("/").includes("..")) return undefined;
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}
