import type { Connection } from "../../pos/connector.ts";
import { type PosLocation, posIdOf } from "../../pos/posRecords.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { toLocalTime } from "../../time/localTime.ts";
import type { RecordContent } from "./recordContent.ts";

/**
 * Builds the location record of the API from a POS record, with the fields in the order of docs/spec.md#products-and-inventory.
 */
export function normalizeLocation(
  connection: Connection,
  location: PosLocation,
): RecordToWrite<RecordContent["location"]> {
  const { crbId, posType, timezone } = connection;
  const id = recordId(crbId, "location", posType, posIdOf("location", location));
  return {
    id,
    content: {
      id,
      crb_id: crbId,
      name: location.name,
      pos_type: posType,
      pos_location_id: location.pos_location_id,
      pos_location_type: location.pos_location_type,
      pos_updated_date: location.pos_updated_date,
      pos_updated_date_local: toLocalTime(location.pos_updated_date, timezone),
      svc_created_date: null,
      // Placeholder for the local date. It holds the time zone, so that a new time zone of the CRB changes the record.
      svc_created_date_local: timezone,
    },
  };
}

/** Renders a location record as JSON. Replaces the placeholder by the creation date in the business's time zone. */
export function renderLocation(timezone: string) {
  return (content: Record<string, unknown>, { created }: { created: string }): string =>
    JSON.stringify({ ...content, svc_created_date: created, svc_created_date_local: toLocalTime(created, timezone) });
}
