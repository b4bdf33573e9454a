import type * as z from "zod";
import type { insightSettingsRequest } from "../../api/schemas/insight.ts";
import { defaultInsightSettings, type InsightSettings } from "../../insights/insightCodes.ts";
import type { Table } from "../../store/client.ts";
import { insightSettingsKey } from "../../store/keys/insights.ts";

/** The settings of a service provider; those that it has not set are the defaults of the release. */
export async function readInsightSettings(table: Table, spId: string): Promise<InsightSettings> {
  const item = await table.get(insightSettingsKey(spId));
  return { ...defaultInsightSettings, ...(item && JSON.parse(item.settings as string)) };
}

/** Replaces the settings of a service provider. A code that is missing gets the defaults. */
export async function setInsightSettings(
  table: Table,
  spId: string,
  settings: z.output<typeof insightSettingsRequest>,
): Promise<InsightSettings> {
  await table.put({ ...insightSettingsKey(spId), settings: JSON.stringify(settings) });
  return { ...defaultInsightSettings, ...(settings as Partial<InsightSettings>) };
}
