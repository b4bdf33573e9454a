"""Tests the client in Python against a server that gives scripted responses."""

import base64
import gzip
import hashlib
import json
import os
import re
import tempfile
import threading
import time
import traceback
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import standardwebhooks
import urllib3

import cannabis_business_data as cbd
from cannabis_business_data import ApiError, Client, ClientCredentials, Crb, NoResponseError

SP, CRB = "0b7e3a52-6c1d-4f0e-9a38-5d2c7f41e690", "5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8"
SECRET = "sk_never-in-a-message"
PAIR = ClientCredentials("id", SECRET)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self):
        length = int(self.headers["Content-Length"] or 0)
        content = self.rfile.read(length)
        _, port = self.client_address
        request = SimpleNamespace(path=self.path, headers=self.headers, content=content, port=port)
        self.server.requests.append(request)
        reply = self.server.replies.pop(0)
        if callable(reply):
            reply = reply(self)
        if reply is None:
            self.close_connection = True
            return
        status, headers, body = reply
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        if "Content-Length" in headers:
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = respond

    def log_message(self, *_):
        pass


def ok(body={"id": SP, "name": "Bank"}, **headers):
    return 200, headers, json.dumps(body).encode()


def fault(status, retry_after=None, code="unavailable", **more):
    headers = {"x-request-id": "r1", **({} if retry_after is None else {"Retry-After": str(retry_after)})}
    return status, headers, json.dumps({"name": "Fault", "code": code, "message": "Not now.", **more}).encode()


def token(name, expires_in=3600):
    return ok({"access_token": name, "expires_in": expires_in, "expires_at": 1})


