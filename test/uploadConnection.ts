import { randomUUID } from "node:crypto";
import { uploadedPosTypes } from "../shared/api/pos/posTypes.ts";
import type { Connection } from "../shared/pos/connector.ts";

/** The connection of a new business in Colorado whose records are uploaded. */
export function uploadConnection(businessType: Connection["businessType"] = "retail"): Connection {
  return {
    crbId: randomUUID(),
    posType: uploadedPosTypes[businessType],
    businessType,
    state: "CO",
    timezone: "America/Denver",
    locationId: null,
    connectedAt: "2026-03-01T00:00:00.000Z",
    credentials: {},
  };
}
