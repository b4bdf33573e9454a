import { readFileSync } from "node:fs";
import { filesIn, importsOf } from "../../rules/imports.ts";

/** IAM's names of services whose clients have other names. */
const services: Readonly<Record<string, string>> = { "api-gateway": "apigateway", sesv2: "ses" };

/** Actions whose names differ from their commands. */
const otherNames: Readonly<Record<string, string>> = { "lambda:Invoke": "lambda:InvokeFunction" };

/** The verbs that IAM uses for calls of API Gateway. */
const verbs: Readonly<Record<string, string>> = { Get: "GET", Delete: "DELETE" };

/** The IAM actions that a program needs: one for each AWS command that the program and its imports can send. */
export function actionsSent(program: string): Set<string> {
  const imports = importsOf("{infra,shared/store}/**/*.ts");
  const actions = new Set<string>();
  const seen = new Set<string>();
  const read = (file: string): void => {
    if (seen.has(file) || !imports.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, names = "", client = ""] of text.matchAll(/import \{([^}]*)\} from "@aws-sdk\/client-([\w-]+)"/g)) {
      for (const [, paginated, sent] of names.matchAll(/\b(?:paginate(\w+)|([A-Z]\w+)Command)\b/g)) {
        const name = paginated ?? sent ?? "";
        const action = client === "api-gateway" ? verbs[/^[A-Z][a-z]+/.exec(name)?.[0] ?? ""] : name;
        const full = `${services[client] ?? client}:${action}`;
        actions.add(otherNames[full] ?? full);
      }
    }
    for (const each of filesIn(file, imports.get(file))) read(each);
  };
  read(program);
  return actions;
}
