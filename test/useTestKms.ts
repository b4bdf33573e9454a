import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { afterEach, beforeAll } from "vitest";
import { decrypt, encrypt, KmsError, type KmsRequest } from "./kmsKey.ts";
import { useServer } from "./useServer.ts";

/** The service's key for POS credentials. */
const keyId = "alias/pos-credentials";

/**
 * A KMS with one symmetric key for this test file's process, limited to Encrypt and Decrypt of the JSON 1.1 protocol.
 * Decryption needs the same encryption context as the encryption.
 */
export function useTestKms() {
  const kms = {
    /** Error type and HTTP status of every response; or another effect on a request. */
    failure: undefined as
      | readonly [type: string, status: number]
      | "hangs up"
      | "says nothing"
      | "never answers"
      | undefined,
    /** Runs once, during a decryption. */
    meanwhile: undefined as (() => Promise<void>) | undefined,
    /** The encryption contexts of all answered calls, by operation. */
    contexts: { Encrypt: [] as unknown[], Decrypt: [] as unknown[] },
    keyId,
  };
  const url = useServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "Content-Type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
    try {
      const { failure } = kms;
      if (failure === "never answers") return;
      if (failure === "hangs up") return void request.socket.destroy();
      if (failure === "says nothing") return void answer(200, {});
      if (failure) throw new KmsError(...failure);
      const { operation, input } = await callIn(request);
      const { meanwhile } = kms;
      if (operation === "Decrypt" && meanwhile) {
        kms.meanwhile = undefined;
        await meanwhile();
      }
      answer(200, operation === "Encrypt" ? encrypt(input) : decrypt(input));
      kms.contexts[operation].push(input.EncryptionContext);
    } catch (error) {
      if (!(error instanceof KmsError)) throw error;
      answer(error.status, { __type: error.message, message: "refused" });
    }
  });
  beforeAll(() => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_KMS: url(),
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
    });
  });
  afterEach(() => {
    kms.failure = undefined;
    kms.meanwhile = undefined;
    kms.contexts = { Encrypt: [], Decrypt: [] };
  });
  return kms;
}

async function callIn(request: IncomingMessage): Promise<{ operation: "Encrypt" | "Decrypt"; input: KmsRequest }> {
  if (
    !/^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/us-east-1\/kms\/aws4_request/.test(request.headers.authorization ?? "")
  )
    throw new KmsError("MissingAuthenticationTokenException");
  const operation = /^TrentService\.(Encrypt|Decrypt)$/.exec(String(request.headers["x-amz-target"]))?.[1];
  if (!operation) throw new KmsError("UnknownOperationException");
  const input = (await json(request)) as KmsRequest;
  if (input.KeyId !== keyId) throw new KmsError("NotFoundException");
  return { operation: operation as "Encrypt" | "Decrypt", input };
}
