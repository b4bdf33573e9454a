import type { Operation } from "./operation.ts";
import * as accessReports from "./operations/accessReports.ts";
import * as authentication from "./operations/authentication.ts";
import { listChanges } from "./operations/changes.ts";
import { createCrbAccess, getCrb, getCrbInfo, updateCrbInfo } from "./operations/crbs.ts";
import { createCrb } from "./operations/createCrb.ts";
import * as credentials from "./operations/credentials.ts";
import * as customers from "./operations/customers.ts";
import * as deposits from "./operations/deposits.ts";
import * as documents from "./operations/documents.ts";
import { listEvents } from "./operations/events.ts";
import * as exports from "./operations/exports.ts";
import * as identityProviders from "./operations/identityProviders.ts";
import * as inAppOnboarding from "./operations/inAppOnboarding.ts";
import * as insights from "./operations/insights.ts";
import * as inventory from "./operations/inventory.ts";
import * as inventoryLocations from "./operations/inventoryLocations.ts";
import * as linkedLicenses from "./operations/linkedLicenses.ts";
import * as onboarding from "./operations/onboarding.ts";
import { getOverview } from "./operations/overview.ts";
import * as products from "./operations/products.ts";
import * as reconciliation from "./operations/reconciliation.ts";
import { listReplications } from "./operations/replications.ts";
import * as requirementDocuments from "./operations/requirementDocuments.ts";
import { explainSaleChecks, listSaleRules } from "./operations/saleChecks.ts";
import { listSales } from "./operations/sales.ts";
import { listSalesDays } from "./operations/salesDays.ts";
import * as sandbox from "./operations/sandbox.ts";
import * as serviceProviders from "./operations/serviceProviders.ts";
import * as statements from "./operations/statements.ts";
import * as stateSystems from "./operations/stateSystems.ts";
import * as webhookDeliveries from "./operations/webhookDeliveries.ts";
import * as webhooks from "./operations/webhooks.ts";

/**
 * Every operation of the API, in the specification's order (docs/spec.md#operations). Functions, routes and the API
 * description are generated from it.
 */
export const operationRegistry: readonly Operation[] = [
  authentication.exchangeToken,
  credentials.listCredentials,
  credentials.setCredentialKeys,
  credentials.revokeCredential,
  identityProviders.getIdentityProvider,
  identityProviders.setIdentityProvider,
  identityProviders.getSignIn,
  identityProviders.deleteIdentityProvider,
  serviceProviders.getServiceProvider,
  serviceProviders.listServiceProviderCrbs,
  createCrb,
  serviceProviders.getPosCredentialsSchema,
  serviceProviders.searchLicenses,
  linkedLicenses.listCrbLicenses,
  linkedLicenses.linkCrbLicense,
  linkedLicenses.unlinkCrbLicense,
  onboarding.listOnboardingTemplates,
  getCrbInfo,
  updateCrbInfo,
  createCrbAccess,
  customers.listCustomers,
  customers.getCustomer,
  customers.searchCustomers,
  documents.getCrbDocumentDownload,
  documents.listDocuments,
  documents.getDocument,
  inventory.listInventory,
  inventory.getInventory,
  inventory.listLocationInventory,
  inventoryLocations.listInventoryLocations,
  inventoryLocations.getInventoryLocation,
  products.listProducts,
  products.getProduct,
  listSales,
  explainSaleChecks,
  listSaleRules,
  listSalesDays,
  deposits.storeDeposits,
  deposits.listDeposits,
  deposits.deleteDeposit,
  deposits.setCashCount,
  deposits.listCashCounts,
  deposits.deleteCashCount,
  reconciliation.listReconciliationDays,
  reconciliation.getReconciliationSettings,
  reconciliation.setReconciliationSettings,
  stateSystems.listStateConnections,
  stateSystems.setStateConnection,
  stateSystems.getStateConnection,
  stateSystems.deleteStateConnection,
  stateSystems.listStateDays,
  insights.listInsights,
  insights.listCrbInsights,
  insights.decideInsight,
  insights.getInsightSettings,
  insights.setInsightSettings,
  getOverview,
  getCrb,
  onboarding.getCrbOnboardingTemplate,
  requirementDocuments.addRequirementDocument,
  requirementDocuments.listDocumentsToReview,
  requirementDocuments.updateRequirementDocumentStatus,
  requirementDocuments.createDocumentUpload,
  requirementDocuments.completeDocumentUpload,
  requirementDocuments.deleteRequirementDocument,
  listChanges,
  listReplications,
  accessReports.createAccessReport,
  accessReports.listAccessReports,
  accessReports.getAccessReport,
  statements.createStatement,
  statements.listStatements,
  statements.getStatement,
  exports.createExport,
  exports.listExports,
  exports.getExport,
  exports.deleteExport,
  listEvents,
  inAppOnboarding.sendOnboardingLink,
  inAppOnboarding.getOnboarding,
  inAppOnboarding.giveConsent,
  inAppOnboarding.withdrawConsent,
  inAppOnboarding.getOnboardingPosCredentialsSchema,
  inAppOnboarding.connectOnboardingPos,
  inAppOnboarding.deleteOnboardingDocument,
  inAppOnboarding.linkOnboardingLicenses,
  inAppOnboarding.unlinkOnboardingLicense,
  inAppOnboarding.submitOnboarding,
  webhooks.listWebhookEndpoints,
  webhooks.createWebhookEndpoint,
  webhooks.getWebhookEndpoint,
  webhooks.updateWebhookEndpoint,
  webhooks.deleteWebhookEndpoint,
  webhooks.rotateWebhookSecret,
  webhookDeliveries.testWebhookEndpoint,
  webhookDeliveries.replayWebhookEndpoint,
  webhookDeliveries.listWebhookDeliveries,
  sandbox.controlSandbox,
];
