import type { APIGatewayProxyEvent } from "aws-lambda";
import { listCredentials } from "../../shared/auth/credentials.ts";
import { listReports } from "../../shared/domain/accessReports/storedReport.ts";
import { listCashCounts, listDeposits } from "../../shared/domain/deposits/listDeposits.ts";
import { readExports } from "../../shared/domain/exports/storedExport.ts";
import { listCrbInsights } from "../../shared/domain/insights/listInsights.ts";
import { readLinks } from "../../shared/domain/linkedLicenses/readLinks.ts";
import { readOnboarding } from "../../shared/domain/onboarding/readOnboarding.ts";
import { listStatements } from "../../shared/domain/statements/storedStatement.ts";
import { readEndpoints } from "../../shared/domain/webhooks/endpoint.ts";
import type { Table } from "../../shared/store/client.ts";
import { readCrb } from "../../shared/store/crbs.ts";
import { recordList } from "../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../shared/store/orderedList/readPage.ts";

/** The kinds of records that a path can name, as `{product_id}` does. */
const namedKinds = ["customer", "product", "location", "inventory", "sale"] as const;

/**
 * Returns values of placeholders: the id of the first record in each list of a CRB (`customer_id`, `product_id` …; none for
 * an empty list), the newest document and its requirement, the newest export and statement, the newest deposit and the day of the last
 * cash count, the first insight, a linked license, and the service provider's newest webhook endpoint and credential.
 */
export async function firstRecordIds(table: Table, crbId: string): Promise<Record<string, string>> {
  const first = async (kind: (typeof namedKinds)[number]) => {
    const page = await readPage(table, recordList(crbId, kind), { offset: 0, limit: 1 }, { attribute: "sk" });
    return page.records.map((id) => [`${kind}_id`, id] as const);
  };
  const records = Object.fromEntries((await Promise.all(namedKinds.map(first))).flat());
  const [newest] = await readExports(table, crbId, table.clock.now());
  const [statement] = (await listStatements(table, crbId, { limit: 1 })).records;
  const [insight] = (await listCrbInsights(table, crbId, { limit: 1 })).records;
  return {
    ...records,
    ...(insight && { insight_id: insight.id }),
    ...(await newestDocument(table, crbId)),
    ...(newest && { export_id: newest.id }),
    ...(statement && { statement_id: statement.id }),
    ...(await newestDeposit(table, crbId)),
    ...(await newestOfProvider(table, crbId)),
  };
}

/** The newest deposit, and the last day whose cash was counted. */
async function newestDeposit(table: Table, crbId: string): Promise<Record<string, string>> {
  const [deposits, counts] = await Promise.all([
    listDeposits(table, crbId, { limit: 1 }),
    listCashCounts(table, crbId, { limit: 1 }),
  ]);
  const [deposit] = deposits.records;
  const [count] = counts.records;
  return { ...(deposit && { deposit_id: deposit.id }), ...(count && { date: count.date }) };
}

async function newestOfProvider(table: Table, crbId: string): Promise<Record<string, string>> {
  const crb = await readCrb(table, crbId);
  if (!crb) return {};
  const [endpoint] = await readEndpoints(table, crb.serviceProviderId);
  const [report] = (await listReports(table, crb.serviceProviderId, { limit: 1 })).records;
  const credentials = await listCredentials(table, crb.serviceProviderId);
  const credential = credentials.find(({ owner, persons }) => owner.kind === "serviceProvider" && !persons);
  const [link] = await readLinks(table, crb.serviceProviderId, crbId);
  return {
    ...(endpoint && { endpoint_id: endpoint.id }),
    ...(report && { report_id: report.id }),
    ...(credential && { client_id: credential.client_id }),
    ...(link && { license_id: link.names.licenseId, license_number: JSON.parse(link.body).license_identifier }),
  };
}

/**
 * Returns the ids of the newest document and its requirement. If the CRB has no document, returns the id of its first
 * requirement that is not archived.
 */
async function newestDocument(table: Table, crbId: string): Promise<Record<string, string>> {
  const onboarding = await readOnboarding(table, crbId);
  const document = onboarding?.documents.find(({ record }) => !record.deleted);
  if (document) {
    const { id } = document.record;
    return { requirement_id: document.requirementId, document_id: id, doc_id: id };
  }
  const live = onboarding?.answers.requirements.find(({ archived }) => !archived);
  return live ? { requirement_id: live.requirement_id } : {};
}

/**
 * Replaces the placeholders in a sample event, such as `{crb_id}`. Placeholders without a value stay. The route's
 * template (`resource`) contains the same texts in braces, but stays unchanged.
 *
 * @param values by the name between the braces
 */
export function fillSampleEvent(
  event: APIGatewayProxyEvent,
  values: Readonly<Record<string, string | undefined>>,
): APIGatewayProxyEvent {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
  const filled: APIGatewayProxyEvent = JSON.parse(JSON.stringify(event), (_key, value) =>
    typeof value === "string" ? fill(value) : value,
  );
  filled.resource = event.resource;
  if (filled.requestContext) filled.requestContext.resourcePath = event.requestContext.resourcePath;
  return filled;
}
