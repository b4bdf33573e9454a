"""Asks for tokens by requests-oauthlib, uses them, and prints what came of it as JSON."""

import json
import os

# The library's own switch for plain HTTP.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

base, client_id, secret, path = (os.environ[name] for name in ("BASE_URL", "CLIENT_ID", "CLIENT_SECRET", "READ_PATH"))


def exchange(scope=None, client_secret=secret, **how):
    session = OAuth2Session(client=BackendApplicationClient(client_id, scope=scope))
    try:
        token = session.fetch_token(f"{base}/auth/token", client_secret=client_secret, **how)
    except OAuth2Error as error:
        return {"error": error.error, "description": error.description}
    return {
        "scope": token["scope"],
        "expires_in": token["expires_in"],
        "read": session.get(base + path).status_code,
    }


some = ["service-provider:read", "point-of-sale:read"]
in_form = {"include_client_id": True}
print(
    json.dumps(
        {
            "in the header": exchange(some),
            "in the header, by requests": exchange(some, auth=HTTPBasicAuth(client_id, secret)),
            "in the form": exchange(some, **in_form),
            "without scopes": exchange(),
            "wrong secret in the header": exchange(client_secret="wrong"),
            "wrong secret in the form": exchange(client_secret="wrong", **in_form),
            "unknown scope": exchange(["root"]),
            "scope not held": exchange(["crb:read"]),
        }
    )
)
