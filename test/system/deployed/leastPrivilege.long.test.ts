import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bucket, bucketOf, fileKey } from "../../../shared/domain/documents/bucket.ts";
import { endDownloadLinks } from "../../../shared/domain/documents/endLinks.ts";
import { newStorageKey } from "../../../shared/domain/documents/removals.ts";
import { Table } from "../../../shared/store/client.ts";
import { crbKey, posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import { credentialKey, rateLimitKey, tokenCountKey, tokenKey } from "../../../shared/store/keys/credentials.ts";
import { recordKey, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { demoDirectory } from "../../api/useStage.ts";
import { type DeployedStage, startDeployedStage } from "./deployedStage.ts";
import { rolePolicy } from "./rolePolicy.ts";
import { region } from "./template.ts";

describe("a function's own access key", () => {
  let stage: DeployedStage;
  beforeAll(async () => {
    stage = await startDeployedStage(await demoDirectory());
  });
  afterAll(() => stage?.stop());

  /** Table and bucket with the permissions of this role's function. */
  function as(roleName: RegExp): { table: Table; bucket: Bucket; crbId: string } {
    const { deployment, principals, services, description } = stage;
    const role = deployment.resources("AWS::IAM::Role").find(({ id }) => roleName.test(id)) ?? expect.fail();
    const { accessKeyId, secretAccessKey } = principals.admit(role.id, rolePolicy(deployment, role));
    const access = { region, credentials: { accessKeyId, secretAccessKey } };
    return {
      table: new Table(stage.table.name, new DynamoDBClient({ endpoint: services.DYNAMODB, ...access })),
      bucket: bucketOf(deployment.output("DocumentsBucket"), { endpoint: services.S3, ...access }),
      crbId: description.crbs[0]?.crb_id ?? expect.fail(),
    };
  }
  const denied = { name: "AccessDeniedException" };
  const deniedByS3 = { name: "AccessDenied" };
  const get = ({ name, client }: Bucket, key: string) => client.send(new GetObjectCommand({ Bucket: name, Key: key }));

  test("reads the function's records, and neither other records nor secrets", async () => {
    const { table, crbId } = as(/^GetCustomerRole/);
    const customer = recordKey(recordList(crbId, "customer"), "none");
    expect(await table.get(customer)).toBeUndefined();
    for (const key of [recordKey(recordList(crbId, "sale"), "none"), crbKey(crbId), posCredentialsKey(crbId)]) {
      await expect(table.get(key)).rejects.toMatchObject(denied);
    }
    await expect(table.batchGet([credentialKey(crbId), posCredentialsKey(crbId)])).rejects.toMatchObject(denied);
  });

  test("writes nothing if the function only reads, alone or in a transaction", async () => {
    const { table, crbId } = as(/^GetCustomerRole/);
    const item = { ...recordKey(recordList(crbId, "customer"), "none"), text: "x" };
    await expect(table.put(item)).rejects.toMatchObject(denied);
    await expect(table.transact([table.putWrite(item)])).rejects.toMatchObject(denied);
    await expect(table.delete(item)).rejects.toMatchObject(denied);
  });

  test("of the search counts searches, and cannot change credentials", async () => {
    const { table, crbId } = as(/^SearchCustomersRole/);
    const update = { expression: "ADD in_day :one", values: { ":one": 1 } };
    const anything = "attribute_not_exists(nothing)";
    expect(await table.change(rateLimitKey(crbId, "searchCrbCustomers", "2026-03-01"), update, anything)).toEqual({
      done: true,
    });
    await expect(table.change(credentialKey(crbId), update, anything)).rejects.toMatchObject(denied);
    await expect(table.get(rateLimitKey(crbId, "searchCrbCustomers", "2026-03-01"))).rejects.toMatchObject(denied);
  });

  test("of the token exchange stores tokens, and cannot write credentials", async () => {
    const { table, crbId } = as(/^ExchangeTokenRole/);
    const update = { expression: "ADD issued :one", values: { ":one": 1 } };
    await table.put({ ...tokenKey(crbId, "digest"), scopes: [] });
    expect(await table.change(tokenCountKey(crbId), update, "attribute_not_exists(nothing)")).toEqual({ done: true });
    await expect(table.put({ ...credentialKey(crbId), scopes: ["admin"] })).rejects.toMatchObject(denied);
    await expect(table.delete(credentialKey(crbId))).rejects.toMatchObject(denied);
    await expect(table.change(credentialKey(crbId), update, "attribute_not_exists(nothing)")).rejects.toMatchObject(
      denied,
    );
    await expect(table.transact([table.putWrite({ ...credentialKey(crbId) })])).rejects.toMatchObject(denied);
  });

  test("of a function that adds documents stores them, and can neither read nor remove any", async () => {
    const { bucket, crbId } = as(/^AddRequirementDocumentRole/);
    await bucket.store(`${crbId}/a`, "YQ==", "text/plain");
    await expect(bucket.store("uploads/a", "YQ==", "text/plain")).rejects.toMatchObject(deniedByS3);
    await expect(get(bucket, `${crbId}/a`)).rejects.toMatchObject(deniedByS3);
    await expect(bucket.remove(`${crbId}/a`)).rejects.toMatchObject(deniedByS3);
    const link = await bucket.signDownload(`${crbId}/a`, "a.txt");
    expect((await fetch(link.link)).status).toBe(403);
  });

  test("of a function that signs upload links cannot store uploads itself", async () => {
    const { bucket, crbId } = as(/^CreateDocumentUploadRole/);
    await expect(bucket.store(`uploads/${crbId}/a`, "YQ==", "text/plain")).rejects.toMatchObject(deniedByS3);
    const { link } = await bucket.signUpload(`uploads/${crbId}/a`, "text/plain", 1);
    const headers = { "Content-Type": "text/plain", "If-None-Match": "*" };
    expect((await fetch(link, { method: "PUT", body: "a", headers })).status).toBe(403);
  });

  test("of the reader of documents cannot read one whose association has ended, even by an earlier link", async () => {
    const { bucket, crbId } = as(/^AddRequirementDocumentRole/);
    await bucket.store(`${crbId}/tagged`, "YQ==", "text/plain");
    const { link } = await as(/^DocumentReader/).bucket.signDownload(`${crbId}/tagged`, "a.txt");
    expect((await fetch(link)).status).toBe(200);
    const file = await as(/^DocumentReader/).bucket.signDownload(fileKey(`${crbId}/tagged`), "a.txt");
    expect((await fetch(file.link)).status).toBe(200);
    await expect(endDownloadLinks(bucket, `${crbId}/tagged`)).rejects.toMatchObject({ name: "AccessDenied" });
    const { deployment, principals, services } = stage;
    const statement = { Effect: "Allow", Action: "s3:PutObjectTagging", Resource: "*" } as const;
    const { accessKeyId, secretAccessKey } = principals.admit("operator", [statement]);
    const credentials = { accessKeyId, secretAccessKey };
    const operator = bucketOf(deployment.output("DocumentsBucket"), { endpoint: services.S3, region, credentials });
    await endDownloadLinks(operator, `${crbId}/tagged`);
    const refused = await fetch(link);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("the policy of the bucket")]);
  });

  test("of the writer of uploads stores uploads, and can neither store documents nor read", async () => {
    const { bucket, crbId } = as(/^UploadWriter/);
    await bucket.store(`uploads/${crbId}/a`, "YQ==", "text/plain");
    await expect(bucket.store(`${crbId}/a`, "YQ==", "text/plain")).rejects.toMatchObject(deniedByS3);
    await expect(get(bucket, `uploads/${crbId}/a`)).rejects.toMatchObject(deniedByS3);
  });

  test("of the completion of uploads can check one upload by its whole key, and no other object", async () => {
    const { bucket, crbId } = as(/^CompleteDocumentUploadRole/);
    const [upload, document] = [`uploads/${newStorageKey(crbId)}`, newStorageKey(crbId)];
    expect(await bucket.read(upload)).toBeUndefined();
    await as(/^UploadWriter/).bucket.store(upload, "file", "text/plain");
    expect(String(await bucket.read(upload))).toBe("file");
    const list = (prefix: object) => bucket.client.send(new ListObjectsV2Command({ Bucket: bucket.name, ...prefix }));
    await expect(list({})).rejects.toMatchObject(deniedByS3);
    for (const Prefix of ["", "uploads/", `uploads/${crbId}/`, upload.slice(0, -1), `${crbId}/`, document]) {
      await expect(list({ Prefix }), Prefix).rejects.toMatchObject(deniedByS3);
    }
    await expect(bucket.read(document)).rejects.toMatchObject(deniedByS3);
  });
});
