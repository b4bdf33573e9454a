import type { Export } from "../api/schemas/export.ts";
import type { Body } from "./handlerResult.ts";

/**
 * The body of a response with an export. The access log gets the export's id and kinds, and the number of records in the
 * files to which the response has links.
 */
export const exportBody = (shown: Export): Body => ({
  text: JSON.stringify(shown),
  logged: {
    recordId: shown.id,
    kinds: shown.kinds,
    records: shown.files.reduce((sum, { records, download_link }) => sum + (download_link === null ? 0 : records), 0),
  },
});
