import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { decrypt, encrypt, KmsError } from "../../kmsKey.ts";
import type { Deployment } from "./deployment.ts";
import type { Access } from "./iamPolicy.ts";
import { AccessDenied, type Principal, type Principals } from "./principals.ts";
import { rolePolicy } from "./rolePolicy.ts";

/**
 * Replaces KMS, Secrets Manager and STS as far as functions use them. Checks each call against the signer's policy.
 *
 * @param secretOf the content of a secret, by its ARN
 */
export function createSecretServices(
  principals: Principals,
  deployment: Deployment,
  secretOf: (arn: string) => string,
): Server {
  /** @returns the response, as JSON or as the text of XML */
  function answer(operation: string, body: string, signer: Principal): object | string {
    const permit = (access: Access) => principals.authorize(signer, [access]);
    switch (operation) {
      case "secretsmanager.GetSecretValue": {
        const { SecretId } = JSON.parse(body);
        permit({ action: "secretsmanager:GetSecretValue", resource: SecretId });
        return { ARN: SecretId, Name: SecretId, SecretString: secretOf(SecretId) };
      }
      case "TrentService.Encrypt":
      case "TrentService.Decrypt": {
        const request = JSON.parse(body);
        const action = operation.replace("TrentService.", "");
        const context = Object.entries<string>(request.EncryptionContext ?? {});
        permit({
          action: `kms:${action}`,
          resource: request.KeyId,
          context: Object.fromEntries(context.map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]])),
        });
        return action === "Encrypt" ? encrypt(request) : decrypt(request);
      }
      default: {
        const form = new URLSearchParams(body);
        if (form.get("Action") !== "AssumeRole") throw new Error(`the test stage does not know ${operation}`);
        permit({ action: "sts:AssumeRole", resource: form.get("RoleArn") ?? "" });
        return assumeRole(form, signer);
      }
    }
  }

  /** A session has the permissions that both the role and the session's own policy grant. */
  function assumeRole(form: URLSearchParams, signer: Principal): string {
    const roles = deployment.resources("AWS::IAM::Role");
    const role = roles.find(({ arn }) => arn === form.get("RoleArn"));
    const caller = roles.find(({ id }) => id === signer.role);
    const trusted = role?.properties.AssumeRolePolicyDocument.Statement.some(
      ({ Principal }: { Principal: { AWS?: string } }) => Principal.AWS === caller?.arn,
    );
    const seconds = Number(form.get("DurationSeconds"));
    if (!role || !trusted || seconds > role.properties.MaxSessionDuration) throw new AccessDenied("no such session");
    const own = JSON.parse(form.get("Policy") ?? "{}").Statement;
    const session = principals.admit(role.id, rolePolicy(deployment, role), ...(own ? [own] : []));
    const expiration = new Date(Date.now() + seconds * 1_000).toISOString();
    const credentials = `<AccessKeyId>${session.accessKeyId}</AccessKeyId><SecretAccessKey>${session.secretAccessKey}</SecretAccessKey><SessionToken>session</SessionToken><Expiration>${expiration}</Expiration>`;
    return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>${credentials}</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
  }

  return createServer(async (request, response) => {
    const send = (status: number, result: object | string) =>
      typeof result === "string"
        ? response.writeHead(status, { "Content-Type": "text/xml" }).end(result)
        : response.writeHead(status, { "Content-Type": "application/x-amz-json-1.1" }).end(JSON.stringify(result));
    try {
      send(200, answer(operationOf(request), await text(request), principals.signerOf(request)));
    } catch (error) {
      if (error instanceof AccessDenied) send(400, { __type: "AccessDeniedException", message: error.message });
      else if (error instanceof KmsError) send(error.status, { __type: error.message });
      else throw error;
    }
  });
}

const operationOf = ({ headers }: IncomingMessage): string => String(headers["x-amz-target"] ?? "");
