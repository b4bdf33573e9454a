import { GetRolePolicyCommand, IAMClient, paginateListRolePolicies, paginateListRoles } from "@aws-sdk/client-iam";
import { LambdaClient, paginateListFunctions } from "@aws-sdk/client-lambda";
import { region } from "../deployed/template.ts";

/** The names of the account's functions, by their descriptions. */
export async function functions(): Promise<Record<string, string>> {
  const client = new LambdaClient({ region });
  const found: Record<string, string> = {};
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const { Description = "", FunctionName = "" } of Functions) found[Description] = FunctionName;
  }
  return found;
}

/** The names of the account's roles. */
export async function roles(): Promise<string[]> {
  const client = new IAMClient({ region });
  const names: string[] = [];
  for await (const { Roles = [] } of paginateListRoles({ client }, {})) {
    names.push(...Roles.map(({ RoleName = "" }) => RoleName));
  }
  return names;
}

/** The roles that may assume another one. */
export async function mayAssume(other: string): Promise<string[]> {
  const client = new IAMClient({ region });
  const found: string[] = [];
  for (const RoleName of await roles()) {
    for await (const { PolicyNames = [] } of paginateListRolePolicies({ client }, { RoleName })) {
      for (const PolicyName of PolicyNames) {
        const { PolicyDocument = "" } = await client.send(new GetRolePolicyCommand({ RoleName, PolicyName }));
        if (decodeURIComponent(PolicyDocument).includes(`role/${other}`)) found.push(RoleName);
      }
    }
  }
  return found;
}
