import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { contentHash } from "./contentHash.ts";
import { damagedText, reportDamage } from "./damagedRecords.ts";
import type { Key } from "./keys/key.ts";
import { isRecordPartition } from "./keys/orderedLists.ts";

// Replicated records are stored as compressed JSON texts. A single record is too short to compress well, so the compressor
// begins with a dictionary of field names and common values (docs/decisions/stored-json.md).

/** The number of the dictionary, which is the first byte of each stored text. */
const dictionaryNumber = 1;

/**
 * A typical record of each kind, with the fields in the order of the schemas. Never change it: stored texts can only be read
 * with this exact dictionary. A better one gets the next number.
 */
const dictionary = Buffer.from(
  `
{"id":"","crb_id":"","name":"Sales Floor","pos_type":"","pos_location_id":"","pos_location_type":"Sales Floor",
"pos_updated_date":null,"pos_updated_date_local":null,"svc_created_date":"2026-01-01T00:00:00.000Z",
"svc_created_date_local":"America/"}
{"crb_id":"","id":"","pos_product_id":"","pos_type":"","name":"","svc_product_category_name":"flower",
"pos_product_category_name":"Flower","pos_product_subcategory_name":null,"pos_strain_name":null,"pos_brand_name":null,
"medicated":false,"sku":null,"description":"","svc_net_weight_grams":3.5,"thc_mg_per_unit":null,
"pos_unit_of_measure":"Each","price":1,"unit_cost":1,"pos_updated_date":"2026-01-01T00:00:00.000Z",
"pos_updated_date_local":"2026-01-01 00:00:00.000","svc_created_date":"2026-01-01T00:00:00.000Z",
"svc_updated_date":"2026-01-01T00:00:00.000Z","price_tiers":null,"images":[{"url":"https://","description":null}]}
{"crb_id":"","id":"","pos_type":"","pos_customer_id":"","first_name":"","last_name":"","middle_name":null,"dob":"19",
"address_1":"","address_2":null,"city":"","state":"","zip_code":"","phone":null,"cell_phone":"","email_address":"",
"gender":null,"pos_identification_type":"drivers","pos_customer_type":"Adult Use","svc_customer_type":"rec",
"medical_id":null,"drivers_license_id":"","other_id":null,"medical_id_expiration_date":null,
"drivers_license_expiration_date":"20","other_id_expiration_date":null,"caregiver":false,"loyalty_member":true,
"loyalty_points":"","anonymous":false,"pos_updated_date":"2026-01-01T00:00:00.000Z",
"pos_updated_date_local":"2026-01-01 00:00:00.000","svc_updated_date":"2026-01-01T00:00:00.000Z",
"svc_created_date":"2026-01-01T00:00:00.000Z"}
{"id":"","crb_id":"","pos_type":"","product_id":"","name":"","sku":"","barcode":"1A40","total_quantity":1,
"pos_updated_date":"2026-01-01T00:00:00.000Z","pos_updated_date_local":"2026-01-01 00:00:00.000",
"svc_created_date":"2026-01-01T00:00:00.000Z","svc_updated_date":"2026-01-01T00:00:00.000Z",
"location_data":[{"name":"Vault","quantity":1,"location_id":"","pos_location_type":"Vault"},{"name":"Sales Floor",
"quantity":1,"location_id":"","pos_location_type":"Sales Floor"}]}
{"id":"","pos_sale_id":"","crb_id":"","subtotal":1,"total_discounts":0,"tax_paid":1,"total_paid":1,
"date":"2026-01-01T00:00:00.000Z","local_date":"2026-01-01 00:00:00.000",
"svc_created_date":"2026-01-01T00:00:00.000Z","svc_updated_date":"2026-01-01T00:00:00.000Z","transaction_type":"sale",
"pos_name":"","type":"retail","employee_id":"","line_items":[{"product_id":"","pos_product_id":"","product_name":"",
"num_units":1,"price_per_unit":1,"grams":null,"thc_mg_per_unit":null,"product_type":"flower","cannabis_product":true,
"line_item_discounts":[{"flat_amount":1,"pct_amount":null,"name":""}],"line_item_taxes":[{"flat_amount":1,
"pct_amount":null,"name":"State Sales Tax"},{"flat_amount":1,"pct_amount":0.15,"name":"Cannabis Excise Tax"}],
"line_item_fees":[]},{"product_id":"","pos_product_id":"","product_name":"","num_units":1,"price_per_unit":1,
"grams":3.5,"thc_mg_per_unit":100,"product_type":"edible","cannabis_product":true,"line_item_discounts":[],
"line_item_taxes":[],"line_item_fees":[]}],"discounts":[],"taxes":[{"flat_amount":1,"pct_amount":0.0107,
"name":"City Cannabis Tax"}],"payments":[{"type":"cash","amount_paid":1}],"customer":{"customer_id":"",
"pos_customer_id":"","type":"rec","dob":"19","id_type":"drivers","id_expiration_date":"20"},"fees":[],
"compliance_status":"unchecked","compliance_exceptions":null,"compliance_warnings":null}
`.replaceAll("\n", ""),
);

/** Longer texts, in bytes, are stored plain: a compressed one could take hundreds of times its size in the memory of a query. */
const maxCompressedBytes = 16 * 1024;

/** Compresses the JSON text of a record: the number of the dictionary (one byte), then raw deflate. A long text is unchanged. */
export function compressText(text: string): Uint8Array | string {
  if (Buffer.byteLength(text) > maxCompressedBytes) return text;
  return Buffer.concat([Buffer.of(dictionaryNumber), deflateRawSync(text, { dictionary })]);
}

/**
 * Returns an item that was read with its text, with this text decompressed. If it is not the text of this record, or its
 * content not that of the item's `hash` (if it was read), reports the damage and returns `damagedText`. Items that are no
 * replicated records are unchanged.
 *
 * @param key the key of the item, as far as the item itself lacks it
 */
export function withRawText(
  item: Record<string, AttributeValue>,
  key: Partial<Key> = {},
): Record<string, AttributeValue> {
  const stored = item.body?.B ?? item.body?.S;
  const body = readText(stored, item.pk?.S ?? key.pk, item.sk?.S ?? key.sk, item.hash?.S);
  return body === stored ? item : { ...item, body: { S: body as string } };
}

function readText(stored: unknown, pk = "", sk?: string, hash?: string): unknown {
  if (!isRecordPartition(pk)) return stored;
  try {
    const text = stored instanceof Uint8Array ? decompressText(stored) : (stored as string);
    // An id identifies the CRB and the kind, too. Parsing takes a fifth of the time of the decompression.
    const record = JSON.parse(text);
    const isOfKey = record.id !== undefined && record.id === (sk ?? record.id);
    // The hash of a location covers the time zone, which the text does not say.
    if (isOfKey && (hash === undefined || "svc_created_date_local" in record || contentHash(record) === hash))
      return text;
  } catch {
    // The text is damaged.
  }
  reportDamage(pk, sk);
  return damagedText;
}

/** @throws Error if the text was compressed with an unknown dictionary, or cannot be decompressed */
function decompressText(stored: Uint8Array): string {
  if (stored[0] !== dictionaryNumber) throw new Error("unknown dictionary");
  return inflateRawSync(stored.subarray(1), { dictionary, maxOutputLength: maxCompressedBytes }).toString();
}
