import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from "@aws-sdk/client-kms";
import { ServiceError } from "../api/errors.ts";
import { awsRequests } from "../aws/awsRequests.ts";
import { readKeyFile } from "./keyFile.ts";

// POS credentials are sealed before they touch the table, and bound to the CRB they are for: what is sealed for one
// cannot be opened as another's. On AWS the KMS key KMS_KEY_ID does it, elsewhere a key of 32 bytes in the file that
// SEALING_KEY_FILE names (AES-256-GCM). What KMS takes at once, 4,096 bytes, the longest credentials of a set stay below.

/** What a POS asks for, plain: never to be logged, stored or answered. */
export type PosCredentials = Readonly<Record<string, string | number>>;

/** Seals the credentials of a CRB. @throws ServiceError "unavailable" when KMS does not do it */
export async function seal(crbId: string, credentials: PosCredentials): Promise<Uint8Array> {
  const plain = Buffer.from(JSON.stringify(credentials));
  if (!process.env.KMS_KEY_ID) return sealByFile(crbId, plain);
  const { CiphertextBlob } = await answered(
    kms().send(
      new EncryptCommand({ KeyId: process.env.KMS_KEY_ID, Plaintext: plain, EncryptionContext: { crb_id: crbId } }),
    ),
  );
  if (!CiphertextBlob) throw new Error("KMS gave no ciphertext");
  return CiphertextBlob;
}

/**
 * Opens what was sealed for the CRB. Throws for anything else, without a word of what is in it.
 *
 * @throws ServiceError "unavailable" when KMS does not do it
 */
export async function unseal(crbId: string, sealed: Uint8Array): Promise<PosCredentials> {
  if (!process.env.KMS_KEY_ID) return parse(openByFile(crbId, sealed));
  const { Plaintext } = await answered(
    kms().send(
      new DecryptCommand({
        KeyId: process.env.KMS_KEY_ID,
        CiphertextBlob: sealed,
        EncryptionContext: { crb_id: crbId },
      }),
    ),
  );
  if (!Plaintext) throw new Error("KMS gave no plaintext");
  return parse(Plaintext);
}

const parse = (plain: Uint8Array): PosCredentials => JSON.parse(Buffer.from(plain).toString("utf8"));

/** What KMS cannot open will never be opened; every other failure ends once somebody mends the key or the way to it. */
async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException) throw error;
    throw new ServiceError("unavailable", { cause: error });
  }
}

let client: KMSClient | undefined;
function kms(): KMSClient {
  client ??= new KMSClient({ requestHandler: awsRequests() });
  return client;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

let key: KeyObject | undefined;
function fileKey(): KeyObject {
  key ??= createSecretKey(readKeyFile("SEALING_KEY_FILE", "sealing key"), "hex");
  return key;
}

function sealByFile(crbId: string, plain: Buffer): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, fileKey(), iv).setAAD(Buffer.from(crbId));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openByFile(crbId: string, sealed: Uint8Array): Buffer {
  const text = Buffer.from(sealed);
  const decipher = createDecipheriv(algorithm, fileKey(), text.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(crbId))
    .setAuthTag(text.subarray(-tagBytes));
  return Buffer.concat([decipher.update(text.subarray(ivBytes, -tagBytes)), decipher.final()]);
}
