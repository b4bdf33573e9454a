import { readFileSync } from "node:fs";
import { type MimeType, mimeTypeExtensions } from "../../../../shared/api/enumerations.ts";

const texts: Partial<Record<MimeType, string>> = {
  "text/csv": "product,price\r\nFlower,32.50\r\n",
  "text/plain": "Cash is counted by two people.\n",
  "application/json": '{ "license": "402R-00001" }',
  "application/xml": '<?xml version="1.0"?>\n<license number="402R-00001"/>',
  "text/xml": '<?xml version="1.0"?>\n<license number="402R-00001"/>',
  "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
  "application/rtf": "{\\rtf1\\ansi A license, one day.}",
};

/**
 * A file of the folder `samples`. Programs that write such files have made them: pictures by Pillow; Office files by
 * python-docx, openpyxl, python-pptx (without the parts that are not needed) and xlwt; OpenDocument by odfpy; the PDF
 * by ReportLab. The .doc, .ppt and .vsd files are containers with only the stream by which such files are recognized.
 */
export const sampleFile = (name: string): Buffer => readFileSync(new URL(`samples/${name}`, import.meta.url));

/** A small file of a type. */
export const sampleOf = (type: MimeType): Buffer =>
  type in texts ? Buffer.from(texts[type] ?? "") : sampleFile(`sample.${mimeTypeExtensions[type][0]}`);
