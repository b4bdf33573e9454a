import type { Deployed, Deployment } from "./deployment.ts";
import type { Statement } from "./iamPolicy.ts";

interface Policy {
  PolicyDocument: { Statement: Statement[] };
}

/** All permissions of a role: from its inline policies and from those that name it. */
export function rolePolicy(deployment: Deployment, { name, properties }: Deployed): Statement[] {
  if (properties.ManagedPolicyArns?.length)
    throw new Error(`${name} has managed policies, whose permissions are unknown here`);
  const attached = deployment
    .resources("AWS::IAM::Policy")
    .filter((policy) => policy.properties.Roles?.includes(name))
    .map((policy) => policy.properties as Policy);
  const policies: Policy[] = [...(properties.Policies ?? []), ...attached];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}
