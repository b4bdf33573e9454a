import { DeleteRoleCommand, DeleteRolePolicyCommand, IAMClient, paginateListRolePolicies } from "@aws-sdk/client-iam";

/** Removes a role with the policies inside it, of which a function's role has no others. @param arn the role's */
export async function deleteRole(region: string, arn: string): Promise<void> {
  const RoleName = arn.split("/").at(-1) ?? "";
  const client = new IAMClient({ region });
  try {
    const names: string[] = [];
    for await (const { PolicyNames = [] } of paginateListRolePolicies({ client }, { RoleName }))
      names.push(...PolicyNames);
    for (const PolicyName of names) await client.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
    await client.send(new DeleteRoleCommand({ RoleName }));
  } finally {
    client.destroy();
  }
}
