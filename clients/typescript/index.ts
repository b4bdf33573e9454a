export type { ClientCredentials, KeyCredentials } from "./accessTokens.ts";
export { ApiClient, CrbClient, type CrbPaths } from "./apiClient.ts";
export { ApiError, NoResponseError } from "./apiError.ts";
export type { CallOptions, ResponseInfo, TransportOptions } from "./createTransport.ts";
export { type DownloadedFile, downloadExport, type ExportIds, waitForExport } from "./downloadExport.ts";
export * from "./errors.ts";
export {
  type ChangePage,
  type ChangeStore,
  type CrbIds,
  followChanges,
  type Kinds,
  readFeed,
} from "./followChanges.ts";
export { type ListPath, listRecords, type RecordOf } from "./listRecords.ts";
export type { components, operations, paths } from "./openApi.ts";
export { type DatedRecord, digestOf, type Summary, type VerifiableStore, verifyCopy } from "./verifyCopy.ts";
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./verifyWebhook.ts";