class Case(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.requests, self.server.replies = [], []
        thread = threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.waits = []
        patched = mock.patch("time.sleep", self.waits.append)
        patched.start()
        self.addCleanup(patched.stop)

    def client(self, *replies, credential=SECRET, **options):
        self.server.replies[:] = replies
        return Client(f"http://127.0.0.1:{self.server.server_port}/", credential, **options)

    def sent(self, header):
        return [request.headers[header] for request in self.server.requests]

    def queries(self):
        return [urlsplit(request.path).query for request in self.server.requests]

    def drip(self, *first, last=b" "):
        """A reply whose bytes come one by one, so that no pause is as long as the timeout."""
        released = threading.Event()
        self.addCleanup(released.set)

        def reply(handler):
            try:
                for part in first:
                    handler.wfile.write(part)
                for _ in range(400):
                    if released.wait(0.05):
                        return
                    handler.wfile.write(last)
            except OSError:
                pass

        return reply


class RequestTests(Case):
    def test_a_temporary_failure_is_repeated(self):
        for status in (429, 500, 502, 503):
            client = self.client(fault(status, 0), fault(status), ok())
            self.assertEqual(client.get_service_provider(SP)["name"], "Bank")
        self.assertEqual(len(self.server.requests), 12)

    def test_a_lost_connection_and_a_body_that_breaks_off_are_repeated(self):
        broken = (200, {"Content-Length": "99"}, b'{"id": ')
        client = self.client(None, broken, ok())
        self.assertEqual(client.get_service_provider(SP)["id"], SP)
        self.assertTrue(0.5 <= self.waits[0] <= 1 <= self.waits[1] <= 2, self.waits)

    def test_a_timeout_is_repeated(self):
        released = threading.Event()
        self.addCleanup(released.set)
        client = self.client(lambda _: released.wait(30) and None, ok(), timeout=0.2)
        self.assertEqual(client.get_service_provider(SP)["id"], SP)

    def test_a_slow_response_is_a_timeout_although_each_byte_comes_in_time(self):
        status = b"HTTP/1.1 200 OK\r\n"
        typed = status + b"Content-Type: application/json\r\n"
        for reply in (
            self.drip(typed, b"Content-Length: 9999\r\n\r\n"),
            self.drip(typed, b"Content-Length: 99999999\r\n\r\n", last=b" " * 2**16),
            self.drip(typed, b"Transfer-Encoding: chunked\r\n\r\n", last=b"1\r\n \r\n"),
            # The end of the connection would be the end of this content.
            self.drip(typed, b"Connection: close\r\n\r\n", b'{"id": "x"}'),
            self.drip(typed, b"Content-Encoding: gzip\r\nContent-Length: 9999\r\n\r\n", last=b"\x1f"),
            self.drip(status, b"X-Slow: ", last=b"x"),
            self.drip(last=b"H"),
            self.drip(b"HTTP/1.1 100 Continue\r\n\r\n", last=b"H"),
        ):
            began = time.monotonic()
            with self.assertRaises(NoResponseError):
                self.client(reply, timeout=0.3, max_attempts=1).get_service_provider(SP)
            # Without the limit, the response would last for 20 seconds.
            self.assertLess(time.monotonic() - began, 10)
            self.assertEqual(self.client(reply, ok(), timeout=0.3).get_service_provider(SP)["id"], SP)

    def test_a_slow_response_over_the_callers_connections_is_a_timeout(self):
        with urllib3.PoolManager(headers={"X-Own": "1"}) as pool:
            reply, began = self.drip(b"HTTP/1.1 200 OK\r\nX-Slow: ", last=b"x"), time.monotonic()
            self.assertEqual(self.client(reply, ok(), timeout=0.3, pool=pool).get_service_provider(SP)["id"], SP)
            self.assertLess(time.monotonic() - began, 10)

    def test_a_successful_response_that_is_cut_off_is_repeated(self):
        whole = ok()[2]
        chunk = b"%x\r\n%s\r\n" % (len(whole), whole)
        packed = gzip.compress(whole)
        for headers, body in (
            ({"Content-Length": "99"}, whole[:9]),
            ({"Content-Length": "99"}, whole),
            ({"Content-Length": "99"}, b""),
            ({"Content-Length": None, "Connection": "close"}, whole[:9]),
            ({"Content-Length": None, "Connection": "close"}, b""),
            ({"Content-Length": str(len(whole) - 1)}, whole[:-1]),
            ({"Content-Length": None, "Transfer-Encoding": "chunked", "Connection": "close"}, chunk[:9]),
            ({"Content-Length": None, "Transfer-Encoding": "chunked", "Connection": "close"}, chunk),
            ({"Content-Length": None, "Content-Encoding": "gzip", "Connection": "close"}, packed[:-25]),
        ):
            client = self.client((200, headers, body), ok())
            self.assertEqual(client.get_service_provider(SP)["id"], SP, headers)
            client = self.client((200, headers, body), max_attempts=1)
            with self.assertRaises(NoResponseError, msg=(headers, body)):
                client.get_service_provider(SP)
            with self.assertRaises(NoResponseError):  # It is not safe to repeat.
                self.client((200, headers, body), ok()).create_crb_access(SP, CRB)

    def test_a_successful_response_that_is_cut_off_in_its_headers_is_repeated(self):
        for headers in (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nConte", b"HTTP/1.1 200 OK\r\nContent-Type: text"):

            def cut(handler, sent=headers):
                handler.wfile.write(sent)

            self.assertEqual(self.client(cut, ok()).get_service_provider(SP)["id"], SP, headers)
            with self.assertRaises(NoResponseError, msg=headers):
                self.client(cut, max_attempts=1).get_service_provider(SP)

    def test_a_connection_serves_many_requests_and_a_cut_one_no_more(self):
        cut = (200, {"Content-Length": "99"}, b"{")
        client = self.client(ok(), fault(503, 0), ok(), fault(404), cut, ok(), ok(), timeout=5)
        for _ in range(2):
            client.get_service_provider(SP)
        with self.assertRaises(ApiError):
            client.get_service_provider(SP)
        for _ in range(2):
            client.with_options(timeout=4).get_service_provider(SP)
        ports = [request.port for request in self.server.requests]
        self.assertEqual([len(set(ports[:5])), len(set(ports[5:])), len(set(ports))], [1, 1, 2])

    def test_it_waits_as_long_as_retry_after_says(self):
        self.client(fault(429, 7), ok()).get_service_provider(SP)
        self.assertTrue(7 <= self.waits[0] <= 7.7, self.waits)

    def test_it_ends_with_its_error_after_the_last_attempt_or_if_retry_after_is_too_long(self):
        with self.assertRaises(ApiError) as caught:
            self.client(fault(503, 0), fault(503, 0), max_attempts=2).get_service_provider(SP)
        self.assertEqual([caught.exception.status, caught.exception.code], [503, "unavailable"])
        with self.assertRaises(ApiError) as caught:
            self.client(fault(429, 86_400, "rate_limited")).get_service_provider(SP)
        self.assertEqual(caught.exception.retry_after, 86_400)
        self.client(fault(429, "9" * 400), fault(429, "soon"), ok()).get_service_provider(SP)

    def test_no_wait_is_longer_than_the_longest_wait(self):
        self.client(*[None, fault(503)] * 10, ok(), max_attempts=21, max_wait=3).get_service_provider(SP)
        self.assertEqual(len(self.waits), 20)
        for wait, longest in zip(self.waits, [1, 2] + [3] * 18):
            self.assertTrue(longest / 2 <= wait <= longest, self.waits)

    def test_no_response_is_an_error_without_the_query(self):
        with self.assertRaises(NoResponseError) as caught:
            self.client(None, max_attempts=1).search_crb_customers(SP, CRB, email="ana@example.com")
        path = f"/service-providers/{SP}/crbs/{CRB}/customers-search"
        self.assertRegex(str(caught.exception), f"^GET {path}: no response after 1 attempt \\(\\w+\\)$")
        self.assertNotIn("ana", "".join(traceback.format_exception(caught.exception)))

    def test_what_is_not_safe_to_repeat_is_sent_once(self):
        with self.assertRaises(ApiError):
            self.client(fault(503, 0)).create_crb_access(SP, CRB, {"name": "Report"})
        self.assertEqual(self.sent("Idempotency-Key"), [None])

    def test_an_added_document_is_sent_once_and_any_other_put_is_repeated(self):
        body = {"file_name": "a.pdf", "file_type": "application/pdf", "base64": ""}
        client = self.client(None, None)
        with self.assertRaises(NoResponseError):
            client.add_requirement_document(SP, CRB, SP, body)
        with self.assertRaises(NoResponseError):
            client.add_onboarding_document(SP, body)
        self.assertEqual(len(self.server.requests), 2)
        self.client(None, ok()).store_deposits(SP, CRB, {"deposits": []})
        self.assertEqual(len(self.server.requests), 4)

    def test_an_idempotency_key_is_repeated_and_the_callers_key_is_kept(self):
        client = self.client(fault(503, 0), ok(), ok(), ok())
        body = {"kinds": ["sales"], "format": "parquet"}
        client.create_export(SP, CRB, body)
        client.create_export(SP, CRB, body)
        client.create_export(SP, CRB, body, idempotency_key="mine")
        first, again, second, own = self.sent("Idempotency-Key")
        self.assertRegex(first, "^[0-9a-f-]{36}$")
        self.assertEqual([again, own, first == second], [first, "mine", False])
        self.assertEqual(json.loads(self.server.requests[1].content), body)

    def test_parameters_are_encoded_and_absent_ones_are_not_sent(self):
        client = self.client(ok(), ok())
        client.revoke_credential("a/../b?", "é", keep_issued=True)
        client.list_crb_sales(SP, CRB, limit=0, start_date="2026-01-01")
        paths = [request.path for request in self.server.requests]
        self.assertEqual(paths[0], "/service-providers/a%2F..%2Fb%3F/credentials/%C3%A9?keep_issued=true")
        self.assertTrue(paths[1].endswith("/sales?limit=0&start_date=2026-01-01"))


class OptionTests(Case):
    def test_a_copy_has_other_options_and_the_same_token(self):
        client = self.client(token("at_1"), ok(), fault(503, 0), ok(), credential=PAIR, headers={"traceparent": "00-1"})
        once = client.with_options(max_attempts=1, headers={"Authorization": "other", "If-None-Match": '"e"'})
        once.get_service_provider(SP)
        with self.assertRaises(cbd.ServiceUnavailableError):
            once.get_service_provider(SP)
        client.get_service_provider(SP)
        self.assertEqual(self.sent("Authorization"), [None, *["at_1"] * 3])
        self.assertEqual(self.sent("traceparent"), [None, None, None, "00-1"])
        self.assertEqual(self.sent("If-None-Match"), [None, '"e"', '"e"', None])
        with self.assertRaises(TypeError):
            client.with_options(time_out=3)

    def test_successful_responses_can_be_read_also_of_pages(self):
        seen = []
        page = {"metadata": {"total": 2}, "data": [{"id": "a"}]}
        client = self.client(fault(503, 0), ok(page, ETag='"e1"', **{"x-request-id": "r1"}), ok(page), fault(404))
        list(client.with_options(on_response=seen.append).iter_crb_sales(SP, CRB, limit=1))
        with self.assertRaises(ApiError):
            client.with_options(on_response=seen.append).get_service_provider(SP)
        first, second = seen
        self.assertEqual([first.status, first.headers["etag"], first.request_id], [200, '"e1"', "r1"])
        self.assertIsNone(second.request_id)

    def test_the_user_agent_names_the_client_and_its_version(self):
        client = self.client(token("at_1"), ok(), ok(), credential=PAIR)
        client.get_service_provider(SP)
        client.with_options(headers={"user-agent": "mine"}).get_service_provider(SP)
        own = rf"^cannabis-business-data-client/{re.escape(cbd.__version__)} Python/3\.[\d.]+"
        for sent in self.sent("User-Agent")[:2]:
            self.assertRegex(sent, own)
        self.assertEqual(self.sent("User-Agent")[2], "mine")


class CrbTests(Case):
    def test_methods_need_no_ids(self):
        page = {"metadata": {"total": 1}, "data": [{"id": "a"}]}
        client = self.client(ok(), ok(page), ok(), ok(), feed("a", False))
        crb = client.crb(SP, CRB)
        crb.get_info()
        self.assertEqual(list(crb.iter_sales(start_date="2026-01-01")), [{"id": "a"}])
        crb.get_export("e")
        crb.create_export({"kinds": ["sales"], "format": "parquet"}, idempotency_key="mine")
        cbd.follow_changes(client, crb, "sales", Store())
        base = f"/service-providers/{SP}/crbs/{CRB}"
        sales = "/sales?limit=500&offset=0&start_date=2026-01-01"
        paths = [request.path.removeprefix(base) for request in self.server.requests]
        self.assertEqual(paths, ["", sales, "/exports/e", "/exports", "/changes/sales"])
        self.assertEqual(self.sent("Idempotency-Key")[3], "mine")


class ErrorTests(Case):
    def test_each_status_of_the_api_has_a_class_and_other_programs_have_none(self):
        for status, expected in [
            (401, cbd.UnauthorizedError),
            (403, cbd.ForbiddenError),
            (404, cbd.NotFoundError),
            (409, cbd.ConflictError),
            (413, cbd.PayloadTooLargeError),
            (422, cbd.ValidationError),
            (429, cbd.RateLimitError),
            (500, cbd.InternalServerError),
            (503, cbd.ServiceUnavailableError),
            (418, ApiError),
        ]:
            for reply, type_of_error in [(fault(status, code="of_the_future"), expected), ((status, {}, b"<html>"), ApiError)]:
                with self.assertRaises(ApiError) as caught:
                    self.client(reply, max_attempts=1).get_service_provider(SP)
                self.assertIs(type(caught.exception), type_of_error)

    def test_an_unchanged_resource_is_an_error_with_a_code_of_its_own(self):
        client = self.client((304, {"ETag": '"e"'}, b"")).with_options(headers={"If-None-Match": '"e"'})
        with self.assertRaises(ApiError) as caught:
            client.get_service_provider(SP)
        self.assertEqual([caught.exception.status, caught.exception.code], [304, "not_modified"])
        self.assertEqual(caught.exception.headers["ETag"], '"e"')

    def test_it_has_the_code_the_fields_and_the_request_id(self):
        fields = {"query.limit": {"message": "must be an integer", "value": "0"}}
        with self.assertRaises(ApiError) as caught:
            self.client(fault(422, code="validation_failed", fields=fields)).list_service_provider_crbs(SP, limit=0)
        error = caught.exception
        self.assertEqual([error.status, error.fields, error.request_id], [422, fields, "r1"])
        path = f"/service-providers/{SP}/crbs"
        self.assertEqual(
            str(error), f"GET {path}: 422 validation_failed: Not now.; query.limit must be an integer"
        )

    def test_a_response_that_is_not_of_the_api_is_an_error(self):
        html = {"Content-Type": "text/html"}
        redirect = {"Location": f"http://127.0.0.1:{self.server.server_port}/elsewhere"}
        replies = [(200, html, b"<html>"), (404, html, b"<html>"), (200, html, b""), (307, redirect, b""), (400, {}, b'"no"')]
        for reply in replies:
            with self.assertRaises(ApiError) as caught:
                self.client(reply).get_service_provider(SP)
            self.assertEqual([caught.exception.status, caught.exception.code], [reply[0], "invalid_response"])
        self.assertEqual(len(self.server.requests), len(replies))

    def test_no_message_and_no_representation_has_a_secret(self):
        client = self.client(fault(401, code="unauthorized"), None, credential=PAIR, max_attempts=1)
        shown = [repr(client), str(client), repr(PAIR)]
        for _ in range(2):
            with self.assertRaises((ApiError, NoResponseError)) as caught:
                client.get_service_provider(SP)
            shown.append("".join(traceback.format_exception(caught.exception)))
        for secret in (f"{SECRET}\n", f"{SECRET} x", "", "sk_é"):
            with self.assertRaises(ValueError) as wrong:
                self.client(credential=secret)
            shown.append("".join(traceback.format_exception(wrong.exception)))
        self.assertNotIn("sk_", "".join(shown))

    def test_control_characters_are_not_shown(self):
        with self.assertRaises(ApiError) as caught:
            self.client((404, {}, b'{"code": "x", "message": "a\\u001b[31m\\nb"}')).get_service_provider(SP)
        self.assertTrue(str(caught.exception).endswith("a [31m b"))

    def test_addresses_without_encryption_or_with_a_password_are_rejected(self):
        for address in ("http://api.example.com", "https://u:p@api.example.com", "ftp://127.0.0.1", "api.example.com"):
            with self.assertRaises(ValueError):
                Client(address, SECRET)
        self.assertEqual(Client("https://api.example.com/v1/", SECRET).base_url, "https://api.example.com/v1")


class TokenTests(Case):
    def test_one_exchange_serves_parallel_calls(self):
        client = self.client(token("at_1"), *[ok()] * 4, credential=PAIR)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(client.get_service_provider, [SP] * 4))
        self.assertEqual(self.sent("Authorization"), [None, *["at_1"] * 4])
        body = {"client_id": "id", "client_secret": SECRET, "grant_type": "client_credentials"}
        self.assertEqual(json.loads(self.server.requests[0].content), body)

    def test_a_token_is_renewed_a_minute_before_it_expires(self):
        client = self.client(token("at_1"), ok(), ok(), token("at_2"), ok(), credential=PAIR)
        with mock.patch("cannabis_business_data._transport.time.monotonic") as clock:
            for seconds in (1000, 1000 + 3539, 1000 + 3540):
                clock.return_value = seconds
                client.get_service_provider(SP)
        self.assertEqual(self.sent("Authorization"), [None, "at_1", "at_1", None, "at_2"])

    def test_a_rejected_token_is_renewed_once(self):
        rejected = fault(401, code="unauthorized")
        replies = [token("at_1"), rejected, token("at_2"), ok(), rejected, token("at_3"), rejected]
        client = self.client(*replies, credential=PAIR)
        client.get_service_provider(SP)
        with self.assertRaises(ApiError) as caught:
            client.get_service_provider(SP)
        self.assertEqual([caught.exception.status, self.sent("Authorization")[-1]], [401, "at_3"])

    def test_a_key_signs_another_assertion_for_each_attempt(self):
        numbers = iter(range(9))
        credential = cbd.KeyCredentials("id", lambda endpoint: f"{next(numbers)} for {endpoint}", scope=["point-of-sale:read"])
        client = self.client(fault(503, 0), token("at_1"), ok(), credential=credential)
        client.get_service_provider(SP)
        sent = [json.loads(request.content) for request in self.server.requests[:2]]
        endpoint = f"{client.base_url}/auth/token"
        self.assertEqual([body["client_assertion"] for body in sent], [f"0 for {endpoint}", f"1 for {endpoint}"])
        del sent[0]["client_assertion"]
        body = {"client_id": "id", "grant_type": "client_credentials", "scope": ["point-of-sale:read"]}
        assertion = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        self.assertEqual(sent[0], {**body, "client_assertion_type": assertion})
        self.assertEqual(self.sent("Authorization"), [None, None, "at_1"])

    def test_a_failed_exchange_fails_the_call_and_the_next_call_tries_again(self):
        malformed = [ok({"access_token": 7, "expires_in": 1}), ok({"access_token": "two\nlines", "expires_in": 1}), ok([])]
        client = self.client(fault(401), *malformed, token("at_1"), ok(), credential=PAIR)
        for code in ("unavailable", *["invalid_response"] * 3):
            with self.assertRaises(ApiError) as caught:
                client.get_service_provider(SP)
            self.assertEqual(caught.exception.code, code)
        client.get_service_provider(SP)


class ListTests(Case):
    def pages(self, total, most=1000, omitted=()):
        def reply(handler):
            query = parse_qs(urlsplit(handler.path).query)
            limit, offset = int(query["limit"][0]), int(query["offset"][0])
            if limit > most:
                return fault(422, code="validation_failed", fields={"query.limit": {"message": f"{most} fit"}})
            data = [one for one in range(offset, min(total, offset + limit)) if one not in omitted]
            return ok({"metadata": {"total": total}, "data": data})

        return self.client(*[reply] * 50)

    def test_the_whole_list_is_read(self):
        for query, first, pages in [
            ({"limit": 3}, 0, 4),
            ({"limit": 5}, 0, 2),
            ({}, 0, 1),
            ({"limit": 3, "offset": 4}, 4, 2),
            ({"offset": 12}, 10, 1),
        ]:
            self.server.requests.clear()
            self.assertEqual(list(self.pages(10).iter_crb_customers(SP, CRB, **query)), list(range(first, 10)))
            self.assertEqual(len(self.server.requests), pages)

    def test_pages_that_lack_records_and_empty_pages_are_not_the_end(self):
        client = self.pages(9, omitted=(1, 3, 4, 5, 8))
        self.assertEqual(list(client.iter_crb_customers(SP, CRB, limit=3)), [0, 2, 6, 7])

    def test_no_record_is_skipped_while_others_leave(self):
        for nth in (1, 2, 3, 50):
            rows, seen = list(range(100)), set()

            def reply(handler):
                query = parse_qs(urlsplit(handler.path).query)
                limit, offset = int(query["limit"][0]), int(query["offset"][0])
                return ok({"metadata": {"total": len(rows)}, "data": rows[offset : offset + limit]})

            for row in self.client(*[reply] * 80).iter_crb_customers(SP, CRB, limit=7):
                seen.add(row)
                if len(seen) % nth == 0 and row in rows:
                    rows.remove(row)
            self.assertEqual(len(seen), 100)

    def test_smaller_pages_are_requested_if_a_page_would_be_too_large(self):
        self.assertEqual(len(list(self.pages(30, most=8).iter_crb_customers(SP, CRB))), 30)
        with self.assertRaises(ApiError):
            list(self.pages(3, most=0).iter_crb_customers(SP, CRB, limit=1))

    def test_no_page_is_read_before_it_is_needed(self):
        records = self.pages(10).iter_crb_customers(SP, CRB, limit=2, last_updated_from="2026-01-01")
        self.assertEqual(self.queries(), [])
        next(records)
        self.assertEqual(self.queries(), ["limit=2&offset=0&last_updated_from=2026-01-01"])


class Store:
    def __init__(self, cursor=None, records=()):
        self.pages, self.cursor, self.records = [], cursor, records

    def read_cursor(self, kind):
        return self.cursor

    def store_page(self, kind, page):
        self.pages.append((kind, page.records, page.cursor, page.reset))

    def read_records(self, kind):
        return self.records


def feed(cursor, has_more, data=(), **more):
    return ok({"data": list(data), "cursor": cursor, "has_more": has_more, **more})


class FeedTests(Case):
    def test_the_cursors_are_followed_over_empty_pages(self):
        empty = (200, {"Retry-After": "3"}, feed("a", True)[2])
        client = self.client(feed("a", True, [1]), empty, feed("b", False, [2]))
        pages = list(cbd.read_feed(lambda cursor: client.list_events(SP, cursor=cursor)))
        self.assertEqual([page["data"] for page in pages], [[1], [], [2]])
        self.assertEqual([self.queries(), self.waits], [["", "cursor=a", "cursor=a"], [3]])

    def test_a_response_that_is_no_page_is_an_error(self):
        client = self.client(ok({}), ok({}))
        with self.assertRaisesRegex(RuntimeError, "not a page of a feed"):
            list(cbd.read_feed(lambda cursor: client.list_events(SP, cursor=cursor)))
        with self.assertRaisesRegex(RuntimeError, "not a page of a list"):
            list(client.iter_crb_customers(SP, CRB))

    def test_a_cursor_that_never_advances_is_an_error(self):
        client = self.client(*[feed("a", True, [1])] * 99)
        with self.assertRaisesRegex(RuntimeError, "has not advanced"):
            list(cbd.read_feed(lambda cursor: client.list_events(SP, cursor=cursor)))

    def test_a_store_gets_each_page_with_its_cursor_and_a_reset(self):
        client = self.client(feed("b", True, [{"id": "1"}], reset=True), feed("c", False))
        store = Store("a")
        self.assertEqual(cbd.follow_changes(client, Crb(CRB), "products", store), 1)
        self.assertEqual(store.pages, [("products", [{"id": "1"}], "b", True), ("products", [], "c", False)])
        paths = [request.path for request in self.server.requests]
        self.assertEqual(paths, [f"/crbs/{CRB}/changes/products?cursor={cursor}" for cursor in "ab"])


class VerificationTests(Case):
    records = [{"id": "a", "svc_updated_date": "2026-01-01"}, {"id": "b", "svc_created_date": "2026-01-02"}]

    def replications(self, digest):
        return ok({"data": [{"kind": "products", "records": 2, "digest": digest}]})

    def digest(self):
        hashes = [hashlib.sha256(line).hexdigest() for line in (b"a 2026-01-01", b"b 2026-01-02")]
        numbers = [[int(one[i : i + 8], 16) for i in range(0, 64, 8)] for one in hashes]
        return "".join(f"{sum(pair) % 2**32:08x}" for pair in zip(*numbers))

    def test_it_compares_only_after_a_moment_without_changes(self):
        end = feed("z", False)
        replies = [end, self.replications("0"), feed("z", False, [{"id": "a"}]), self.replications(self.digest()), end]
        verified = cbd.verify_copy(self.client(*replies), Crb(CRB, SP), "products", Store("z", self.records))
        self.assertTrue(verified.is_complete)
        self.assertEqual(verified.copy, (2, self.digest()))

    def test_a_missing_digest_proves_nothing(self):
        client = self.client(feed("z", False), self.replications(None), feed("z", False))
        self.assertFalse(cbd.verify_copy(client, Crb(CRB), "products", Store("z", self.records)).is_complete)

    def test_it_gives_up_if_the_list_changes_all_the_time(self):
        rounds = [self.replications("0"), feed("z", False, [{"id": "a"}])] * 10
        with self.assertRaisesRegex(RuntimeError, "changed during every attempt"):
            cbd.verify_copy(self.client(feed("z", False), *rounds), Crb(CRB), "products", Store("z"))

    def test_the_digest_of_no_records_has_64_zeros(self):
        self.assertEqual(cbd.digest_of([]), (0, "0" * 64))


class WebhookTests(unittest.TestCase):
    secret = f"whsec_{base64.b64encode(bytes([1] * 32)).decode()}"

    def headers(self, body, at=None):
        at = at or datetime.now(timezone.utc)
        signature = standardwebhooks.Webhook(self.secret).sign("id", at, body.decode())
        return {"Webhook-Id": "id", "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}

    def test_a_valid_signature_returns_the_event_also_of_an_unknown_type(self):
        body = b'{"type": "of.the.future", "name": "\xc3\xa9"}'
        self.assertEqual(cbd.verify_webhook(self.secret, self.headers(body), body)["type"], "of.the.future")

    def test_other_requests_are_rejected(self):
        body = b'{"type": "crb.created"}'
        good = self.headers(body)
        old = self.headers(body, datetime.fromtimestamp(time.time() - 400, timezone.utc))
        for headers, content in [
            ({}, body),
            (good, body + b" "),
            (old, body),
            ({**good, "Webhook-Id": "other"}, body),
            ({**good, "webhook-signature": "v1"}, body),
            ({**good, "webhook-signature": "v1,x v2,y ,,, v1"}, body),
            ({**good, "webhook-timestamp": "soon"}, body),
            (good, b"\xff"),
            (self.headers(b"[]"), b"[]"),
        ]:
            with self.assertRaises(cbd.WebhookVerificationError) as caught:
                cbd.verify_webhook(self.secret, headers, content)
            self.assertIsNone(re.search("whsec_", str(caught.exception)))


class ExportTests(Case):
    content = b"records"

    def export(self, **changes):
        def reply(_):
            file = {
                "kind": "sales",
                "part": 1,
                "records": 1,
                "bytes": len(self.content),
                "sha256": hashlib.sha256(self.content).hexdigest(),
                "download_link": f"http://127.0.0.1:{self.server.server_port}/file?signature=secret",
                **changes,
            }
            return ok({"status": "ready", "format": "parquet", "files": [file], "manifest": []})

        return reply

    def download(self, *replies, timeout=600, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        return cbd.download_export(self.client(*replies, **options), SP, CRB, "export", folder.name, timeout=timeout)

    def test_downloads_use_the_callers_connections_without_their_headers(self):
        class Pool(urllib3.PoolManager):
            def request(self, method, url, *more, **named):
                urls.append(urlsplit(url).path)
                return super().request(method, url, *more, **named)

        urls = []
        with Pool(headers={"Authorization": "own"}) as pool:
            self.download(self.export(), (200, {}, self.content), pool=pool)
        self.assertEqual(urls[1:], ["/file"])
        self.assertEqual(self.sent("Authorization"), [SECRET, None])
        self.assertIn("cannabis-business-data-client/", self.sent("User-Agent")[1])
        self.assertEqual(len({request.port for request in self.server.requests}), 1)

    def test_a_slow_download_is_repeated(self):
        slow, began = self.drip(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"), time.monotonic()
        _, files = self.download(self.export(), slow, self.export(), (200, {}, self.content), timeout=0.3)
        self.assertEqual(files[0].path.read_bytes(), self.content)
        self.assertLess(time.monotonic() - began, 10)

    def test_it_is_polled_until_it_is_ready_also_over_unknown_statuses(self):
        states = [ok({"status": status, "error": None}) for status in ("queued", "of_the_future", "running", "ready")]
        seen = []
        cbd.wait_for_export(self.client(*states), SP, CRB, "e", on_progress=lambda one: seen.append(one["status"]))
        self.assertEqual([seen, self.waits], [["queued", "of_the_future", "running", "ready"], [0.5, 1, 2]])
        for status in ("failed", "expired", "deleted"):
            with self.assertRaisesRegex(RuntimeError, status):
                cbd.wait_for_export(self.client(ok({"status": status, "error": None})), SP, CRB, "e")
        with self.assertRaises(TimeoutError):
            cbd.wait_for_export(self.client(states[0]), SP, CRB, "e", timeout=0.1)

    def test_the_store_gets_no_credential_and_failures_are_repeated_with_new_links(self):
        bad, good = (200, {}, b"changed"), (200, {}, self.content)
        _, files = self.download(self.export(), (503, {}, b""), self.export(), bad, self.export(), None, self.export(), good)
        self.assertEqual([path.name for path, _ in files], ["sales-1.parquet"])
        self.assertEqual(files[0].path.read_bytes(), self.content)
        tried = [request for request in self.server.requests if request.path.startswith("/file")]
        self.assertEqual([request.headers["Authorization"] for request in tried], [None] * 4)

    def test_hostile_files_are_rejected_without_their_link(self):
        for changes, replies, message in [
            ({"sha256": "0" * 64}, [(200, {}, self.content)], "SHA-256"),
            ({"bytes": 3}, [(200, {}, self.content)], "too many bytes"),
            ({"kind": "../../x"}, [], "not valid"),
            ({"download_link": None}, [], "not encrypted"),
            ({"download_link": "file:///etc/passwd"}, [], "not encrypted"),
            ({}, [(307, {"Location": "http://127.0.0.1:1/"}, b"")], "responded with 307"),
        ]:
            with self.assertRaisesRegex(RuntimeError, message) as caught:
                self.download(*[reply for _ in range(5) for reply in [self.export(**changes), *replies]])
            self.assertNotRegex(str(caught.exception), "signature|http:")
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
