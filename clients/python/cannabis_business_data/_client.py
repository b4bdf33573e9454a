"""The client: one method for each operation."""

from ._operations import CrbClient, Operations


class Client(Operations):
    """
    A client of the API. Each method calls one operation and returns the data of a successful response. Each `iter_` method
    reads a list page by page. A method raises ApiError or NoResponseError otherwise. It sets a timeout, repeats safe
    requests, renews access tokens, and creates idempotency keys.
    """

    def crb(self, sp_id: str, crb_id: str) -> CrbClient:
        """The operations of one CRB, whose methods need no ids: `list_crb_sales` is `list_sales`."""
        return CrbClient(self, sp_id, crb_id)

    def __repr__(self) -> str:
        return f"Client({self.base_url!r})"
