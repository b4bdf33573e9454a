import type { RecordKind } from "../../../api/kinds.ts";
import type { IdField } from "../../framework/readRow.ts";
import type { StorePull } from "../../framework/storeConnector.ts";
import type { MeadowApi } from "./meadowApi.ts";

/** The state that all pages of one pull share. */
export type MeadowPull<Kind extends RecordKind> = StorePull<MeadowApi, Kind>;

/** The field with the organization of an order or a product. Rows of other lists lack this field. */
export const organizationOf = (field: IdField) => field("organizationId");
