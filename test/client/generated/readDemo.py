"""Exchanges a token, reads a page and all changes with it, is rejected, and prints what came of it as JSON."""

import json
import os
from collections import Counter

import openapi_client as api

ids = os.environ["SP_ID"], os.environ["CRB_ID"]
client = api.ApiClient(api.Configuration(host=os.environ["BASE_URL"]))
token = api.AuthenticationApi(client).exchange_token(
    api.TokenRequest(
        client_id=os.environ["CLIENT_ID"],
        client_secret=os.environ["CLIENT_SECRET"],
        grant_type="client_credentials",
    )
)
client.configuration.api_key["access_auth"] = token.access_token
customers = api.CustomersApi(client).list_crb_customers(*ids, limit=2)


def changes(kind):
    records, cursor, more = Counter(), None, True
    while more:
        page = api.ChangesApi(client).list_crb_changes(*ids, kind, cursor=cursor)
        if page.reset:
            raise RuntimeError("Nothing was restored.")
        records.update(type(each.actual_instance).__name__ for each in page.data)
        cursor, more = page.cursor, page.has_more
    return records


def rejected():
    try:
        api.CustomersApi(client).get_crb_customer(*ids, "00000000-0000-0000-0000-000000000000")
    except api.ApiException as error:
        return error.status


print(
    json.dumps(
        {
            "scopes": len(token.scope.actual_instance),
            "customers": customers.metadata.total,
            "ids": [str(customer.id) for customer in customers.data],
            "changes": {kind.value: changes(kind) for kind in api.KindName},
            "rejected": rejected(),
        }
    )
)
