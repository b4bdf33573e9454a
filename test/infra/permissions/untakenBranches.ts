/**
 * Calls that a function's module contains and the function never makes, each with a reason. Patterns match the handler
 * and the access.
 */
export const untakenBranches: readonly { pattern: RegExp; reason: string }[] = [
  {
    pattern: /^statements\/worker Query byCustomerRank$/,
    reason: "A statement lists sales by their status, and never those of a customer.",
  },
  {
    pattern: /^restorations\/worker .*(inventoryDayKey|snapshotPartition|snapshotProgressKey)$/,
    reason: "Only replications store daily snapshots.",
  },
  {
    pattern: /^restorations\/worker UpdateItem restoringKey$/,
    reason: "The restoration of a CRB updates the item of its progress, whose key it computes from this one.",
  },
  {
    pattern: /^restorations\/worker BatchGetItem outboxPartition$/,
    reason: "The keys of records are built from the ids in outbox items.",
  },
  {
    pattern: /^webhooks\/createWebhookEndpoint (GetItem|partition of) associationKey$/,
    reason: "A repeated request reads the association of its CRB; the creation of an endpoint concerns no CRB.",
  },
  {
    pattern: /^(linkedLicenses\/comparer|overview\/sweeper) BatchGetItem serviceProviderListKey$/,
    reason: "`listServiceProviders` reads the service providers that a query of this partition finds.",
  },
  {
    pattern: /^onboarding\/.* partition of (einKey|organizationNameKey)$/,
    reason: "`changeCrb` writes these items if the organization of the CRB changes. Onboarding does not change it.",
  },
  {
    pattern:
      /^onboarding\/(?!connect|withdraw).* (replicationDueKey|PutItem replicationDueKey|DeleteItem replicationDueKey)$/,
    reason: "`changeCrb` writes due times if the time zone or the connection of the CRB changes.",
  },
  {
    pattern: /^(crbs\/createCrb|crbs\/updateCrbInfo|onboarding\/connectOnboardingPos) DeleteItem replicationDueKey$/,
    reason: "Due times are deleted with the connection to the POS, which these functions keep or create.",
  },
  {
    pattern: /^onboarding\/withdrawConsent PutItem replicationDueKey$/,
    reason: "Due times are created with the connection to the POS, which a withdrawal ends.",
  },
  {
    pattern:
      /^(replication\/worker|sandbox\/controlSandbox) ((PutItem|DeleteItem|partition of) replicationDueKey|partition of (einKey|organizationNameKey))$/,
    reason:
      "These functions change the status or the controls of a connection, and neither its POS nor the organization.",
  },
  {
    pattern: /^(crbs\/updateCrbInfo|onboarding\/withdrawConsent) DeleteItem rejectedRecordsKey$/,
    reason: "Rejected records are deleted when a CRB is connected to another POS.",
  },
  {
    pattern: /^(serviceProviders|onboarding)\/get(Onboarding)?PosCredentialsSchema partnerKeys$/,
    reason: "The schema lists POS types with a connector. Partner keys are read when a connector opens.",
  },
  {
    pattern: /^restorations\/worker (PutObject|documents)$/,
    reason: "A rebuild updates the lists of locations, but begins no day, so it stores no daily snapshot.",
  },
  {
    pattern:
      /^webhooks\/(createWebhookEndpoint|rotateWebhookSecret) (DeleteItem |PutItem |partition of )enabledWebhookKey$/,
    reason: "`endpointWrites` updates the list of enabled endpoints if an endpoint is enabled or disabled.",
  },
  {
    pattern:
      /^(webhooks\/deliverer|credentials\/revokeCredential|identityProviders\/deleteIdentityProvider|exports\/sweeper) PutItem enabledWebhookKey$/,
    reason: "These functions disable endpoints and enable none.",
  },
  {
    pattern:
      /^(credentials\/revokeCredential|identityProviders\/deleteIdentityProvider|exports\/deleteExport) PutItem runningExportKey$/,
    reason: "`changeExport` stores the running export if an export begins to run. These functions only end exports.",
  },
  {
    pattern: /^replication\/worker BatchGetItem outboxPartition$/,
    reason: "`LocationLists` reads the records that items of the outbox name.",
  },
  {
    pattern: /^crbs\/createCrbAccess PutItem associationKey$/,
    reason: "`issueCrbAccess` reads the association in one call with the item that it changes.",
  },
  {
    pattern: /^(webhooks\/sweeper PutItem enabledWebhookPartition|deposits\/sweeper PutItem reconciledCrbPartition)$/,
    reason: "The position of a sweep names the last endpoint, in its own partition.",
  },
  {
    pattern: /^the authorization GetItem( credentialKey| associationKey)?$/,
    reason:
      "The permission sets of the token exchange and of invited users' operations grant it. A test checks it for invited users.",
  },
];
