import type { Connection } from "../../pos/connector.ts";
import { type PosLocation, posIdOf } from "../../pos/posRecords.ts";
import type { RecordToWrite } from "../../store/orderedList/recordWriter.ts";
import { recordId } from "../../store/recordId.ts";
import { toLocalTime } from "../../time/localTime.ts";
import type { RecordContent } from "./recordContent.ts";

/** The location record of the API (docs/spec.md#products-and-inventory, its fields in that order) from one of the POS. */
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
      // The time zone takes its place: a location changes if its CRB gets another zone.
      svc_created_date_local: timezone,
    },
  };
}

/** The JSON text of a location record, which shows the time of its creation by the business's clock too. */
export function renderLocation(timezone: string) {
  return (content: Record<string, unknown>, { created }: { created: string }): string =>
    JSON.stringify({
      ...content,
      svc_created_date: created,
      svc_created_date_local: toLocalTime(created, timezone),
    });
}
