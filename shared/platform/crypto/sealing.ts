import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from "@aws-sdk/client-kms";
import { ServiceError } from "../../api/errors.ts";
import { awsRequests } from "../aws/awsRequests.ts";
import { readKeyFile } from "./readKeyFile.ts";

// POS credentials and the secrets of webhook endpoints are sealed before they touch the table, and bound to the CRB or the
// endpoint they are for: what is sealed for one cannot be opened as another's. On AWS the KMS key KMS_KEY_ID does it, elsewhere a key of 32 bytes in the file that
// SEALING_KEY_FILE names (AES-256-GCM). What KMS takes at once, 4,096 bytes, the longest credentials of a set stay below.

/** What a POS asks for, plain: never to be logged, stored or answered. */
export type PosCredentials = Readonly<Record<string, string | number>>;

/** What is sealed is bound to: the context in which KMS encrypts it, and by which permissions tell the two kinds apart. */
type Owner = { crb_id: string } | { endpoint_id: string };

/** Seals the credentials of a CRB. @throws ServiceError "unavailable" when KMS does not do it */
export const seal = (crbId: string, credentials: PosCredentials): Promise<Uint8Array> =>
  sealFor({ crb_id: crbId }, Buffer.from(JSON.stringify(credentials)));

/**
 * Opens what was sealed for the CRB. Throws for anything else, without a word of what is in it.
 *
 * @throws ServiceError "unavailable" when KMS does not do it
 */
export const unseal = async (crbId: string, sealed: Uint8Array): Promise<PosCredentials> =>
  parse(await open({ crb_id: crbId }, sealed));

/** Seals a secret of a webhook endpoint. @throws ServiceError "unavailable" when KMS does not do it */
export const sealSecret = (endpointId: string, secret: string): Promise<Uint8Array> =>
  sealFor({ endpoint_id: endpointId }, Buffer.from(secret));

/** Opens what was sealed for the webhook endpoint, as `unseal` does. */
export const unsealSecret = async (endpointId: string, sealed: Uint8Array): Promise<string> =>
  Buffer.from(await open({ endpoint_id: endpointId }, sealed)).toString();

async function sealFor(owner: Owner, plain: Buffer): Promise<Uint8Array> {
  if (!process.env.KMS_KEY_ID) return sealByFile(owner, plain);
  const { CiphertextBlob } = await answered(
    kms().send(
      new EncryptCommand({ KeyId: process.env.KMS_KEY_ID, Plaintext: plain, EncryptionContext: { ...owner } }),
    ),
  );
  if (!CiphertextBlob) throw new Error("KMS gave no ciphertext");
  return CiphertextBlob;
}

async function open(owner: Owner, sealed: Uint8Array): Promise<Uint8Array> {
  if (!process.env.KMS_KEY_ID) return openByFile(owner, sealed);
  const { Plaintext } = await answered(
    kms().send(
      new DecryptCommand({
        KeyId: process.env.KMS_KEY_ID,
        CiphertextBlob: sealed,
        EncryptionContext: { ...owner },
      }),
    ),
  );
  if (!Plaintext) throw new Error("KMS gave no plaintext");
  return Plaintext;
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

/** The text that a sealed text is bound to; of a CRB its id alone, as it always was. */
const boundTo = (owner: Owner): Buffer =>
  Buffer.from("crb_id" in owner ? owner.crb_id : `endpoint ${owner.endpoint_id}`);

function sealByFile(owner: Owner, plain: Buffer): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, fileKey(), iv).setAAD(boundTo(owner));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openByFile(owner: Owner, sealed: Uint8Array): Buffer {
  const text = Buffer.from(sealed);
  const decipher = createDecipheriv(algorithm, fileKey(), text.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(boundTo(owner))
    .setAuthTag(text.subarray(-tagBytes));
  return Buffer.concat([decipher.update(text.subarray(ivBytes, -tagBytes)), decipher.final()]);
}
