import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  IAMClient,
  NoSuchEntityException,
  paginateListRolePolicies,
} from "@aws-sdk/client-iam";

/**
 * Deletes a role and its inline policies, the only policies that a stage's roles have. A missing role is no error.
 * @param RoleName its name
 */
export async function deleteRole(region: string, RoleName: string): Promise<void> {
  const client = new IAMClient({ region });
  try {
    const names: string[] = [];
    for await (const { PolicyNames = [] } of paginateListRolePolicies({ client }, { RoleName }))
      names.push(...PolicyNames);
    for (const PolicyName of names) await client.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
    await client.send(new DeleteRoleCommand({ RoleName }));
  } catch (error) {
    if (!(error instanceof NoSuchEntityException)) throw error;
  } finally {
    client.destroy();
  }
}
