// Made of docs/openapi.json by openapi-typescript: npm run openapi

export interface paths {
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a client id and secret for an access token
         * @description With `client_id` and `client_secret` in the body the `Authorization` header is ignored; without both, an API key in the header authenticates. A request for a scope that the credential lacks gets 403. The token ends after 3600 seconds, or with its credential. A credential has at most 100 live tokens; then 429 until some expire. Keep a token until it expires instead of requesting one for each call.
         *
         *     OAuth 2 libraries can use the client credentials grant (RFC 6749, 4.4), with the id and secret in the form or in an `Authorization: Basic` header. The response to a form has `scope` as one text; a failure has `error` and `error_description` of RFC 6749, 5.2, besides the fields of every error.
         *
         *     Any credential may be exchanged; no scope is needed.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credentials
         * @description Your own credentials and those that you have issued for CRBs, the newest first, also expired and revoked ones. Secrets are shown only when a credential is issued. Access tokens are not listed: they end with their credential.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["listCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/credentials/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a credential
         * @description Ends the credential, its access tokens and every credential that it issued. Disables the webhook endpoints that it registered or changed, deletes their secrets at once, withdraws the invitations that it made, and cancels its open uploads. CRBs and documents stay. This cannot be undone. If a call fails, a second one finishes it. To replace a credential that has not leaked, send `keep_issued=true` and `keep_made=true`. A credential or its token cannot revoke the credential itself.
         *
         *     For a credential of a service provider with the scope `create-crb-api-key:write`.
         */
        delete: operations["revokeCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the service provider
         * @description The organization that the credential belongs to. Another `sp_id` is refused with 403, whether it exists or not.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["getServiceProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the CRBs of the service provider
         * @description All CRBs that are associated with the service provider, including those whose association is paused (`bank_disconnected`). The newest change comes first.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["listServiceProviderCrbs"];
        put?: never;
        /**
         * Create a CRB
         * @description With `pos_info` the POS is called with the credentials and connected, and the people in `users`, if any, are invited. Without it there must be `users`; they are invited to connect the POS themselves. `business_type` must be the kind that the POS type serves. All errors in the body are reported together. Then the POS checks the credentials, then the location, and last the service checks that the organization is not connected yet. Nothing is stored unless every check passes. The new CRB is `svc_approved`, or `svc_pending` with `onboarding_required`. With an `Idempotency-Key` the request can be repeated without a second CRB; the same key with another body is refused with 422 on `header.idempotency-key`. If the CRB has left the service provider meanwhile, a repetition answers 404.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["createCrb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/pos-credentials-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which credentials each POS type needs
         * @description One key for each POS type that the stage offers, with the properties of `pos_credentials` and whether `location_id` is required. If no property is required, send at least one. A production stage offers POS types without proof only on request (see POS systems in the introduction).
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["getPosCredentialsSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/licenses-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the license registers
         * @description All terms must match; without any, all licenses are listed. `licenseNumber` must be equal but for letter case. `name` is found by the beginnings of its words, in any order and letter case, in the holder or in one of the businesses. `state` is the region of the licensing authority. The license updated last comes first.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["searchLicenses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/onboarding-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the onboarding templates
         * @description The service provider's own and the service's standard template, the newest change first.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["listOnboardingTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a CRB with its status
         * @description Its address and figures, its due-diligence `status`, its onboarding template and its POS connections. A CRB whose association is paused (`bank_disconnected`) stays readable.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["getCrbInfo"];
        /**
         * Change a CRB
         * @description Changes only the fields that are sent; `{}` changes nothing. A value can be replaced but not cleared: `null` is refused. Name, state, template and status cannot be changed here. Where `timezone` changes, all records are soon read again from the POS, so that their local times follow; those of past days of the inventory stay as they were. `monthlySales` is a number in the request and text in the answer.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        put: operations["updateCrbInfo"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue credentials for a CRB
         * @description The pair opens the paths below `/crbs/{crb_id}`. Each call issues a new one and shows its secret once. The two newest pairs stay valid and older ones end, so that a pair can be replaced without an interruption. `ended_client_ids` names the pairs that this call has ended. The pair holds no scope that the credential or token of the request lacks: `crb:read` needs `service-provider:read`, and `point-of-sale:read` needs `point-of-sale:read`. It ends on its `expires_date`, with the credential that issued it, and with the association.
         *
         *     For a credential of a service provider with the scope `create-crb-api-key:write`.
         */
        post: operations["createCrbAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customers of a CRB
         * @description The newest change comes first. A walk by `offset` skips no customer that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own customers
         * @description The newest change comes first. A walk by `offset` skips no customer that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/customers/{customer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer of a CRB
         * @description A customer that the POS no longer has stays readable.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["getCrbCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/customers/{customer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of your own customers
         * @description A customer that the POS no longer has stays readable.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/customers-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the customers of a CRB
         * @description At least one term must be given; several must all match. Terms are sent in clear and hashed like the fields of the records; a term must be the whole value, spaces around it aside. Names and e-mail are compared in composed Unicode form (NFC) without letter case, a telephone number by its digits with `phone` or `cell_phone`. An error never echoes a term. A credential, its access tokens included, may search 60 times a minute and 2,000 times a UTC day; requests refused with 401, 403, 404 or 422 before the search do not count.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["searchCrbCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/documents/{doc_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to a document's content
         * @description The link needs no credential. It is valid for 3600 seconds, but not longer than the association, and returns the content as base64 text. For a deleted document the answer is 404.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["getCrbDocumentDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of the CRB
         * @description Files that were added to the requirements of the onboarding template, the newest first. Deleted ones stay listed, with `deleted` true.
         *
         *     For a credential of a CRB with the scope `crb:read`.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/documents/{doc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a document's record
         * @description A deleted document stays readable, with `deleted` true.
         *
         *     For a credential of a CRB with the scope `crb:read`.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inventory of a CRB
         * @description The newest change comes first. A walk by `offset` skips no record that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began. What the POS no longer has stays listed, with a quantity of 0. With `expand=true` each record carries its `product`, null when none is known; without it the key is absent.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own inventory
         * @description The newest change comes first. A walk by `offset` skips no record that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began. What the POS no longer has stays listed, with a quantity of 0. With `expand=true` each record carries its `product`, null when none is known; without it the key is absent.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/inventory/{inventory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an inventory record of a CRB
         * @description What the POS no longer has stays readable, with a quantity of 0. With `expand=true` each record carries its `product`, null when none is known; without it the key is absent.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["getCrbInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/inventory/{inventory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of your own inventory records
         * @description What the POS no longer has stays readable, with a quantity of 0. With `expand=true` each record carries its `product`, null when none is known; without it the key is absent.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["getInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/inventory-locations/{location_id}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inventory at one location of a CRB
         * @description With `date` the records and quantities are those at the end of that day in the CRB's time zone; without it, or for today, the present ones. A day before the first replication gives an empty list; a day in the future, or together with `last_updated_from` or `last_updated_to`, is refused. With `expand=true` each record carries its `product`, null when none is known; without it the key is absent.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbLocationInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/inventory-locations/{location_id}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own inventory at one location
         * @description With `date` the records and quantities are those at the end of that day in the CRB's time zone; without it, or for today, the present ones. A day before the first replication gives an empty list; a day in the future, or together with `last_updated_from` or `last_updated_to`, is refused. With `expand=true` each record carries its `product`, null when none is known; without it the key is absent.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listLocationInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/inventory-locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inventory locations of a CRB
         * @description The newest change comes first. The time of their update in the service is kept, and filtered by `last_updated_from` and `last_updated_to`, but not part of the record.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbInventoryLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/inventory-locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own inventory locations
         * @description The newest change comes first. The time of their update in the service is kept, and filtered by `last_updated_from` and `last_updated_to`, but not part of the record.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listInventoryLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/inventory-locations/{location_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an inventory location of a CRB
         * @description `listCrbLocationInventory` lists what is stored there.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["getCrbInventoryLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/inventory-locations/{location_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of your own inventory locations
         * @description `listLocationInventory` lists what is stored there.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["getInventoryLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of a CRB
         * @description The newest change comes first. A walk by `offset` skips no product that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own products
         * @description The newest change comes first. A walk by `offset` skips no product that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/products/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a product of a CRB
         * @description A product that the POS no longer has stays readable.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["getCrbProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/products/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of your own products
         * @description A product that the POS no longer has stays readable.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sales of a CRB
         * @description The newest change comes first; with `start_date` or `end_date`, the newest day of sale. A day of sale is that of `local_date`. A walk by `offset` skips no sale that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began. Filters can be combined freely and must all match. A sale is retail or wholesale, as its `type` says.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own sales
         * @description The newest change comes first; with `start_date` or `end_date`, the newest day of sale. A day of sale is that of `local_date`. A walk by `offset` skips no sale that stayed unchanged meanwhile; read those that changed with `last_updated_from` set to the day the walk began. Filters can be combined freely and must all match. A sale is retail or wholesale, as its `type` says.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your own record
         * @description Address and figures of the CRB that the credential belongs to, as its service provider keeps them.
         *
         *     For a credential of a CRB with the scope `crb:read`.
         */
        get: operations["getCrb"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a CRB's answers to its onboarding template
         * @description The required documents, the documents that were added with the status of their review, and the CRB's answers to the free questions.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["getCrbOnboardingTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a document to a requirement
         * @description The content goes as base64 in the JSON body, 5,242,880 bytes at most when decoded. On AWS the body of a file above about 4.7 MB is too large and gets 413; `createDocumentUpload` takes every file up to the limit. A new document is `pending`. Adding never replaces; the same file name may occur twice. From `svc_approved` on, the CRB's `status` follows from its documents.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        put: operations["addRequirementDocument"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/requirements/{requirement_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a document as an invited user
         * @description The content goes as base64 in the JSON body, 5,242,880 bytes at most when decoded. On AWS the body of a file above about 4.7 MB is too large and gets 413; `createOnboardingUpload` takes every file up to the limit. A new document is `pending`. Adding never replaces; the same file name may occur twice. From `svc_approved` on, the CRB's `status` follows from its documents.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        put: operations["addOnboardingDocument"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Review a document of a requirement
         * @description From `pending` to `approved` or `archived`, from `approved` to `pending` or `archived`, from `archived` to `pending`; the same status again changes nothing; every other move is refused with 409. Going back to `pending` clears who reviewed it and when. From `svc_approved` on, the CRB's `status` follows from its documents.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        put: operations["updateRequirementDocumentStatus"];
        post?: never;
        /**
         * Delete a document of a requirement
         * @description Whatever its status is. The document stays listed as a document of the CRB, with `deleted` true; its content is removed within a day. Deleting it again gives 404. From `svc_approved` on, the CRB's `status` follows from its documents.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        delete: operations["deleteRequirementDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/document-uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload of a document
         * @description Returns a link for one PUT of the file's bytes within 900 seconds, with this type as `Content-Type`, with `If-None-Match: *`, and of exactly this length. Then `completeDocumentUpload` makes it a document. The link answers 412 when a file has arrived already: to send another one, begin another upload. An upload that is never completed is removed after a day; the link ends with the association, too.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["createDocumentUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/requirements/{requirement_id}/document-uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload as an invited user
         * @description Returns a link for one PUT of the file's bytes within 900 seconds, with this type as `Content-Type`, with `If-None-Match: *`, and of exactly this length. Then `completeOnboardingUpload` makes it a document. The link answers 412 when a file has arrived already: to send another one, begin another upload. An upload that is never completed is removed after a day; the link ends with the association, too.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        post: operations["createOnboardingUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/document-uploads/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an upload of a document
         * @description Checks the uploaded content like `addRequirementDocument`, and makes it a document. A repetition gets the same answer. 422 on `path.document_id` means that nothing was uploaded yet, or that the content does not match the type: then begin another upload. From `svc_approved` on, the CRB's `status` follows from its documents.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["completeDocumentUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/requirements/{requirement_id}/document-uploads/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an upload as an invited user
         * @description Checks the uploaded content like `addOnboardingDocument`, and makes it a document. A repetition gets the same answer. 422 on `path.document_id` means that nothing was uploaded yet, or that the content does not match the type: then begin another upload. From `svc_approved` on, the CRB's `status` follows from its documents.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        post: operations["completeOnboardingUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/changes/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a CRB's records
         * @description Follow the cursors from the beginning, and you receive every record of the kind, and then every change, each at least once and in order. None is missed, so a copy needs no other reading. Store the records of a page and its `cursor` in one transaction. A page may hold fewer records than `limit`; only `has_more` tells the end. Where `data` is empty and `has_more` is `true`, wait as long as `Retry-After` says. A record that was erased comes as an anonymous one.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/changes/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of your own records
         * @description Follow the cursors from the beginning, and you receive every record of the kind, and then every change, each at least once and in order. None is missed, so a copy needs no other reading. Store the records of a page and its `cursor` in one transaction. A page may hold fewer records than `limit`; only `has_more` tells the end. Where `data` is empty and `has_more` is `true`, wait as long as `Retry-After` says. A record that was erased comes as an anonymous one.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/crbs/{crb_id}/replications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how fresh a CRB's records are
         * @description One entry for each of the five kinds: the state of its replication, the time up to which the data of the POS is stored, how many records there are, and how many were rejected.
         *
         *     For a credential of a service provider with the scope `point-of-sale:read`.
         */
        get: operations["listCrbReplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crbs/{crb_id}/replications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how fresh your own records are
         * @description One entry for each of the five kinds: the state of its replication, the time up to which the data of the POS is stored, how many records there are, and how many were rejected.
         *
         *     For a credential of a CRB with the scope `point-of-sale:read`.
         */
        get: operations["listReplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what has happened
         * @description Follow the cursors, and you receive every event at least once. The events of a CRB come in the order in which they were stored; between CRBs there is no order. An event says what happened, with the ids to read the details. Events are kept, and cursors are valid, for 30 days; after that begin again without a cursor. Where `has_more` is `false`, ask again after a while with the same `cursor`.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a new link sent
         * @description Sends a mail to an invited address, with a link for each business whose association is active, or for the one in `crb_id`. Earlier links stop working. The answer and the time it takes are the same whether or not the address is known. Only the first five requests of a UTC day for an address lead to a mail.
         *
         *     No credential is needed.
         */
        post: operations["sendOnboardingLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far the onboarding is
         * @description The business, the service provider, the terms, the consent, the POS connection, the required documents, and what is still missing. It changes nothing, so programs that open links in mails do no harm.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        get: operations["getOnboarding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give consent
         * @description Gives the business's consent to the terms that `getOnboarding` shows; any of its users may do so. `svc_pending` becomes `svc_in_progress`. When the terms change, earlier consent stays valid for the terms it was given to. Consent to an outdated version is refused with 409. A repetition changes nothing.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        put: operations["giveConsent"];
        post?: never;
        /**
         * Withdraw consent
         * @description Ends the connection to the POS: its credentials are erased, replication stops, and nothing more is read. What was replicated stays readable for the service provider until it is purged. All invited users are told by mail. `svc_awaiting_review` goes back to `svc_in_progress`; other statuses stay. The users may withdraw even if the service provider supplied the credentials. A repetition changes nothing.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        delete: operations["withdrawConsent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/pos-credentials-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which credentials the POS types of the business need
         * @description As `getPosCredentialsSchema`, for the POS types that serve the business type of the CRB.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        get: operations["getOnboardingPosCredentialsSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/pos-connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Connect the POS
         * @description Calls the POS with the credentials and connects it if they are accepted; replication begins at once. A later call replaces the credentials, or connects another POS instead; the records of the first one stay.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        put: operations["connectOnboardingPos"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/requirements/{requirement_id}/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a document as an invited user
         * @description Deletes a `pending` document that an invited user of this CRB added; any other is refused with 409. Otherwise it works like `deleteRequirementDocument`.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        delete: operations["deleteOnboardingDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the onboarding
         * @description Hands the onboarding to the operator for review: `svc_in_progress` becomes `svc_awaiting_review`. It needs consent, a connected POS (unless the operator takes the records as files), and for every `required` requirement a document that is not archived.
         *
         *     For the invitation token of an invited user, which names the CRB.
         */
        post: operations["submitOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints
         * @description All of them, ten at most, the newest first. The answer has no secrets.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description The endpoint receives events that are stored from now on. `secret` is shown only once; it signs each delivery, as [Standard Webhooks](https://www.standardwebhooks.com) says. A service provider has ten endpoints at most. If the answer is lost, find the endpoint in the list, and delete it or rotate its secret. The host name is resolved now and at every delivery. It is refused if it resolves to an address that is not public; a name that does not resolve yet is accepted.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Includes its delivery status: whether events wait, and why the last attempt failed.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["getWebhookEndpoint"];
        /**
         * Change a webhook endpoint
         * @description Fields that are not sent stay unchanged. `enabled: false` stops deliveries; events wait for the endpoint until their retention ends. `enabled: true`, or another `url`, delivers waiting events at once, even after failures. A new `url` is checked as in `createWebhookEndpoint`. An endpoint that was disabled by the revocation of a credential has no secret: make a new one before you enable it. If that credential had set the `url`, send the right one together with `enabled: true`.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        put: operations["updateWebhookEndpoint"];
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint with its secrets and waiting events. A delivery that is under way may still arrive within ten seconds.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret for a webhook endpoint
         * @description The new secret is shown only once. For 24 hours each delivery is signed with the new secret and with each earlier one that is still valid, so that receivers can switch at any time. An endpoint has at most six valid secrets: a sixth rotation within 24 hours is refused.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Makes one attempt to deliver an `endpoint.test` event, and returns the result within eleven seconds. Only this endpoint receives it, whatever its `event_types`, even while it is disabled. `listEvents` does not show it. The attempt is not retried, and does not affect the status of the endpoint.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver events to a webhook endpoint again
         * @description Delivers everything that was stored since `from`, in order, again or for the first time. Events from before `from` are skipped, even if they wait: with the present time you skip an event that your receiver can never accept. Some events of the minute before `from` may come, too. Deliveries under way continue. If the call fails, repeat it: it may have taken effect for a part of the events.
         *
         *     For a credential of a service provider with the scope `service-provider:write`.
         */
        post: operations["replayWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-providers/{sp_id}/webhook-endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to deliver to a webhook endpoint
         * @description The attempts of the last 30 days, the newest first, including tests. An event that was tried several times has an entry for each attempt. Of the receiver's answer only the status is kept.
         *
         *     For a credential of a service provider with the scope `service-provider:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What an access token is asked for with: `client_id` and `client_secret`, or neither of them */
        TokenRequest: {
            /** @description Client id; without it and the secret, the header counts */
            client_id?: string;
            /** @description Its secret */
            client_secret?: string;
            /**
             * @description The one grant there is
             * @constant
             */
            grant_type: "client_credentials";
            /** @description Scopes wanted; all of the credential when absent or empty */
            scope?: components["schemas"]["AccessScope"][];
        };
        /**
         * @description What a credential may do
         * @enum {string}
         */
        AccessScope: "service-provider:read" | "service-provider:write" | "crb:read" | "point-of-sale:read" | "point-of-sale:write" | "trace" | "admin" | "ein:read" | "crb-id-request:read" | "create-crb-api-key:write" | "connect-crb-to-sp:write";
        /** @description The same as a form, of an OAuth 2 library */
        TokenForm: {
            /** @description Client id; without it and the secret, the header counts */
            client_id?: string;
            /** @description Its secret */
            client_secret?: string;
            /**
             * @description The one grant there is
             * @constant
             */
            grant_type: "client_credentials";
            /** @description Scopes wanted, separated by spaces; all of the credential when absent or empty */
            scope?: string;
        };
        /** @description What a CRB is created of; without `pos_info` there must be at least one user */
        CrbCreation: {
            /** @description The organization */
            org: {
                /** @description Name of the organization; no control or invisible characters, such as line breaks, zero-width joiners and direction marks, and no `://` */
                name: string;
                state: components["schemas"]["State"];
                /** @description Required, unless sent beside `org` */
                business_type?: components["schemas"]["BusinessType"];
                /** @description A published onboarding template of the service provider; the one published last when absent */
                template_id?: string;
                /** @description Default of the state when absent */
                timezone?: components["schemas"]["Timezone"];
                /**
                 * Format: email
                 * @description Where notices about the CRB go; the operator's support when absent
                 */
                primary_contact_email?: string;
                /** @description Street */
                street_address?: string;
                /** @description Second address line */
                street_address_2?: string;
                /** @description City */
                city?: string;
                /** @description Postal code, `#####` or `#####-####` */
                postal_code?: string;
                country?: components["schemas"]["Country"];
                /** @description Street of the mailing address */
                mailing_street_address?: string;
                /** @description City of the mailing address */
                mailing_city?: string;
                /** @description State of the mailing address */
                mailing_state?: components["schemas"]["State"];
                /** @description Postal code of the mailing address */
                mailing_postal_code?: string;
                /** @description Employer identification number, `##-#######` */
                ein?: string;
                /** @description Telephone, `(###) ###-####` */
                phone_number?: string;
                /** @description Web address, `http` or `https` or without a scheme */
                website?: string;
                /** @description Day the business was established */
                established_date?: string;
                /**
                 * Format: int32
                 * @description Full-time employees
                 */
                ftEmployees?: number;
                /**
                 * Format: int32
                 * @description Part-time employees
                 */
                ptEmployees?: number;
                entityType?: components["schemas"]["EntityType"];
                /** @description Trading name (Doing Business As); no control or invisible characters, such as line breaks, zero-width joiners and direction marks, and no `://` */
                dba?: string;
                /**
                 * Format: int32
                 * @description Estimated monthly sales, answered as text
                 */
                monthlySales?: number;
                /**
                 * Format: int32
                 * @description Estimated monthly customers
                 */
                monthlyCustomers?: number;
            };
            /** @description Other place for `org.business_type` */
            business_type?: components["schemas"]["BusinessType"];
            /** @description The POS to connect at once, with its credentials */
            pos_info?: {
                /**
                 * @description A POS system that the stage offers: `getPosCredentialsSchema` lists them. Others get 422
                 * @enum {string}
                 */
                pos_type: "Alleaves" | "BioTrack" | "BioTrack Wholesale" | "Blaze" | "Canix" | "Dutchie" | "Dutchie Wholesale" | "Flourish Wholesale" | "Flowhub" | "Greenbits" | "GrowFlow" | "GrowFlow Wholesale" | "IndicaOnline" | "Meadow" | "POSaBIT" | "Proteus420" | "Sage Intacct" | "Treez" | "Weave";
                /** @description What `getPosCredentialsSchema` asks for with this `pos_type`; kept secret, never answered */
                pos_credentials: {
                    [key: string]: unknown;
                };
                /** @description Which location inside the POS belongs to this CRB; needed where `location_required` says so, or the credentials reach several */
                location_id?: string | number;
            };
            /** @description People to invite; at least one when there is no `pos_info` */
            users?: {
                /**
                 * Format: email
                 * @description Where the invitation goes
                 */
                email: string;
                /** @description First name; no control or invisible characters, such as line breaks, zero-width joiners and direction marks, and no `://` */
                firstName: string;
                /** @description Last name; no control or invisible characters, such as line breaks, zero-width joiners and direction marks, and no `://` */
                lastName: string;
                /** @description Phone number; accepted, but not stored or used */
                phone?: string;
            }[];
            /** @description How it is onboarded */
            options?: {
                /** @description True leaves the CRB pending until its users finish onboarding; false when absent */
                onboarding_required?: boolean;
            };
        };
        /**
         * @description State or territory of the United States, two letters
         * @enum {string}
         */
        State: "AL" | "AK" | "AZ" | "AR" | "AS" | "CA" | "CO" | "CT" | "DE" | "DC" | "FM" | "FL" | "GA" | "GU" | "HI" | "ID" | "IL" | "IN" | "IA" | "KS" | "KY" | "LA" | "ME" | "MD" | "MA" | "MH" | "MI" | "MN" | "MS" | "MO" | "MT" | "NE" | "NV" | "NH" | "NJ" | "NM" | "NY" | "NC" | "ND" | "MP" | "OH" | "OK" | "OR" | "PW" | "PA" | "PR" | "RI" | "SC" | "SD" | "TN" | "TX" | "UM" | "UT" | "VT" | "VA" | "VI" | "WA" | "WV" | "WI" | "WY" | "AA" | "AE" | "AP";
        /**
         * @description Whether a business sells to consumers or to other businesses
         * @enum {string}
         */
        BusinessType: "retail" | "wholesale";
        /**
         * @description Time zone
         * @enum {string}
         */
        Timezone: "America/New_York" | "America/Detroit" | "America/Kentucky/Louisville" | "America/Kentucky/Monticello" | "America/Indiana/Indianapolis" | "America/Indiana/Vincennes" | "America/Indiana/Winamac" | "America/Indiana/Marengo" | "America/Indiana/Petersburg" | "America/Indiana/Vevay" | "America/Chicago" | "America/Indiana/Tell_City" | "America/Indiana/Knox" | "America/Menominee" | "America/North_Dakota/Center" | "America/North_Dakota/New_Salem" | "America/North_Dakota/Beulah" | "America/Denver" | "America/Boise" | "America/Phoenix" | "America/Los_Angeles" | "America/Anchorage" | "America/Juneau" | "America/Puerto_Rico" | "America/Sitka" | "America/St_Thomas" | "America/Metlakatla" | "America/Yakutat" | "America/Nome" | "America/Adak" | "Pacific/Honolulu" | "Pacific/Guam" | "Pacific/Kosrae" | "Pacific/Midway" | "Pacific/Pago_Pago" | "Pacific/Palau" | "Pacific/Kwajalein" | "Pacific/Saipan";
        /**
         * @description Country
         * @enum {string}
         */
        Country: "Afghanistan" | "Albania" | "Algeria" | "American Samoa" | "Andorra" | "Angola" | "Anguilla" | "Antigua & Barbuda" | "Argentina" | "Armenia" | "Aruba" | "Australia" | "Austria" | "Azerbaijan" | "Bahamas, The" | "Bahrain" | "Bangladesh" | "Barbados" | "Belarus" | "Belgium" | "Belize" | "Benin" | "Bermuda" | "Bhutan" | "Bolivia" | "Bosnia & Herzegovina" | "Botswana" | "Brazil" | "British Virgin Is." | "Brunei" | "Bulgaria" | "Burkina Faso" | "Burma" | "Burundi" | "Cambodia" | "Cameroon" | "Canada" | "Cape Verde" | "Cayman Islands" | "Central African Rep." | "Chad" | "Chile" | "China" | "Colombia" | "Comoros" | "Congo, Dem. Rep." | "Congo, Repub. of the" | "Cook Islands" | "Costa Rica" | "Cote d'Ivoire" | "Croatia" | "Cuba" | "Cyprus" | "Czech Republic" | "Denmark" | "Djibouti" | "Dominica" | "Dominican Republic" | "East Timor" | "Ecuador" | "Egypt" | "El Salvador" | "Equatorial Guinea" | "Eritrea" | "Estonia" | "Ethiopia" | "Faroe Islands" | "Fiji" | "Finland" | "France" | "French Guiana" | "French Polynesia" | "Gabon" | "Gambia, The" | "Gaza Strip" | "Georgia" | "Germany" | "Ghana" | "Gibraltar" | "Greece" | "Greenland" | "Grenada" | "Guadeloupe" | "Guam" | "Guatemala" | "Guernsey" | "Guinea" | "Guinea-Bissau" | "Guyana" | "Haiti" | "Honduras" | "Hong Kong" | "Hungary" | "Iceland" | "India" | "Indonesia" | "Iran" | "Iraq" | "Ireland" | "Isle of Man" | "Israel" | "Italy" | "Jamaica" | "Japan" | "Jersey" | "Jordan" | "Kazakhstan" | "Kenya" | "Kiribati" | "Korea, North" | "Korea, South" | "Kuwait" | "Kyrgyzstan" | "Laos" | "Latvia" | "Lebanon" | "Lesotho" | "Liberia" | "Libya" | "Liechtenstein" | "Lithuania" | "Luxembourg" | "Macau" | "Macedonia" | "Madagascar" | "Malawi" | "Malaysia" | "Maldives" | "Mali" | "Malta" | "Marshall Islands" | "Martinique" | "Mauritania" | "Mauritius" | "Mayotte" | "Mexico" | "Micronesia, Fed. St." | "Moldova" | "Monaco" | "Mongolia" | "Montserrat" | "Morocco" | "Mozambique" | "Namibia" | "Nauru" | "Nepal" | "Netherlands" | "Netherlands Antilles" | "New Caledonia" | "New Zealand" | "Nicaragua" | "Niger" | "Nigeria" | "N. Mariana Islands" | "Norway" | "Oman" | "Pakistan" | "Palau" | "Panama" | "Papua New Guinea" | "Paraguay" | "Peru" | "Philippines" | "Poland" | "Portugal" | "Puerto Rico" | "Qatar" | "Reunion" | "Romania" | "Russia" | "Rwanda" | "Saint Helena" | "Saint Kitts & Nevis" | "Saint Lucia" | "St Pierre & Miquelon" | "Saint Vincent and the Grenadines" | "Samoa" | "San Marino" | "Sao Tome & Principe" | "Saudi Arabia" | "Senegal" | "Serbia" | "Seychelles" | "Sierra Leone" | "Singapore" | "Slovakia" | "Slovenia" | "Solomon Islands" | "Somalia" | "South Africa" | "Spain" | "Sri Lanka" | "Sudan" | "Suriname" | "Swaziland" | "Sweden" | "Switzerland" | "Syria" | "Taiwan" | "Tajikistan" | "Tanzania" | "Thailand" | "Togo" | "Tonga" | "Trinidad & Tobago" | "Tunisia" | "Turkey" | "Turkmenistan" | "Turks & Caicos Is" | "Tuvalu" | "Uganda" | "Ukraine" | "United Arab Emirates" | "United Kingdom" | "United States" | "Uruguay" | "Uzbekistan" | "Vanuatu" | "Venezuela" | "Vietnam" | "Virgin Islands" | "Wallis and Futuna" | "West Bank" | "Western Sahara" | "Yemen" | "Zambia" | "Zimbabwe";
        /**
         * @description Legal form
         * @enum {string}
         */
        EntityType: "sole" | "partnership" | "corporation" | "llc";
        /** @description What to change of a CRB; what is not sent stays as it is */
        CrbUpdate: {
            timezone?: components["schemas"]["Timezone"];
            /** @description Street */
            street_address?: string;
            /** @description Second address line */
            street_address_2?: string;
            /** @description City */
            city?: string;
            /** @description Postal code, `#####` or `#####-####` */
            postal_code?: string;
            country?: components["schemas"]["Country"];
            /** @description Street of the mailing address */
            mailing_street_address?: string;
            /** @description City of the mailing address */
            mailing_city?: string;
            /** @description State of the mailing address */
            mailing_state?: components["schemas"]["State"];
            /** @description Postal code of the mailing address */
            mailing_postal_code?: string;
            /** @description Employer identification number, `##-#######` */
            ein?: string;
            /** @description Telephone, `(###) ###-####` */
            phone_number?: string;
            /** @description Web address, `http` or `https` or without a scheme */
            website?: string;
            /** @description Day the business was established */
            established_date?: string;
            /**
             * Format: int32
             * @description Full-time employees
             */
            ftEmployees?: number;
            /**
             * Format: int32
             * @description Part-time employees
             */
            ptEmployees?: number;
            entityType?: components["schemas"]["EntityType"];
            /** @description Trading name (Doing Business As); no control or invisible characters, such as line breaks, zero-width joiners and direction marks, and no `://` */
            dba?: string;
            /**
             * Format: int32
             * @description Estimated monthly sales, answered as text
             */
            monthlySales?: number;
            /**
             * Format: int32
             * @description Estimated monthly customers
             */
            monthlyCustomers?: number;
        };
        /** @description Optional fields of a new pair */
        CrbAccessCreation: {
            /** @description A label, shown in the list of credentials */
            name?: string;
            /**
             * Format: date-time
             * @description The instant from which the pair is rejected; without it the pair does not expire
             */
            expires_date?: string;
        };
        /** @description A document to be added to a requirement */
        AddDocument: {
            /** @description Full file name with one dot only, before its extension in lower case: `license-v2.pdf`, not `license.v2.pdf` */
            file_name: string;
            /**
             * @description Media type; the extension must belong to it
             * @enum {string}
             */
            file_type: "text/csv" | "application/msword" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "image/gif" | "image/jpeg" | "application/json" | "application/vnd.oasis.opendocument.presentation" | "application/vnd.oasis.opendocument.spreadsheet" | "application/vnd.oasis.opendocument.text" | "image/png" | "application/pdf" | "application/vnd.ms-powerpoint" | "application/vnd.openxmlformats-officedocument.presentationml.presentation" | "application/rtf" | "image/svg+xml" | "image/tiff" | "text/plain" | "application/vnd.visio" | "application/vnd.ms-excel" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "application/xml" | "text/xml";
            /** @description Content in base64 (standard alphabet, padded, no line breaks), 1 to 5242880 bytes decoded */
            base64: string;
        };
        /** @description Where a document is to go in its review */
        DocumentStatus: {
            /**
             * @description Where the document is to go
             * @enum {string}
             */
            status: "approved" | "archived" | "pending";
        };
        /** @description A file that is to be sent to the store directly */
        UploadCreation: {
            /** @description Full file name with one dot only, before its extension in lower case: `license-v2.pdf`, not `license.v2.pdf` */
            file_name: string;
            /**
             * @description Media type; the extension must belong to it
             * @enum {string}
             */
            file_type: "text/csv" | "application/msword" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "image/gif" | "image/jpeg" | "application/json" | "application/vnd.oasis.opendocument.presentation" | "application/vnd.oasis.opendocument.spreadsheet" | "application/vnd.oasis.opendocument.text" | "image/png" | "application/pdf" | "application/vnd.ms-powerpoint" | "application/vnd.openxmlformats-officedocument.presentationml.presentation" | "application/rtf" | "image/svg+xml" | "image/tiff" | "text/plain" | "application/vnd.visio" | "application/vnd.ms-excel" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "application/xml" | "text/xml";
            /** @description Length of the file in bytes */
            size: number;
        };
        /**
         * @description A kind of records that are replicated from a POS
         * @enum {string}
         */
        KindName: "customers" | "products" | "inventory" | "inventory-locations" | "sales";
        /** @description A request for a new link */
        LinkRequest: {
            /**
             * Format: email
             * @description The address that was invited
             */
            email: string;
            /** @description The one business that is meant; all of the address without it */
            crb_id?: string;
        };
        /** @description Consent to terms that were read */
        ConsentGiven: {
            /** @description The `version` of the terms that were shown */
            terms_version: string;
        };
        /** @description A POS to be connected, with its credentials */
        PosConnection: {
            /**
             * @description A POS system that the stage offers: `getPosCredentialsSchema` lists them. Others get 422
             * @enum {string}
             */
            pos_type: "Alleaves" | "BioTrack" | "BioTrack Wholesale" | "Blaze" | "Canix" | "Dutchie" | "Dutchie Wholesale" | "Flourish Wholesale" | "Flowhub" | "Greenbits" | "GrowFlow" | "GrowFlow Wholesale" | "IndicaOnline" | "Meadow" | "POSaBIT" | "Proteus420" | "Sage Intacct" | "Treez" | "Weave";
            /** @description What `getPosCredentialsSchema` asks for with this `pos_type`; kept secret, never answered */
            pos_credentials: {
                [key: string]: unknown;
            };
            /** @description Which location inside the POS belongs to this CRB; needed where `location_required` says so, or the credentials reach several */
            location_id?: string | number;
        };
        /** @description Where to deliver events, and which */
        WebhookEndpointCreation: {
            /** @description `https`, a public host, port 443 or one above 1023, no credentials and no fragment; stored in the form in which it is called */
            url: string;
            /** @description A note of your own */
            description?: string;
            /** @description The types of events to send; all when empty */
            event_types?: components["schemas"]["EventType"][];
        };
        /**
         * @description What has happened
         * @enum {string}
         */
        EventType: "crb.created" | "crb.updated" | "crb.status.changed" | "crb.association.ended" | "pos.status.changed" | "records.changed" | "replication.initial_sync.completed" | "records.erased" | "document.added" | "document.status.changed" | "document.deleted" | "invitation.sent" | "invitation.failed" | "onboarding.consent.given" | "onboarding.consent.withdrawn" | "onboarding.submitted" | "credential.created" | "credential.revoked" | "endpoint.test" | "endpoint.disabled";
        /** @description What to change; what is not sent stays as it is */
        WebhookEndpointUpdate: {
            /** @description `https`, a public host, port 443 or one above 1023, no credentials and no fragment; stored in the form in which it is called */
            url?: string;
            /** @description A note of your own */
            description?: string;
            /** @description The types of events to send; all when empty */
            event_types?: components["schemas"]["EventType"][];
            /** @description `false` stops deliveries; `true` goes on where they stopped, as far as events are kept, at once */
            enabled?: boolean;
        };
        /** @description From when on to deliver events again */
        WebhookReplay: {
            /**
             * Format: date-time
             * @description An instant of the last 30 days: deliver what was stored since; the present one skips what waits
             */
            from: string;
        };
        /** @description An access token, and what it is good for */
        TokenResponse: {
            /** @description For the `Authorization` header */
            access_token: string;
            /**
             * @description Kind of token
             * @constant
             */
            token_type: "Bearer";
            /** @description What the token may do; for a form, one text with spaces between the scopes */
            scope: components["schemas"]["AccessScope"][] | string;
            /**
             * Format: int32
             * @description Seconds left at the time of the answer
             */
            expires_in: number;
            /** @description End of validity, epoch seconds */
            expires_at: number;
            /** @description Time of issue, epoch seconds */
            issued_at: number;
            /** @description Whose token it is */
            client_id: string;
        };
        /** @description What a refusal of a token answers */
        TokenError: {
            /**
             * @description Kind of error, one for each status
             * @enum {string}
             */
            name: "Unauthorized" | "Forbidden" | "Not Found" | "Conflict" | "Payload Too Large" | "Validation Failed" | "Too Many Requests" | "Internal Server Error" | "Service Unavailable";
            /** @description What went wrong, for people; may change */
            message: string;
            /** @description HTTP status */
            status: number;
            /** @description Stack trace; on the local stage alone */
            stack?: string;
            /** @description Extra facts, as the operation describes them */
            data?: unknown;
            /**
             * @description Kind of error for OAuth 2 libraries; where the request was a form
             * @enum {string}
             */
            error?: "invalid_client" | "invalid_request" | "invalid_scope" | "unsupported_grant_type";
            /** @description What went wrong, in one line; where the request was a form */
            error_description?: string;
        };
        /** @description What every refusal and failure answers */
        Error: {
            /**
             * @description Kind of error, one for each status
             * @enum {string}
             */
            name: "Unauthorized" | "Forbidden" | "Not Found" | "Conflict" | "Payload Too Large" | "Validation Failed" | "Too Many Requests" | "Internal Server Error" | "Service Unavailable";
            /** @description What went wrong, for people; may change */
            message: string;
            /** @description HTTP status */
            status: number;
            /** @description Stack trace; on the local stage alone */
            stack?: string;
            /** @description Extra facts, as the operation describes them */
            data?: unknown;
        };
        /** @description What a request for a token that fails its checks answers */
        TokenValidationError: {
            /**
             * @description Kind of error, one for each status
             * @enum {string}
             */
            name: "Unauthorized" | "Forbidden" | "Not Found" | "Conflict" | "Payload Too Large" | "Validation Failed" | "Too Many Requests" | "Internal Server Error" | "Service Unavailable";
            /** @description What went wrong, for people; may change */
            message: string;
            /** @description HTTP status */
            status: number;
            /** @description Stack trace; on the local stage alone */
            stack?: string;
            /** @description Extra facts, as the operation describes them */
            data?: unknown;
            /** @description Every failing input: `path.<name>`, `query.<name>`, `header.<name in lower case>`, `body.<dotted path>` with array indexes as segments (`body.users.0.email`), or `query` or `body` for the whole of it */
            fields: {
                [key: string]: {
                    /** @description What is wrong with it */
                    message: string;
                    /** @description What was received, cut to 200 characters; never of a secret */
                    value?: unknown;
                };
            };
            /**
             * @description Kind of error for OAuth 2 libraries; where the request was a form
             * @enum {string}
             */
            error?: "invalid_client" | "invalid_request" | "invalid_scope" | "unsupported_grant_type";
            /** @description What went wrong, in one line; where the request was a form */
            error_description?: string;
        };
        /** @description A page of a list */
        CredentialList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Credential"][];
        };
        /** @description Where the page stands in the list */
        ListMetadata: {
            /**
             * Format: int32
             * @description All matching records, before paging
             */
            total: number;
            /** @description Range returned, counted from 1; `0 - 0` when there is none */
            count: string;
        };
        /** @description A credential of a service provider or of one of its CRBs, without its secret */
        Credential: {
            /**
             * Format: uuid
             * @description Identifies the credential; also its client id for the token exchange
             */
            client_id: string;
            /** @description A label; null if none was given */
            name: string | null;
            owner: components["schemas"]["CredentialOwner"];
            /** @description The scopes that it grants */
            scopes: ("service-provider:read" | "service-provider:write" | "crb:read" | "point-of-sale:read" | "point-of-sale:write" | "trace" | "admin" | "ein:read" | "crb-id-request:read" | "create-crb-api-key:write" | "connect-crb-to-sp:write")[];
            /**
             * Format: date-time
             * @description When it was issued
             */
            created_date: string;
            /** @description Client id of the credential that issued it; null if the operator issued it */
            created_by: string | null;
            /** @description UTC day of the last granted request of the credential or one of its tokens; null if there was none */
            last_used_date: string | null;
            /** @description The instant from which it is rejected; null if it does not expire */
            expires_date: string | null;
            /** @description `active`; `expired` from its `expires_date` on; `revoked`, also after it expired */
            status: components["schemas"]["CredentialStatus"];
        };
        /** @description The owner of a credential */
        CredentialOwner: {
            kind: components["schemas"]["CredentialOwnerKind"];
            /**
             * Format: uuid
             * @description Id of the service provider or the CRB
             */
            id: string;
        };
        /**
         * @description The kind of owner of a credential
         * @enum {string}
         */
        CredentialOwnerKind: "service_provider" | "crb";
        /**
         * @description Whether a credential can be used
         * @enum {string}
         */
        CredentialStatus: "active" | "expired" | "revoked";
        /** @description What a request that fails its checks answers */
        ValidationError: {
            /**
             * @description Kind of error, one for each status
             * @enum {string}
             */
            name: "Unauthorized" | "Forbidden" | "Not Found" | "Conflict" | "Payload Too Large" | "Validation Failed" | "Too Many Requests" | "Internal Server Error" | "Service Unavailable";
            /** @description What went wrong, for people; may change */
            message: string;
            /** @description HTTP status */
            status: number;
            /** @description Stack trace; on the local stage alone */
            stack?: string;
            /** @description Extra facts, as the operation describes them */
            data?: unknown;
            /** @description Every failing input: `path.<name>`, `query.<name>`, `header.<name in lower case>`, `body.<dotted path>` with array indexes as segments (`body.users.0.email`), or `query` or `body` for the whole of it */
            fields: {
                [key: string]: {
                    /** @description What is wrong with it */
                    message: string;
                    /** @description What was received, cut to 200 characters; never of a secret */
                    value?: unknown;
                };
            };
        };
        /** @description A service provider's organization */
        ServiceProvider: {
            /**
             * Format: uuid
             * @description The `sp_id`
             */
            id: string;
            /** @description Name of the organization */
            name: string;
            /** @description Street */
            street_address: string;
            /** @description City */
            city: string;
            /** @description Employer identification number */
            ein: string;
            /** @description Telephone */
            phone_number: string;
            /** @description Postal code */
            postal_code: string;
            /** @description Country */
            country: string;
            /** @description Web address */
            website: string;
            state: components["schemas"]["State"];
            timezone: components["schemas"]["Timezone"];
            /** @description Contact person */
            primary_point_of_contact?: {
                /** @description First name */
                firstName: string;
                /** @description Last name */
                lastName: string;
                /** @description Position */
                title: string;
                /** @description E-mail address */
                emailAddress: string;
                /** @description Telephone */
                phoneNumber: string;
            };
        };
        /** @description A page of a list */
        CrbList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Crb"][];
        };
        /** @description A CRB with its status at the service provider */
        Crb: {
            /**
             * Format: uuid
             * @description The `crb_id`
             */
            id: string;
            /** @description Name of the organization */
            name: string;
            /** @description Street */
            street_address: string;
            /** @description Second address line */
            street_address_2: string | null;
            /** @description City */
            city: string | null;
            /** @description Employer identification number, `##-#######` */
            ein: string | null;
            /** @description Telephone, `(###) ###-####` */
            phone_number: string | null;
            /** @description Postal code */
            postal_code: string | null;
            /** @description Country */
            country: string | null;
            state: components["schemas"]["State"];
            /** @description Web address */
            website: string | null;
            timezone: components["schemas"]["Timezone"];
            /** @description Street of the mailing address */
            mailing_street_address: string | null;
            /** @description City of the mailing address */
            mailing_city: string | null;
            /** @description State of the mailing address */
            mailing_state: components["schemas"]["State"] | null;
            /** @description Postal code of the mailing address */
            mailing_postal_code: string | null;
            /** @description Day the business was established */
            established_date: string | null;
            /** @description Full-time employees */
            ftEmployees: number | null;
            /** @description Part-time employees */
            ptEmployees: number | null;
            entityType: components["schemas"]["EntityType"] | null;
            /** @description Trading name (Doing Business As) */
            dba: string | null;
            /** @description Estimated monthly sales, decimal digits */
            monthlySales: string | null;
            /** @description Estimated monthly customers */
            monthlyCustomers: number | null;
            /**
             * @description `dispensary` is a stand-alone business or one of several; `muo` is the parent of several
             * @enum {string}
             */
            org_type: "bank" | "dispensary" | "svc" | "transport_vendor" | "muo" | "data_integrator_client";
            business_type: components["schemas"]["BusinessType"] | null;
            /**
             * Format: uuid
             * @description Onboarding template assigned
             */
            template_id: string;
            /**
             * Format: uuid
             * @description This CRB's answers to the template, see `getCrbOnboardingTemplate`
             */
            template_result_id: string;
            status: components["schemas"]["CrbStatus"];
            /** @description Connections to POS systems; empty until there is one */
            pos_configs: {
                /** @description POS type */
                name: components["schemas"]["PosTypeName"];
                /**
                 * Format: date-time
                 * @description When `status` last changed; it changes as the POS lets the service in, or refuses it
                 */
                updated_date: string;
                /**
                 * @description Whether the POS can be read
                 * @enum {string}
                 */
                status?: "Connected" | "Not Connected" | "Needs Attention" | "Pending";
            }[];
        };
        /**
         * @description Due-diligence status: `svc_…` is onboarding by the operator, `bank_…` the service provider's own
         * @enum {string}
         */
        CrbStatus: "bank_disconnected" | "bank_approved" | "bank_review_in_progress" | "bank_awaiting_review" | "bank_in_progress" | "bank_pending" | "svc_approved" | "svc_awaiting_review" | "svc_in_progress" | "svc_pending";
        /**
         * @description A POS system
         * @enum {string}
         */
        PosTypeName: "Alleaves" | "Dutchie" | "Dutchie Wholesale" | "Cova" | "Meadow" | "MJ Freeway" | "MJ Freeway Wholesale" | "Greenbits" | "GrowFlow" | "GrowFlow Wholesale" | "Portal42" | "Metrc S2S" | "Metrc S2S Wholesale" | "Flourish" | "Flourish Wholesale" | "Flowhub" | "BioTrack" | "BioTrack Wholesale" | "Treez" | "Blaze" | "Quickbooks" | "Sage Intacct" | "Canix" | "Brytemap" | "POSaBIT" | "Proteus420" | "IndicaOnline" | "Sweed" | "Weave" | "Jane" | "Manual Upload Wholesale" | "Cova Test Account" | "Leaf Logix Test Account" | "BioTrack Test Account" | "Mj Freeway Test Account" | "Treez IO Test Account" | "Green Bits Test Account" | "Manual Upload Retail" | "Not Configured" | "Unsupported" | "CRBMonitor" | "Plaid";
        /** @description A CRB as its own credential sees it */
        CrbCore: {
            /**
             * Format: uuid
             * @description The `crb_id`
             */
            id: string;
            /** @description Name of the organization */
            name: string;
            /** @description Street */
            street_address: string;
            /** @description Second address line */
            street_address_2: string | null;
            /** @description City */
            city: string | null;
            /** @description Employer identification number, `##-#######` */
            ein: string | null;
            /** @description Telephone, `(###) ###-####` */
            phone_number: string | null;
            /** @description Postal code */
            postal_code: string | null;
            /** @description Country */
            country: string | null;
            state: components["schemas"]["State"];
            /** @description Web address */
            website: string | null;
            timezone: components["schemas"]["Timezone"];
            /** @description Street of the mailing address */
            mailing_street_address: string | null;
            /** @description City of the mailing address */
            mailing_city: string | null;
            /** @description State of the mailing address */
            mailing_state: components["schemas"]["State"] | null;
            /** @description Postal code of the mailing address */
            mailing_postal_code: string | null;
            /** @description Day the business was established */
            established_date: string | null;
            /** @description Full-time employees */
            ftEmployees: number | null;
            /** @description Part-time employees */
            ptEmployees: number | null;
            entityType: components["schemas"]["EntityType"] | null;
            /** @description Trading name (Doing Business As) */
            dba: string | null;
            /** @description Estimated monthly sales, decimal digits */
            monthlySales: string | null;
            /** @description Estimated monthly customers */
            monthlyCustomers: number | null;
        };
        /** @description What each POS type asks of whoever connects it, by POS type */
        PosCredentialsSchema: {
            [key: string]: components["schemas"]["PosCredentials"];
        };
        /** @description What one POS type asks of whoever connects it */
        PosCredentials: {
            /**
             * @description Equals the key
             * @enum {string}
             */
            pos_type: "Alleaves" | "BioTrack" | "BioTrack Wholesale" | "Blaze" | "Canix" | "Dutchie" | "Dutchie Wholesale" | "Flourish Wholesale" | "Flowhub" | "Greenbits" | "GrowFlow" | "GrowFlow Wholesale" | "IndicaOnline" | "Meadow" | "POSaBIT" | "Proteus420" | "Sage Intacct" | "Treez" | "Weave";
            /** @description Kind of business it serves */
            business_type: components["schemas"]["BusinessType"];
            /** @description Whether `location_id` must be sent */
            location_required: boolean;
            /** @description What `pos_credentials` must hold */
            pos_credentials_schema: {
                /** @description Name of the credential set */
                credentials_name: string;
                /** @description How to obtain the credentials */
                credentials_description: string;
                /** @description Properties that can be sent, by name */
                credentials_properties: {
                    [key: string]: {
                        /**
                         * @description JSON type of the value
                         * @enum {string}
                         */
                        type: "string" | "number";
                        /** @description What it is */
                        description?: string;
                    };
                };
                /** @description Properties that must be sent, sorted */
                required_properties: string[];
            };
        };
        /** @description A page of a list */
        LicenseList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["License"][];
        };
        /** @description A license as a state's register has it */
        License: {
            /** @description Holder */
            licensee: string | null;
            /** @description License number */
            license_identifier: string | null;
            /** @description Place */
            locality: string | null;
            /** @description Medical, recreational, both, or hemp */
            med_rec_classification: ("both" | "hemp" | "medical" | "recreational") | null;
            /** @description Name of the authority; empty where there is none */
            licensing_authority_name: string;
            /**
             * @description Level of government of the authority
             * @enum {string}
             */
            licensing_authority_tier: "country" | "locality" | "other" | "region" | "sub_region";
            /** @description Address of the authority */
            licensing_authority_address: {
                /** @description Street */
                street: string | null;
                /** @description Building */
                premise: string | null;
                /** @description Part of the building, such as a suite */
                sub_premise: string | null;
                /** @description Post office box */
                box_number: string | null;
                /** @description City */
                locality: string | null;
                /** @description Part of the city */
                sub_locality: string | null;
                /** @description State, two letters; compared with `state` */
                region: string | null;
                /** @description County */
                sub_region: string | null;
                /** @description Postal code */
                postal_code: string | null;
                /** @description Country */
                country: string | null;
                /** @description Created in the register */
                created_at: string | null;
                /** @description Updated in the register */
                updated_at: string | null;
            };
            /** @description Class, as the state gives it */
            state_license_class_description: string | null;
            /** @description Sub-class, as the state gives it */
            state_license_sub_class_description: string | null;
            /** @description Status, as the state gives it */
            state_license_status_description: string | null;
            /** @description Type as the register reports it */
            reported_license_type_description: string;
            /** @description Status as the register reports it */
            reported_license_status: string;
            /** @description Sub-type as the register reports it */
            reported_license_sub_type: string | null;
            uniform_license_type_description: components["schemas"]["UniformLicenseType"];
            /**
             * @description Status, the same in all states
             * @enum {string}
             */
            uniform_license_status_description: "Active" | "Approved/Pending" | "Inactive" | "Pre-License" | "Unknown" | "Unlicensed";
            /** @description Date of the status */
            status_date: string;
            /** @description Issued */
            issued_at: string | null;
            /** @description Expires */
            expires_at: string | null;
            /** @description Created in the register */
            created_at: string;
            /** @description Updated in the register */
            updated_at: string;
            /** @description Edited in the register */
            edited_at: string;
            /** @description Businesses on the license */
            businesses: {
                /** @description Name */
                name: string;
            }[];
            /** @description People on the license */
            individuals: {
                /** @description Name */
                name: string;
            }[];
        };
        /**
         * @description License type, the same in all states
         * @enum {string}
         */
        UniformLicenseType: "Caregiver" | "CBD" | "Corporate Officer" | "Cultivation" | "Delivery/Transporter" | "Event Organizer" | "Hemp" | "Illicit Establishment" | "Management Company" | "Manufacturer/Processor" | "Owner/Investor" | "Research" | "Retail/Dispensary" | "Senior Manager" | "Social Use Club" | "Storage" | "Testing" | "Unknown" | "Vertically Integrated" | "Waste Disposal" | "Wholesale/Distribution";
        /** @description A page of a list */
        OnboardingTemplateList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["OnboardingTemplate"][];
        };
        /** @description What a service provider asks of the CRBs that it takes on */
        OnboardingTemplate: {
            /**
             * Format: uuid
             * @description The template
             */
            template_id: string;
            /**
             * Format: date-time
             * @description Time of creation
             */
            date_created: string;
            /**
             * Format: date-time
             * @description Last change
             */
            date_updated: string;
            /** @description Author */
            created_by: string;
            /** @description Last editor */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was published
             */
            published_date?: string;
            /** @description By whom it was published */
            published_by?: string;
            /** @description Current version; `draft` while changes are unpublished */
            version: string;
            /** @description Internal name */
            name: string;
            /** @description Internal description */
            description: string;
            /** @description Groups of free questions */
            custom_field_sections: {
                /** @description Id of the section */
                section_id: string;
                /** @description Heading */
                label: string;
                /** @description Text below the heading */
                description?: string;
                /** @description Position */
                order: number;
                smart_rule?: components["schemas"]["SmartRule"];
                /** @description Questions */
                fields: {
                    /** @description Id of the question */
                    id: string;
                    /** @description Question */
                    label: string;
                    /**
                     * @description Kind of input
                     * @enum {string}
                     */
                    type: "textSingleLine" | "textMultiLine" | "radio" | "select" | "checkbox" | "date" | "file" | "fileDownload" | "displayContent" | "hyperlink";
                    /** @description Whether an answer is needed */
                    required?: boolean;
                    /** @description Hint */
                    helpText?: string;
                    /** @description Text of `displayContent` */
                    paragraph?: string;
                    smart_rule?: components["schemas"]["SmartRule"];
                    /** @description Attached files */
                    attachments?: {
                        /** @description Id of the file */
                        id: string;
                        /** @description File name */
                        file_name: string;
                    }[];
                }[];
            }[];
            /** @description Documents asked for */
            document_requirements: {
                /**
                 * Format: uuid
                 * @description The requirement
                 */
                requirement_id: string;
                /** @description Name of the document */
                name: string;
                /** @description What is asked for */
                description: string;
                /**
                 * @description Subject
                 * @enum {string}
                 */
                category: "financial" | "insurance" | "legal" | "license" | "operational";
                /**
                 * @description Where the requirement comes from
                 * @enum {string}
                 */
                type: "bank_custom" | "business_license" | "employee_license" | "svc_standard";
                /** @description Whether it must be met */
                required: boolean;
                /** @description Whether it is no longer asked for */
                archived?: boolean;
                /** @description Attached files */
                attachments?: {
                    /** @description Id of the file */
                    id: string;
                    /** @description File name */
                    file_name: string;
                }[];
            }[];
        };
        /** @description When to show or hide */
        SmartRule: {
            /**
             * @description What to do
             * @enum {string}
             */
            action: "Show" | "Hide";
            /** @description All must hold */
            conditions: {
                /**
                 * @description How to compare
                 * @enum {string}
                 */
                operator: "Is Equal To" | "Is Not Equal To" | "Is Empty" | "Is Filled";
                /** @description The question whose answer decides */
                targetFieldId: string;
                /** @description What to compare with */
                targetValue?: string;
            }[];
        };
        /** @description A pair for the token exchange */
        AccessCredentials: {
            /** @description Client id for the token exchange */
            client_id: string;
            /** @description The `client_secret` of the token exchange, and an API key by itself; shown once */
            secret: string;
            /** @description Client ids of the CRB's older pairs that this one has ended; empty if there were fewer than two */
            ended_client_ids: string[];
        };
        /** @description A page of a list */
        CustomerList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Customer"][];
        };
        /** @description A customer as the POS knows them, without any plain name, number or e-mail address */
        Customer: {
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /**
             * Format: uuid
             * @description The `customer_id`
             */
            id: string;
            /** @description Source POS */
            pos_type: components["schemas"]["PosTypeName"];
            /** @description Id inside the POS; `erased` for a customer who was erased, of whom nothing else is left */
            pos_customer_id: string;
            /** @description First name, hashed */
            first_name: components["schemas"]["Hash"] | null;
            /** @description Last name, hashed */
            last_name: components["schemas"]["Hash"] | null;
            /** @description Middle name, hashed */
            middle_name: components["schemas"]["Hash"] | null;
            /** @description Date of birth */
            dob: string | null;
            /** @description Street, as the POS gives it */
            address_1: string | null;
            /** @description Second address line */
            address_2: string | null;
            /** @description City */
            city: string | null;
            /** @description State, as the POS gives it */
            state: string | null;
            /** @description Postal code */
            zip_code: string | null;
            /** @description Telephone, hashed */
            phone: components["schemas"]["Hash"] | null;
            /** @description Mobile telephone, hashed */
            cell_phone: components["schemas"]["Hash"] | null;
            /** @description E-mail address, hashed */
            email_address: components["schemas"]["Hash"] | null;
            /** @description Gender, if the POS gives it */
            gender: ("Male" | "Female" | "Other") | null;
            /** @description Main form of identification */
            pos_identification_type: string | null;
            /** @description The POS's own value behind `svc_customer_type` */
            pos_customer_type: string | null;
            /** @description Medical or adult use */
            svc_customer_type: ("medical" | "rec") | null;
            /** @description Number of the medical card, hashed */
            medical_id: components["schemas"]["Hash"] | null;
            /** @description Number of the driver's license, hashed */
            drivers_license_id: components["schemas"]["Hash"] | null;
            /** @description Number of another identification, hashed */
            other_id: components["schemas"]["Hash"] | null;
            /** @description Expiry of the medical card */
            medical_id_expiration_date: string | null;
            /** @description Expiry of the driver's license */
            drivers_license_expiration_date: string | null;
            /** @description Expiry of the other identification */
            other_id_expiration_date: string | null;
            /** @description Whether this is a caregiver */
            caregiver: boolean | null;
            /** @description Whether they take part in a loyalty program */
            loyalty_member: boolean | null;
            /** @description Points accrued, a decimal number as text */
            loyalty_points: string | null;
            /** @description Whether the POS names nobody; may depend on the state */
            anonymous: boolean | null;
            /** @description Last update in the POS */
            pos_updated_date: string | null;
            pos_updated_date_local: components["schemas"]["LocalDateTime"] | null;
            /** @description Inserted or updated in the service */
            svc_updated_date: string | null;
            /** @description Inserted in the service */
            svc_created_date: string | null;
        };
        /** @description HMAC-SHA-256 of the normalized value under a key of the CRB's own, lower-case hexadecimal */
        Hash: string;
        /** @description A moment in the CRB's time zone, `yyyy-MM-dd HH:mm:ss.SSS` */
        LocalDateTime: string;
        /** @description A document with a link to its content */
        DownloadLink: {
            /** @description The `doc_id` */
            id: string;
            /** @description The CRB */
            org_id: string;
            /** @description Key of the stored content; opaque */
            storage_key: string;
            /** @description File name as uploaded */
            file_name: string;
            /** @description `client_id` of the uploading credential */
            uploaded_by: string;
            /**
             * Format: date-time
             * @description Time of upload
             */
            upload_date: string;
            /** @description True after deletion; the record stays */
            deleted: boolean;
            /**
             * Format: uri
             * @description Presigned link to the base64 text of the document, valid for 3600 seconds
             */
            download_link: string;
            /** @description End of validity, epoch milliseconds */
            expires_at: number;
        };
        /** @description A page of a list */
        DocumentList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Document"][];
        };
        /** @description A document of a CRB */
        Document: {
            /** @description The `doc_id` */
            id: string;
            /** @description The CRB */
            org_id: string;
            /** @description Key of the stored content; opaque */
            storage_key: string;
            /** @description File name as uploaded */
            file_name: string;
            /** @description `client_id` of the uploading credential */
            uploaded_by: string;
            /**
             * Format: date-time
             * @description Time of upload
             */
            upload_date: string;
            /** @description True after deletion; the record stays */
            deleted: boolean;
        };
        /** @description A page of a list */
        InventoryList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Inventory"][];
        };
        /** @description What a CRB holds of one package or product, over all of its locations */
        Inventory: {
            /**
             * Format: uuid
             * @description The `inventory_id`
             */
            id: string;
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /** @description Source POS */
            pos_type: components["schemas"]["PosTypeName"];
            /** @description The product; null when the POS links none */
            product_id: string | null;
            /** @description Product name */
            name: string;
            /** @description Stock-keeping unit, if the POS gives it */
            sku: string | null;
            /** @description Track-and-trace tag, if the POS gives it */
            barcode: string | null;
            /** @description Quantity over all locations */
            total_quantity: number;
            /** @description Last update in the POS */
            pos_updated_date: string | null;
            pos_updated_date_local: components["schemas"]["LocalDateTime"] | null;
            /**
             * Format: date-time
             * @description Inserted in the service
             */
            svc_created_date: string;
            /**
             * Format: date-time
             * @description Inserted or updated in the service
             */
            svc_updated_date: string;
            /** @description Quantities by location; absent when the POS has none */
            location_data?: {
                /** @description Location name */
                name: string | null;
                /**
                 * Format: int32
                 * @description Quantity there
                 */
                quantity: number;
                /**
                 * Format: uuid
                 * @description The location
                 */
                location_id: string;
                /** @description Location type in the POS */
                pos_location_type: string | null;
            }[];
            /** @description Present with `expand=true` only; null when no product is known. Tolerate an empty object, too */
            product?: components["schemas"]["Product"] | null;
        };
        /** @description A product, the same alone and inside an inventory record */
        Product: {
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /**
             * Format: uuid
             * @description The `product_id`
             */
            id: string;
            /** @description Id inside the POS */
            pos_product_id: string;
            /** @description Source POS */
            pos_type: components["schemas"]["PosTypeName"];
            /** @description Product name */
            name: string;
            /** @description Standardized category; null when none fits */
            svc_product_category_name: components["schemas"]["ProductCategory"] | null;
            /** @description Category in the POS */
            pos_product_category_name: string | null;
            /** @description Subcategory in the POS */
            pos_product_subcategory_name: string | null;
            /** @description Strain in the POS */
            pos_strain_name: string | null;
            /** @description Brand in the POS */
            pos_brand_name: string | null;
            /** @description Whether it contains THC */
            medicated: boolean | null;
            /** @description Stock-keeping unit */
            sku: string | null;
            /** @description Product description */
            description: string | null;
            /** @description Computed net weight in grams */
            svc_net_weight_grams: number | null;
            /** @description Unit it is sold by in the POS */
            pos_unit_of_measure: string | null;
            /** @description Cents, before tax; null if the product is priced by tiers only, or if the price before tax is unknown */
            price: number | null;
            /** @description Cents; null when the POS gives none */
            unit_cost: number | null;
            /** @description Last update in the POS */
            pos_updated_date: string | null;
            pos_updated_date_local: components["schemas"]["LocalDateTime"] | null;
            /**
             * Format: date-time
             * @description Inserted in the service
             */
            svc_created_date: string;
            /**
             * Format: date-time
             * @description Inserted or updated in the service
             */
            svc_updated_date: string;
            /** @description Prices that hold under conditions, if the POS gives them */
            price_tiers: components["schemas"]["PriceTier"][] | null;
            /** @description Pictures */
            images: {
                /** @description Address of the picture */
                url: string;
                /** @description Text given by the POS */
                description: string | null;
            }[] | null;
        };
        /**
         * @description Standardized product category
         * @enum {string}
         */
        ProductCategory: "flower" | "oil/concentrate" | "edible" | "other" | "seedling" | "seed" | "liquid" | "solid" | "extract" | "plant" | "accessory" | "marijuana_product" | "topical" | "edible_liquid";
        /** @description A price that holds under a condition */
        PriceTier: {
            /** @description Name, if any */
            tier_name: string | null;
            /**
             * Format: int32
             * @description Cents
             */
            tier_price: number;
            /** @description Kind of condition in the POS, such as quantity or weight */
            pos_tier_type: string;
            /** @description Condition that applies the tier */
            pos_tier_type_condition_value: string;
            /** @description End of validity */
            tier_valid_until_date: string | null;
            tier_valid_until_date_local: components["schemas"]["LocalDateTime"] | null;
        };
        /** @description A page of a list */
        LocationInventoryList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["LocationInventory"][];
        };
        /** @description What lies of it at one location */
        LocationInventory: {
            /**
             * Format: uuid
             * @description The `inventory_id`
             */
            id: string;
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /** @description Source POS */
            pos_type: components["schemas"]["PosTypeName"];
            /** @description The product; null when the POS links none */
            product_id: string | null;
            /** @description Product name */
            name: string;
            /** @description Stock-keeping unit, if the POS gives it */
            sku: string | null;
            /** @description Track-and-trace tag, if the POS gives it */
            barcode: string | null;
            /** @description Quantity over all locations */
            total_quantity: number;
            /** @description Last update in the POS */
            pos_updated_date: string | null;
            pos_updated_date_local: components["schemas"]["LocalDateTime"] | null;
            /**
             * Format: date-time
             * @description Inserted in the service
             */
            svc_created_date: string;
            /**
             * Format: date-time
             * @description Inserted or updated in the service
             */
            svc_updated_date: string;
            /**
             * Format: int32
             * @description Quantity at this location
             */
            quantity: number;
            /** @description Present with `expand=true` only; null when no product is known. Tolerate an empty object, too */
            product?: components["schemas"]["Product"] | null;
        };
        /** @description A page of a list */
        LocationList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Location"][];
        };
        /** @description A place where a CRB keeps inventory, such as a room */
        Location: {
            /**
             * Format: uuid
             * @description The `location_id`
             */
            id: string;
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /** @description Name of the location */
            name: string;
            /** @description Source POS */
            pos_type: components["schemas"]["PosTypeName"];
            /** @description Id inside the POS */
            pos_location_id: string;
            /** @description Type in the POS, if given */
            pos_location_type: string | null;
            /** @description Last update in the POS */
            pos_updated_date: string | null;
            pos_updated_date_local: components["schemas"]["LocalDateTime"] | null;
            /** @description Inserted in the service */
            svc_created_date: string | null;
            svc_created_date_local: components["schemas"]["LocalDateTime"] | null;
        };
        /** @description A page of a list */
        ProductList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Product"][];
        };
        /** @description A page of a list */
        SaleList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Sale"][];
        };
        /** @description A sale to a consumer or to another business; `type` tells them apart */
        Sale: components["schemas"]["RetailSale"] | components["schemas"]["WholesaleSale"];
        /** @description A sale to a consumer */
        RetailSale: {
            /**
             * Format: uuid
             * @description Id of the sale
             */
            id: string;
            /** @description Id inside the POS */
            pos_sale_id: string | null;
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /** @description Cents: units × price of every line − `total_discounts` + all fees with `included_in_subtotal` */
            subtotal: number | null;
            /** @description Cents: discounts of the lines + discounts of the whole sale */
            total_discounts: number | null;
            /** @description Cents: taxes of the lines + taxes of the whole sale */
            tax_paid: number | null;
            /** @description Cents: `subtotal` + `tax_paid` + all other fees; also payments + for wholesale, `invoice.open_balance` */
            total_paid: number | null;
            /**
             * Format: date-time
             * @description Time of sale, UTC
             */
            date: string;
            /** @description Time of sale in the CRB's time zone, `yyyy-MM-dd HH:mm:ss.SSS` */
            local_date: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description Inserted in the service
             */
            svc_created_date: string;
            /**
             * Format: date-time
             * @description Inserted or updated in the service
             */
            svc_updated_date: string;
            /** @description Sale, return or adjustment */
            transaction_type: ("sale" | "return" | "adjustment") | null;
            /** @description Source POS */
            pos_name: components["schemas"]["PosTypeName"];
            /**
             * @description Tells the two kinds of sale apart (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "retail";
            /** @description Who sold */
            employee_id?: string | null;
            /** @description What was sold */
            line_items: components["schemas"]["LineItem"][];
            /** @description Discounts on the whole sale */
            discounts: components["schemas"]["Discount"][];
            /** @description Taxes on the whole sale */
            taxes: components["schemas"]["Tax"][];
            /** @description How it was paid */
            payments: components["schemas"]["Payment"][];
            /** @description Who bought */
            customer: components["schemas"]["SaleCustomer"];
            /** @description Fees on the whole sale */
            fees: components["schemas"]["Fee"][];
            /** @description Outcome of the compliance check */
            compliance_status: ("unchecked" | "red_flag" | "svc_checked" | "warning") | null;
            /** @description Violations found */
            compliance_exceptions: string[] | null;
            /** @description Warnings found */
            compliance_warnings: string[] | null;
        };
        /** @description What was sold of one product */
        LineItem: {
            /** @description The product */
            product_id: string | null;
            /** @description Id inside the POS */
            pos_product_id: string | null;
            /** @description Name in the POS */
            product_name: string | null;
            /** @description Units bought */
            num_units: number | null;
            /** @description Price of one unit, cents */
            price_per_unit: number | null;
            /** @description Weight in grams */
            grams: number | null;
            product_type: components["schemas"]["ProductCategory"] | null;
            /** @description Whether it contains cannabis */
            cannabis_product: boolean | null;
            /** @description Discounts of this line */
            line_item_discounts: components["schemas"]["Discount"][];
            /** @description Taxes of this line */
            line_item_taxes: components["schemas"]["Tax"][];
            /** @description Fees of this line */
            line_item_fees: components["schemas"]["Fee"][];
        };
        /** @description A discount on a line or on the whole sale */
        Discount: {
            /** @description Amount, cents */
            flat_amount: number | null;
            /** @description Share, 0.08 for 8 % */
            pct_amount: number | null;
            /** @description Name in the POS */
            name: string | null;
        };
        /** @description A tax on a line or on the whole sale */
        Tax: {
            /** @description Amount, cents */
            flat_amount: number | null;
            /** @description Share, 0.08 for 8 % */
            pct_amount: number | null;
            /** @description Name in the POS */
            name: string | null;
        };
        /** @description A fee on a line or on the whole sale */
        Fee: {
            /** @description Name in the POS */
            fee_name: string | null;
            /** @description Share, 0.08 for 8 % */
            percent_amount: number | null;
            /** @description Amount, cents */
            flat_amount: number | null;
            /** @description Whether the subtotal already holds it */
            included_in_subtotal: boolean | null;
        };
        /** @description A payment of a sale */
        Payment: {
            /**
             * @description Means of payment
             * @enum {string}
             */
            type: "cash" | "check" | "debit" | "credit" | "multiple" | "ach" | "wire" | "other" | "unknown";
            /** @description Cents paid by this means */
            amount_paid: number;
        };
        /** @description Who bought, as far as the POS tells */
        SaleCustomer: {
            /** @description Id in the service */
            customer_id: string | null;
            /** @description Id inside the POS */
            pos_customer_id: string | null;
            /** @description Medical or adult use */
            type: ("medical" | "rec") | null;
            /** @description Date of birth */
            dob: string | null;
            /** @description Identification shown */
            id_type: ("drivers" | "medical" | "ssn" | "passport" | "medical_with_rec" | "medical_with_state_card" | "caregiver" | "minor_medical" | "temporary_minor_medical" | "temporary_adult") | null;
            /** @description Its expiry */
            id_expiration_date: string | null;
        };
        /** @description A sale to another business, with an invoice */
        WholesaleSale: {
            /**
             * Format: uuid
             * @description Id of the sale
             */
            id: string;
            /** @description Id inside the POS */
            pos_sale_id: string | null;
            /**
             * Format: uuid
             * @description Owning CRB
             */
            crb_id: string;
            /** @description Cents: units × price of every line − `total_discounts` + all fees with `included_in_subtotal` */
            subtotal: number | null;
            /** @description Cents: discounts of the lines + discounts of the whole sale */
            total_discounts: number | null;
            /** @description Cents: taxes of the lines + taxes of the whole sale */
            tax_paid: number | null;
            /** @description Cents: `subtotal` + `tax_paid` + all other fees; also payments + for wholesale, `invoice.open_balance` */
            total_paid: number | null;
            /**
             * Format: date-time
             * @description Time of sale, UTC
             */
            date: string;
            /** @description Time of sale in the CRB's time zone, `yyyy-MM-dd HH:mm:ss.SSS` */
            local_date: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description Inserted in the service
             */
            svc_created_date: string;
            /**
             * Format: date-time
             * @description Inserted or updated in the service
             */
            svc_updated_date: string;
            /** @description Sale, return or adjustment */
            transaction_type: ("sale" | "return" | "adjustment") | null;
            /** @description Source POS */
            pos_name: components["schemas"]["PosTypeName"];
            /**
             * @description Tells the two kinds of sale apart (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "wholesale";
            /** @description Who sold */
            employee_id?: string | null;
            /** @description What was sold */
            line_items: components["schemas"]["LineItem"][];
            /** @description Discounts on the whole sale */
            discounts: components["schemas"]["Discount"][];
            /** @description Taxes on the whole sale */
            taxes: components["schemas"]["Tax"][];
            /** @description How it was paid */
            payments: components["schemas"]["Payment"][];
            /** @description Buyer, if known */
            customer: components["schemas"]["SaleCustomer"] | null;
            /** @description Fees on the whole sale */
            fees: components["schemas"]["Fee"][];
            /** @description Invoice */
            invoice: {
                /** @description Id of the invoice */
                id: string | null;
                /** @description The buyer's id inside the POS */
                pos_customer_id: string | null;
                /** @description Note */
                memo: string | null;
                /** @description Amount still open, cents */
                open_balance: number | null;
                /** @description Invoice total, cents */
                total: number | null;
            };
        };
        /** @description A CRB's answers to its onboarding template */
        CrbTemplate: {
            /**
             * Format: uuid
             * @description The CRB's `template_result_id`
             */
            id: string;
            /**
             * Format: uuid
             * @description The CRB
             */
            org_id: string;
            /**
             * Format: uuid
             * @description The template
             */
            template_id: string;
            /** @description Version answered */
            template_version: string;
            /** @description Name of the template */
            name: string;
            /** @description Description of the template */
            description?: string;
            /**
             * Format: date-time
             * @description Last change
             */
            last_updated: string;
            /**
             * Format: date-time
             * @description First answer or document
             */
            start_date?: string;
            /**
             * Format: date-time
             * @description Entered an `…_awaiting_review` status
             */
            submitted_date?: string;
            /**
             * Format: uuid
             * @description Who submitted
             */
            submitted_by?: string;
            /** @description The CRB's `status` */
            status: components["schemas"]["CrbStatus"];
            /**
             * Format: uuid
             * @description Who reviewed
             */
            reviewed_by?: string;
            /**
             * Format: date-time
             * @description Review finished
             */
            review_date?: string;
            /** @description Entered `bank_review_in_progress` */
            review_start_date: string | null;
            /** @description Entered `bank_disconnected` */
            disconnected_on: string | null;
            /** @description Document requirements with their documents */
            standard_requirements: components["schemas"]["Requirement"][];
            /** @description Answers to the free questions */
            custom_requirements: {
                /** @description Id of the question */
                id: string;
                /** @description Question */
                label: string;
                /** @description Answer */
                value: string | null;
                /** @description Uploaded files */
                doc_metadata?: {
                    /** @description Id of the file */
                    id: string;
                    /** @description File name as uploaded */
                    file_name: string | null;
                    /** @description Time of upload */
                    upload_date: string | null;
                }[];
            }[];
        };
        /** @description A document that a CRB is asked for, and what was added to meet it */
        Requirement: {
            /**
             * Format: uuid
             * @description The requirement; always sent
             */
            requirement_id?: string;
            /** @description Name of the document */
            name: string;
            /** @description What is asked for */
            description?: string;
            /**
             * @description Subject
             * @enum {string}
             */
            category?: "financial" | "insurance" | "legal" | "license" | "operational";
            /** @description Whether it must be met */
            required?: boolean;
            /** @description Whether it is no longer asked for */
            archived?: boolean;
            /** @description Version of the template */
            requirement_version?: string;
            /**
             * @description `approved` when every document that is not archived is approved, `pending` while one is
             * @enum {string}
             */
            status?: "not_started" | "pending" | "approved";
            /**
             * Format: date-time
             * @description Time of creation
             */
            date_created?: string;
            /**
             * Format: date-time
             * @description Last change
             */
            date_updated?: string;
            /** @description Documents not deleted, newest first */
            documents?: components["schemas"]["RequirementDocument"][];
        };
        /** @description A document as the requirement that it was added to shows it */
        RequirementDocument: {
            /**
             * Format: uuid
             * @description The `document_id`, the same as the `doc_id` of the document of the CRB
             */
            id: string;
            /**
             * @description Where it is in its review
             * @enum {string}
             */
            status: "approved" | "archived" | "pending";
            /** @description `client_id` of the uploading credential */
            uploaded_by: string;
            /**
             * Format: date-time
             * @description Time of upload
             */
            upload_date: string;
            /** @description File name as uploaded */
            file_name?: string;
            /** @description Display name that the service provider gave */
            friendly_name?: string;
            /** @description Note of the service provider */
            internal_note?: string;
            /** @description Expiry */
            expiration_date?: string;
            /** @description Name on the license */
            license_name?: string;
            /** @description Number of the license */
            license_number?: string;
            state?: components["schemas"]["State"];
            /**
             * Format: uuid
             * @description `client_id` of the reviewing credential
             */
            reviewed_by?: string;
            /**
             * Format: date-time
             * @description Time of the review
             */
            review_date?: string;
            /** @description Tribal nation */
            tribal_nation?: string;
            /**
             * @description License type of that nation
             * @enum {string}
             */
            tribal_nation_license_type?: "Cultivator" | "Processor" | "Lab" | "Dispensary (Adult / Medical)" | "Social Consumption / Events" | "Delivery / Transport" | "Combined License" | "Other";
            /**
             * @description Status in the license register; of business licenses only
             * @enum {string}
             */
            license_status?: "Active" | "Approved/Pending" | "Inactive" | "Pre-License" | "Unknown" | "Unlicensed" | "Unmatched";
            /** @description Day on which the operator confirmed the license */
            date_verified?: string;
            /** @description Expiry in the license register */
            verified_expiration_date?: string;
            /** @description Legal name in the license register */
            business_name?: string;
            /** @description Authority in the license register */
            licensing_authority?: string;
            /** @description Number in the license register */
            license_identifier?: string;
            /** @description State of the authority */
            licensing_authority_state?: string;
            uniform_license_type_description?: components["schemas"]["UniformLicenseType"];
            /** @description Type as the register reports it */
            reported_license_type_description?: string;
        };
        /** @description A document that was added, with its requirement */
        DocumentAdded: {
            /**
             * Format: uuid
             * @description Id of the new document, also as a document of the CRB
             */
            document_id: string;
            /** @description The requirement after the addition */
            updated_requirement_response: components["schemas"]["Requirement"];
        };
        /** @description Where and until when the file can be sent */
        Upload: {
            /**
             * Format: uuid
             * @description Id of the document that the file becomes once it is completed
             */
            document_id: string;
            /**
             * Format: uri
             * @description Presigned link for one PUT of the file's bytes, of that type and length alone, with `If-None-Match: *`
             */
            upload_link: string;
            /** @description End of validity, epoch milliseconds */
            expires_at: number;
        };
        /** @description Records that were created or changed since a cursor */
        Changes: {
            /** @description Records of the kind as they are now, the one that changed longest ago first */
            data: (components["schemas"]["Customer"] | components["schemas"]["Product"] | components["schemas"]["Inventory"] | components["schemas"]["Location"] | components["schemas"]["RetailSale"] | components["schemas"]["WholesaleSale"])[];
            /** @description Where to go on; also when `data` is empty. It never expires */
            cursor: string;
            /** @description `true`: more is stored, ask again; `false`: this was the end */
            has_more: boolean;
            /** @description `true`: the service was restored from a backup; make the copy anew, of this page and those after it */
            reset?: boolean;
        };
        /** @description A page of a list */
        ReplicationList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["Replication"][];
        };
        /** @description How fresh the records of one kind are */
        Replication: {
            /** @description The kind of records */
            kind: components["schemas"]["KindName"];
            /**
             * @description The first of these that holds, in this order; the guide says what each means
             * @enum {string}
             */
            state: "not_connected" | "not_available" | "manual" | "paused" | "failing" | "waiting" | "initial" | "late" | "current";
            /** @description Everything the POS held at this time is stored, except rejected records */
            data_as_of: string | null;
            /** @description End of the first full reading of this connection */
            initial_sync_completed_date: string | null;
            /** @description Start of the run under way, or of the last one */
            last_started_date: string | null;
            /** @description End of the last run that came to its end */
            last_succeeded_date: string | null;
            /** @description When the next run begins; null where none is planned */
            next_due_date: string | null;
            /** @description While a run is under way */
            progress: components["schemas"]["ReplicationProgress"] | null;
            /** @description While the POS no longer names most of the inventory, or the first full reading brought nothing, and no later run has confirmed that; the stock stays as it was. Null otherwise */
            awaiting_confirmation: components["schemas"]["ReplicationConfirmation"] | null;
            /**
             * Format: int32
             * @description How many records the list holds
             */
            records: number;
            /**
             * Format: int32
             * @description How many records of the POS are rejected at present, because no record could be made of them
             */
            rejected_records: number;
            /** @description What the last finished run did; null before the first */
            last_run: components["schemas"]["ReplicationRun"] | null;
            /** @description Why the last run failed, if it did */
            error: ("credentials_refused" | "location_gone" | "not_permitted" | "limited" | "unreachable" | "not_understood" | "unexpected") | null;
        };
        /** @description How far a run has come */
        ReplicationProgress: {
            /**
             * Format: int32
             * @description Records that the POS has given so far, repetitions too
             */
            read: number;
            /** @description How many there are; null where the POS does not tell */
            total: number | null;
        };
        /** @description An answer of the POS that is not applied until a later run gets the same */
        ReplicationConfirmation: {
            /**
             * Format: date-time
             * @description Start of the first run that got this answer
             */
            since_date: string;
            /**
             * Format: int32
             * @description Inventory records that would go to quantity 0; 0 where a first full reading brought nothing
             */
            records: number;
        };
        /** @description What the last finished run did */
        ReplicationRun: {
            /**
             * Format: int32
             * @description Records that the POS gave, repetitions too
             */
            read: number;
            /**
             * Format: int32
             * @description Of these, the ones that were new
             */
            created: number;
            /**
             * Format: int32
             * @description Those that had changed, or vanished from the POS
             */
            changed: number;
            /**
             * Format: int32
             * @description Those that were stored already
             */
            unchanged: number;
            /**
             * Format: int32
             * @description Those of which no record could be made
             */
            rejected: number;
        };
        /** @description Events since a cursor */
        Events: {
            /** @description The events of each CRB in the order in which they were stored */
            data: components["schemas"]["Event"][];
            /** @description Where to go on; also when `data` is empty. It is good for 30 days */
            cursor: string;
            /** @description `true`: more is stored, ask again; `false`: this was the end */
            has_more: boolean;
        };
        /** @description Something that happened, with the ids to ask for it */
        Event: {
            /**
             * Format: uuid
             * @description The same whenever the event comes again
             */
            id: string;
            type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description When it was stored
             */
            date: string;
            /**
             * Format: uuid
             * @description The service provider
             */
            sp_id: string;
            /** @description The CRB that it is about; null for what is about none */
            crb_id: string | null;
            /** @description What is to be known besides, by its type: ids to ask for it, and statuses; never a value of a record */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description Nothing: whether the address is known is not told */
        LinkRequested: Record<string, never>;
        /** @description How far the onboarding of a business is, as its invited users see it */
        Onboarding: {
            /**
             * Format: uuid
             * @description The CRB
             */
            crb_id: string;
            /** @description The business that is onboarded */
            business: {
                /** @description Name of the organization */
                name: string;
                state: components["schemas"]["State"];
                business_type: components["schemas"]["BusinessType"] | null;
            };
            /** @description Who invites */
            service_provider: {
                /** @description Its name */
                name: string;
            };
            /** @description Whose invitation token it is */
            user: {
                /** @description First name */
                first_name: string;
                /** @description Last name */
                last_name: string;
                /** @description Where the invitation went */
                email: string;
            };
            status: components["schemas"]["CrbStatus"];
            /** @description The present terms */
            terms: {
                /** @description To be named in `giveConsent` */
                version: string;
                /** @description What is to be read before consent, in this order */
                sections: {
                    /** @description Heading */
                    title: string;
                    /** @description Plain text */
                    text: string;
                }[];
            };
            /** @description The consent of the business, whichever of its users gave it; null without one, or once withdrawn */
            consent: {
                /** @description The terms that it was given to; if it differs from `terms.version`, ask again */
                terms_version: string;
                /**
                 * Format: date-time
                 * @description When it was given
                 */
                date: string;
                /** @description Name of the user who gave it */
                given_by: string;
            } | null;
            /** @description The connection to the POS; null before there was one */
            pos: {
                /** @description POS type */
                name: components["schemas"]["PosTypeName"];
                /**
                 * @description Whether the POS can be read
                 * @enum {string}
                 */
                status: "Connected" | "Not Connected" | "Needs Attention" | "Pending";
                /**
                 * Format: date-time
                 * @description When `status` last changed
                 */
                updated_date: string;
            } | null;
            /** @description The documents that are asked for */
            requirements: components["schemas"]["Requirement"][];
            /** @description What `submitOnboarding` still needs; empty when nothing is */
            missing: components["schemas"]["MissingStep"][];
        };
        /** @description What is still to be done before the onboarding can be submitted */
        MissingStep: {
            /**
             * @description What is to be done
             * @enum {string}
             */
            step: "consent" | "pos_connection" | "document";
            /**
             * Format: uuid
             * @description Of a document the requirement
             */
            requirement_id?: string;
        };
        /** @description A page of a list */
        WebhookEndpointList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["WebhookEndpoint"][];
        };
        /** @description Where events are delivered */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Identifies the endpoint
             */
            id: string;
            /** @description Where events are sent, by POST */
            url: string;
            /** @description What the service provider has noted of it; may be empty */
            description: string;
            /** @description The types of events that it is sent; all when empty */
            event_types: components["schemas"]["EventType"][];
            /** @description Whether it is sent events */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was registered
             */
            created_date: string;
            /** @description Client id of the credential that registered it; null if none is recorded */
            created_by: string | null;
            /** @description Client id of the credential that last changed the endpoint or its secret; null until one does */
            changed_by: string | null;
            /** @description `disabled`: it is sent nothing; `failing`: an event could not be delivered, and is tried again; `delivering`: events wait; `current`: none does */
            status: components["schemas"]["WebhookStatus"];
            /**
             * Format: int32
             * @description How many events wait for it, 1,000 at most
             */
            undelivered: number;
            /** @description When it last took an event; null until it has */
            last_delivered_date: string | null;
            /** @description Why the last attempt failed; null when it did not */
            last_error: components["schemas"]["WebhookDeliveryError"] | null;
        };
        /**
         * @description How a webhook endpoint stands
         * @enum {string}
         */
        WebhookStatus: "current" | "delivering" | "failing" | "disabled";
        /**
         * @description Why an attempt to deliver an event failed
         * @enum {string}
         */
        WebhookDeliveryError: "timeout" | "refused" | "address" | "tls" | "redirect" | "status";
        /** @description A webhook endpoint, and its secret, which is not shown again */
        WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description Identifies the endpoint
             */
            id: string;
            /** @description Where events are sent, by POST */
            url: string;
            /** @description What the service provider has noted of it; may be empty */
            description: string;
            /** @description The types of events that it is sent; all when empty */
            event_types: components["schemas"]["EventType"][];
            /** @description Whether it is sent events */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was registered
             */
            created_date: string;
            /** @description Client id of the credential that registered it; null if none is recorded */
            created_by: string | null;
            /** @description Client id of the credential that last changed the endpoint or its secret; null until one does */
            changed_by: string | null;
            /** @description `disabled`: it is sent nothing; `failing`: an event could not be delivered, and is tried again; `delivering`: events wait; `current`: none does */
            status: components["schemas"]["WebhookStatus"];
            /**
             * Format: int32
             * @description How many events wait for it, 1,000 at most
             */
            undelivered: number;
            /** @description When it last took an event; null until it has */
            last_delivered_date: string | null;
            /** @description Why the last attempt failed; null when it did not */
            last_error: components["schemas"]["WebhookDeliveryError"] | null;
            /** @description By which deliveries are signed (Standard Webhooks); shown this once */
            secret: string;
        };
        /** @description An attempt to deliver an event; nothing of the receiver's answer is kept */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Identifies the attempt
             */
            id: string;
            /**
             * Format: uuid
             * @description The event, which the header `webhook-id` named
             */
            event_id: string;
            event_type: components["schemas"]["EventType"];
            /** @description The CRB that the event is about; null for what is about none */
            crb_id: string | null;
            /**
             * Format: int32
             * @description How often it has been tried, with this one
             */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was tried
             */
            date: string;
            /** @description What the receiver answered; null when it did not */
            status_code: number | null;
            /** @description Why it failed; null when the event was delivered */
            error: components["schemas"]["WebhookDeliveryError"] | null;
            /**
             * Format: int32
             * @description How long it took, in milliseconds
             */
            duration_ms: number;
            /** @description When it is tried again; null when it is not */
            next_attempt_date: string | null;
        };
        /** @description A page of a list */
        WebhookDeliveryList: {
            metadata: components["schemas"]["ListMetadata"];
            /** @description The records of the page */
            data: components["schemas"]["WebhookDelivery"][];
        };
    };
    responses: {
        /** @description Something went wrong in the service. It was noted there, with the `x-request-id`. */
        InternalServerError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A system that the answer needs cannot be reached, or is too busy. Nothing was changed; try again after `Retry-After`. */
        ServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The answer is still the one that `If-None-Match` stands for. There is no body. */
        NotModified: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no credential in the `Authorization` header, or it is unknown, revoked, expired or altered. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is good, but not for this: it belongs to the other kind of caller or to another service provider, or it lacks the scope. */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An identifier, a parameter or the body does not fit. All that was found is told at once in `fields`. A body that is no JSON, or is sent as another content type, fails as `body`. */
        ValidationFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description Too many requests. Wait as long as `Retry-After` says. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing has this identifier, or what has it is not the caller's. Both are answered alike, so that nobody learns what others have. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MB, or, where it holds a document, larger than the platform carries. It was refused before it was read. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names the request; tell it when you ask about one */
        RequestId: string;
        /** @description `max-age=63072000; includeSubDomains`: use HTTPS alone. Absent on a local stage, which has no HTTPS */
        StrictTransportSecurity: string;
        /** @description Seconds after which a new try makes sense */
        RetryAfter: string;
        /** @description Stands for this answer; send it as `If-None-Match` to read it again only when it has changed. Absent for a minute and a half after a list has changed */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
                "application/x-www-form-urlencoded; charset=utf-8": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            /** @description The access token */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description Neither the body nor the header holds a credential, or what is there is unknown or revoked. A wrong `client_id` and a wrong `client_secret` are answered alike. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description The credential does not hold a scope that was asked for. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body does not fit. All that was found is told at once in `fields`. A body that is neither JSON nor a form fails as `body`. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenValidationError"];
                };
            };
            /** @description The credential has 100 live tokens: `Retry-After` says when the first has expired. Or there were too many requests. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of credentials */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeCredential: {
        parameters: {
            query?: {
                /** @description `true` keeps the credentials that it issued valid */
                keep_issued?: boolean;
                /** @description `true` keeps the webhook endpoints, invitations and uploads that it made or changed */
                keep_made?: boolean;
            };
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The credential */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential, revoked */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The credential authenticates this request. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service provider */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceProvider"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listServiceProviderCrbs: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of CRBs */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrbList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCrb: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body gives the first answer again, for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrbCreation"];
            };
        };
        responses: {
            /** @description The CRB */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrbCore"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The service provider has this organization already: a CRB with the same `ein`, where one is sent, or with the same name and state. Names are the same whatever their letter case, Unicode form, spaces between words and invisible characters. `data` names it. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description Something in the identifiers or the body does not fit, or the POS refuses the credentials or the location. `data.locations` then lists the locations to choose from. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests; or more people are invited than the service provider has invitation mails left: 500 a day (UTC), resent ones included; or POS systems have rejected too many POS credentials of this caller: 20 in ten minutes, or 50 a day (UTC). Nothing was stored; try again after `Retry-After`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description The POS cannot be reached. Nothing was stored; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPosCredentialsSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What to send as `pos_info` when a CRB is created, by POS type */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PosCredentialsSchema"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchLicenses: {
        parameters: {
            query?: {
                /** @description License number, compared without letter case */
                licenseNumber?: string;
                /** @description Licensee or holding business: each word begins some word of theirs */
                name?: string;
                /** @description State of the licensing authority; `CAN` is Canada, `NLA` no licensing authority */
                state?: "AL" | "AK" | "AZ" | "AR" | "AS" | "CA" | "CO" | "CT" | "DE" | "DC" | "FM" | "FL" | "GA" | "GU" | "HI" | "ID" | "IL" | "IN" | "IA" | "KS" | "KY" | "LA" | "ME" | "MD" | "MA" | "MH" | "MI" | "MN" | "MS" | "MO" | "MT" | "NE" | "NV" | "NH" | "NJ" | "NM" | "NY" | "NC" | "ND" | "MP" | "OH" | "OK" | "OR" | "PW" | "PA" | "PR" | "RI" | "SC" | "SD" | "TN" | "TX" | "UM" | "UT" | "VT" | "VA" | "VI" | "WA" | "WV" | "WI" | "WY" | "AA" | "AE" | "AP" | "CAN" | "NLA";
                /** @description License type, the same in all states */
                licenseType?: "Caregiver" | "CBD" | "Corporate Officer" | "Cultivation" | "Delivery/Transporter" | "Event Organizer" | "Hemp" | "Illicit Establishment" | "Management Company" | "Manufacturer/Processor" | "Owner/Investor" | "Research" | "Retail/Dispensary" | "Senior Manager" | "Social Use Club" | "Storage" | "Testing" | "Unknown" | "Vertically Integrated" | "Waste Disposal" | "Wholesale/Distribution";
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of licenses */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOnboardingTemplates: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingTemplateList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbInfo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CRB */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Crb"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCrbInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrbUpdate"];
            };
        };
        responses: {
            /** @description The CRB as it now is */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Crb"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description Something in the identifiers or the body does not fit, or a field was sent that cannot be changed. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCrbAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CrbAccessCreation"];
            };
        };
        responses: {
            /** @description The pair */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessCredentials"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The scope is missing, or the pair would have no scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbCustomers: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchCrbCustomers: {
        parameters: {
            query?: {
                /** @description Telephone, compared by its digits with `phone` and `cell_phone` */
                phone?: string;
                /** @description E-mail address, compared without letter case */
                email?: string;
                /** @description First name, compared without letter case */
                first_name?: string;
                /** @description Last name, compared without letter case */
                last_name?: string;
                /** @description Id inside the POS */
                pos_customer_id?: string;
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description An identifier or a parameter does not fit, or there is no search term. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description The credential has searched 60 times in this minute, or 2,000 times on this UTC day: `Retry-After` says when that is over. Or there were too many requests. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbDocumentDownload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The document */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document with its link */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The document */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, deleted or not */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbInventory: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description `true` embeds `product` in each record */
                expand?: boolean;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of inventory records */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInventory: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description `true` embeds `product` in each record */
                expand?: boolean;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of inventory records */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbInventory: {
        parameters: {
            query?: {
                /** @description `true` embeds `product` in each record */
                expand?: boolean;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The inventory record */
                inventory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The inventory record */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInventory: {
        parameters: {
            query?: {
                /** @description `true` embeds `product` in each record */
                expand?: boolean;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The inventory record */
                inventory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The inventory record */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbLocationInventory: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description Records and quantities as they stood at the end of that day in the CRB's time zone */
                date?: string;
                /** @description `true` embeds `product` in each record */
                expand?: boolean;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The inventory location */
                location_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the location's inventory records */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationInventoryList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description An identifier or a parameter does not fit. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLocationInventory: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description Records and quantities as they stood at the end of that day in the CRB's time zone */
                date?: string;
                /** @description `true` embeds `product` in each record */
                expand?: boolean;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The inventory location */
                location_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the location's inventory records */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationInventoryList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description An identifier or a parameter does not fit. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbInventoryLocations: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of locations */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInventoryLocations: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of locations */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbInventoryLocation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The inventory location */
                location_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The location */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Location"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInventoryLocation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The inventory location */
                location_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The location */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Location"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbProducts: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The product */
                product_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The product */
                product_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbSales: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
                /** @description First day of sale, inclusive, in the CRB's time zone */
                start_date?: string;
                /** @description Last day of sale, inclusive, in the CRB's time zone */
                end_date?: string;
                /** @description Id of the customer inside the POS, or of an invoice's buyer */
                pos_customer_id?: string;
                /** @description Service id of the customer; finds retail sales only */
                customer_id?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
                /** @description First UTC day, inclusive, of `svc_updated_date` */
                last_updated_from?: string;
                /** @description Last UTC day, inclusive, of `svc_updated_date`; leave it open in a walk, since records leave a closed window as they change */
                last_updated_to?: string;
                /** @description First day of sale, inclusive, in the CRB's time zone */
                start_date?: string;
                /** @description Last day of sale, inclusive, in the CRB's time zone */
                end_date?: string;
                /** @description Id of the customer inside the POS, or of an invoice's buyer */
                pos_customer_id?: string;
                /** @description Service id of the customer; finds retail sales only */
                customer_id?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrb: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CRB */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrbCore"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCrbOnboardingTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers, with the documents of each requirement */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrbTemplate"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addRequirementDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The requirement of the onboarding template */
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDocument"];
            };
        };
        responses: {
            /** @description The requirement with the document */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The requirement is archived: it takes no documents. Or the invited users have added as many as they may. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description An identifier, the name, the type or the content of the document does not fit. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addOnboardingDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The requirement of the onboarding template */
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDocument"];
            };
        };
        responses: {
            /** @description The requirement with the document */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The requirement is archived: it takes no documents. Or the invited users have added as many as they may. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description An identifier, the name, the type or the content of the document does not fit. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRequirementDocumentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The requirement of the onboarding template */
                requirement_id: string;
                /** @description The document inside the requirement */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentStatus"];
            };
        };
        responses: {
            /** @description The requirement after the change */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requirement"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description A document does not go from its present status to this one. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRequirementDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The requirement of the onboarding template */
                requirement_id: string;
                /** @description The document inside the requirement */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requirement after the deletion */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requirement"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDocumentUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The requirement of the onboarding template */
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadCreation"];
            };
        };
        responses: {
            /** @description Where to send the file */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The requirement is archived: it takes no documents. Or the invited users have added as many as they may. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOnboardingUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The requirement of the onboarding template */
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadCreation"];
            };
        };
        responses: {
            /** @description Where to send the file */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The requirement is archived: it takes no documents. Or the invited users have added as many as they may. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    completeDocumentUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The requirement of the onboarding template */
                requirement_id: string;
                /** @description The document inside the requirement */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requirement with the document */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The requirement is archived: it takes no documents. Or the invited users have added as many as they may. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description An identifier does not fit, or the file has not arrived, or is another than was announced. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    completeOnboardingUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The requirement of the onboarding template */
                requirement_id: string;
                /** @description The document inside the requirement */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requirement with the document */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentAdded"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The requirement is archived: it takes no documents. Or the invited users have added as many as they may. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description An identifier does not fit, or the file has not arrived, or is another than was announced. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbChanges: {
        parameters: {
            query?: {
                /** @description The `cursor` of the answer before; without it the changes begin with the oldest */
                cursor?: string;
                /** @description Records that the page is to have at most */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
                /** @description The kind of records */
                kind: components["schemas"]["KindName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description The `cursor` of the answer before; without it the changes begin with the oldest */
                cursor?: string;
                /** @description Records that the page is to have at most */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
                /** @description The kind of records */
                kind: components["schemas"]["KindName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCrbReplications: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The five kinds */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicationList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReplications: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The CRB */
                crb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The five kinds */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicationList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `cursor` of the answer before; without it the events begin with the oldest that is kept */
                cursor?: string;
                /** @description Records that the page is to have at most */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendOnboardingLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** @description Nothing */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkRequested"];
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOnboarding: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The onboarding */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Onboarding"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    giveConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentGiven"];
            };
        };
        responses: {
            /** @description The onboarding afterward */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Onboarding"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The terms have changed since they were read. `data` names the present version. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    withdrawConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The onboarding afterward */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Onboarding"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOnboardingPosCredentialsSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What to send to `connectOnboardingPos`, by POS type */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PosCredentialsSchema"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    connectOnboardingPos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PosConnection"];
            };
        };
        responses: {
            /** @description The onboarding afterward */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Onboarding"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Nobody has given consent, or the organization is connected already. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description Something in the body does not fit, or the POS refuses the credentials or the location. `data.locations` then lists the locations to choose from. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests; or POS systems have rejected too many credentials of the business's users: 20 in ten minutes, or 50 a day (UTC); or too many of the users of all businesses that the same credential created: 60, or 200. Nothing was stored; try again after `Retry-After`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description The POS cannot be reached. Nothing was stored; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOnboardingDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The requirement of the onboarding template */
                requirement_id: string;
                /** @description The document inside the requirement */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requirement after the deletion */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requirement"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The document was reviewed, or comes from the service provider. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitOnboarding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The onboarding afterward */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Onboarding"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Something is missing, which `data.missing` lists; or the onboarding is at another status. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointCreation"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The service provider has ten endpoints already. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description Something in the identifiers or the body does not fit, such as an address that is not public. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointUpdate"];
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The endpoint has no secret: a credential that knew it was revoked. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description Something in the identifiers or the body does not fit, such as an address that is not public. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint as it ended */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, with its new secret */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Five earlier secrets are still valid; rotate again when one has expired. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The endpoint has no secret: a credential that knew it was revoked. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description The endpoint, to which events are being delivered */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description Something in the identifiers or the body does not fit, such as an instant more than 30 days ago. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Records that the page is to have at most */
                limit?: number;
                /** @description Records to skip, not pages */
                offset?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that you hold; 304 while it still is the answer */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The service provider that the credential belongs to */
                sp_id: string;
                /** @description The webhook endpoint */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Strict-Transport-Security": components["headers"]["StrictTransportSecurity"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
