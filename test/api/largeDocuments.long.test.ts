import { expect, test } from "vitest";
import { routeOf, useStage } from "./useStage.ts";

const { call } = useStage();

// On AWS, no body above 6 MB reaches a function (test/system/deployed/api.long.test.ts). The local stage takes up to the
// gateway's 10 MB.

const textOf = (length: number) => {
  const base64 = Buffer.alloc(length, "every byte counts; ").toString("base64");
  return JSON.stringify({ file_name: "long.txt", file_type: "text/plain", base64 });
};

test("a document of 5,242,880 bytes is accepted over HTTP, and its links return the same bytes", async () => {
  const body = textOf(5_242_880);
  const added = await call(routeOf("addRequirementDocument"), { body });
  expect(added.status).toBe(200);
  const { json } = await call(routeOf("getCrbDocumentDownload"), { ids: { doc_id: String(added.json.document_id) } });
  const answer = await fetch(String(json.download_link));
  expect(answer.status).toBe(200);
  const { base64 } = JSON.parse(body);
  expect(await answer.text()).toBe(base64);
  const file = Buffer.from(await (await fetch(String(json.file_link))).arrayBuffer());
  expect(file.equals(Buffer.from(base64, "base64"))).toBe(true);
});

test("a document of 5,242,881 bytes gets 422 and is not echoed", async () => {
  const { status, json } = await call(routeOf("addRequirementDocument"), { body: textOf(5_242_881) });
  expect(status).toBe(422);
  expect(json.fields).toEqual({ "body.base64": { message: "must be at most 5242880 bytes when decoded" } });
});
