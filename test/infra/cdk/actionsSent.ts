import { readFileSync } from "node:fs";
import { filesIn, importsOf } from "../../rules/imports.ts";

/** What IAM calls a service, where its client is not called so. */
const services: Readonly<Record<string, string>> = { "api-gateway": "apigateway", sesv2: "ses" };

/** The actions that are not called as their command. */
const otherNames: Readonly<Record<string, string>> = { "lambda:Invoke": "lambda:InvokeFunction" };

/** The verbs by which IAM knows the calls of API Gateway. */
const verbs: Readonly<Record<string, string>> = { Get: "GET", Delete: "DELETE" };

/** The actions of IAM that a program needs: those of all commands of AWS that it, and what it imports, can send. */
export function actionsSent(program: string): Set<string> {
  const imports = importsOf("infra/**/*.ts");
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
