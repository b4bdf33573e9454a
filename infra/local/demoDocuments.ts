import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { storeWithIntent } from "../../shared/domain/documents/removals.ts";
import { readDocument } from "../../shared/domain/documents/storedDocument.ts";
import { addDocument } from "../../shared/domain/onboarding/addDocument.ts";
import { standardTemplate } from "../../shared/domain/onboarding/standardTemplate.ts";
import type { Table } from "../../shared/store/client.ts";
import { demoBusinesses } from "./demoBusinesses.ts";
import { demoTemplate } from "./demoTemplate.ts";

/** The documents of the demo's businesses. The first of each business is its license. */
const documents = [
  { id: "0f7c2e61-9a34-4b58-8d16-c3e5f0a7b201", business: 0, requirement: 0, fileName: "retail-license.pdf" },
  { id: "1a8d3f72-ab45-4c69-9e27-d4f6a1b8c302", business: 0, requirement: 4, fileName: "insurance certificate.pdf" },
  {
    id: "2b9e4083-bc56-4d7a-8f38-e507b2c9d403",
    business: 1,
    requirement: 0,
    fileName: "provisioning-center-license.pdf",
  },
];

/**
 * Stores the demo's documents, each a PDF of one page, unless they exist.
 *
 * @param uploadedBy client id of the uploading credential
 */
export async function prepareDocuments(table: Table, bucket: Bucket, uploadedBy: string): Promise<void> {
  for (const { id, business, requirement, fileName } of documents) {
    const crb = demoBusinesses[business]?.record;
    const template = crb?.template_id === demoTemplate.template_id ? demoTemplate : standardTemplate;
    const documentRequirement = template.document_requirements[requirement];
    if (!crb || !documentRequirement || (await readDocument(table, crb.id, id))) continue;
    const content = onePage([documentRequirement.name, crb.name, "Made up for the demo of this service."]);
    const file = { base64: content.toString("base64"), file_type: "application/pdf" } as const;
    const stored = await storeWithIntent(table, bucket, crb.id, file);
    const requirementId = documentRequirement.requirement_id;
    await addDocument(table, { ...stored, id, crbId: crb.id, requirementId, fileName, uploadedBy });
  }
}

/** A PDF of one page. The lines must be ASCII without parentheses. */
function onePage(lines: readonly string[]): Buffer {
  const text = `BT /F1 18 Tf 72 700 Td 26 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let pdf = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(pdf + table + end, "latin1");
}
