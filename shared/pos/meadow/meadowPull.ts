import type { RecordKind } from "../../kinds.ts";
import type { StorePull } from "../reading/storeConnector.ts";
import type { MeadowApi } from "./meadowApi.ts";

/** What the pages of one pull have in common. */
export type MeadowPull<Kind extends RecordKind> = StorePull<MeadowApi, Kind>;
