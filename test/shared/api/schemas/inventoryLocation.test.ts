import { describe } from "vitest";
import { inventoryLocation } from "../../../../shared/api/schemas/inventoryLocation.ts";
import { testRecordRules } from "./recordRules.ts";
import { badDateTimes, badIds, badLocalDateTimes, dateTime, id, localDateTime, otherId } from "./values.ts";

describe("Location", () =>
  testRecordRules({
    schema: inventoryLocation,
    record: {
      id,
      crb_id: otherId,
      name: "Vault",
      pos_type: "Treez",
      pos_location_id: "vault",
      pos_location_type: "MEDICAL",
      pos_updated_date: dateTime,
      pos_updated_date_local: localDateTime,
      svc_created_date: dateTime,
      svc_created_date_local: localDateTime,
    },
    nullable: [
      "pos_location_type",
      "pos_updated_date",
      "pos_updated_date_local",
      "svc_created_date",
      "svc_created_date_local",
    ],
    rejected: { id: badIds, svc_created_date: badDateTimes, svc_created_date_local: badLocalDateTimes },
  }));
