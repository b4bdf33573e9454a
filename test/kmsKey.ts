import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** The input of an encryption or decryption by KMS. */
export interface KmsRequest {
  KeyId: string;
  Plaintext?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Record<string, string>;
}

/** An error of KMS in the JSON protocol. */
export class KmsError extends Error {
  readonly status: number;
  constructor(type: string, status = 400) {
    super(type);
    this.status = status;
  }
}

const key = randomBytes(32);
const maxPlainBytes = 4_096;

/** The encryption context is additional authenticated data, whatever the order of its entries. */
const bound = ({ EncryptionContext = {} }: KmsRequest) =>
  Buffer.from(JSON.stringify(Object.entries(EncryptionContext).sort()));

/**
 * Encrypts with the only key of this process.
 *
 * @throws KmsError
 */
export function encrypt(input: KmsRequest) {
  const plain = Buffer.from(input.Plaintext ?? "", "base64");
  if (plain.length === 0 || plain.length > maxPlainBytes) throw new KmsError("ValidationException");
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(bound(input));
  const blob = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { CiphertextBlob: blob.toString("base64"), KeyId: input.KeyId, EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
}

/**
 * Decrypts only under the encryption context of the encryption.
 *
 * @throws KmsError
 */
export function decrypt(input: KmsRequest) {
  const blob = Buffer.from(input.CiphertextBlob ?? "", "base64");
  if (blob.length < 29) throw new KmsError("InvalidCiphertextException");
  const decipher = createDecipheriv("aes-256-gcm", key, blob.subarray(0, 12), { authTagLength: 16 })
    .setAAD(bound(input))
    .setAuthTag(blob.subarray(-16));
  try {
    const plain = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
    return { Plaintext: plain.toString("base64"), KeyId: input.KeyId, EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
  } catch {
    throw new KmsError("InvalidCiphertextException");
  }
}
