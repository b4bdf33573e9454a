/**
 * The codes of each kind of failure, one per cause (docs/spec.md#error-codes). The first is the kind's own code. A release
 * may add codes, and never changes or removes one. Only types of this list reach the functions, so that their bundles stay
 * small.
 */
export const errorCodes = {
  unauthorized: ["unauthorized", "assertion_rejected", "client_assertion_rejected"],
  forbidden: [
    "request_blocked",
    "address_not_allowed",
    "wrong_path_family",
    "wrong_service_provider",
    "scope_missing",
    "role_missing",
  ],
  notFound: ["not_found", "route_not_found"],
  // biome-ignore format: a value on each line fills a screen
  conflict: [
    "status_not_allowed", "already_connected", "already_invited", "concurrent_changes", "connection_changed",
    "consent_missing", "count_limit", "credential_in_use", "deposit_limit", "document_limit", "document_of_provider",
    "endpoint_limit", "export_limit", "identity_provider_taken", "insight_changed", "insight_limit",
    "insight_withdrawn", "license_limit", "license_not_linked", "license_of_provider", "pos_connected",
    "pos_not_connected", "requirement_archived", "sale_limit", "sale_missing", "secret_limit", "secret_missing",
    "short_name_taken", "state_connection_limit", "statement_limit", "steps_missing", "terms_changed",
    "url_unconfirmed",
  ],
  tooLarge: ["payload_too_large"],
  invalid: ["validation_failed", "window_required"],
  throttled: [
    "rate_limited",
    "export_day_limit",
    "report_day_limit",
    "statement_day_limit",
    "invitation_limit",
    "pos_check_limit",
    "token_limit",
  ],
  internal: ["unexpected"],
  unavailable: [
    "unavailable",
    "identity_provider_unavailable",
    "pos_unavailable",
    "restoring",
    "state_system_unavailable",
  ],
} as const;

/** A code of a kind of failure. */
export type CodeOf<Kind extends keyof typeof errorCodes> = (typeof errorCodes)[Kind][number];
export type ErrorCode = CodeOf<keyof typeof errorCodes>;
