"""A failed call is one by the protocol, by its words or by its data, and nothing else is."""

import pytest

from memory.mcp.reading import read
from memory.mcp.types import Tool


def failure(payload, name="call", server=""):
    return read(payload, Tool(name, server)).failure


def text(said, **more):
    return {"content": [{"type": "text", "text": said}]} | more


@pytest.mark.parametrize(
    "payload, why",
    [
        (text("disk full", isError=True), "is_error"),
        (text("disk full", is_error=True), "is_error"),
        ({"content": [], "structuredContent": {"code": "BUSY"}, "isError": True}, "is_error"),
        ({"jsonrpc": "2.0", "id": 4, "error": {"code": -32602, "message": "Unknown tool: refnd"}}, "rpc_error"),
        ({"error": {"code": -32603, "message": "Internal error"}}, "rpc_error"),
    ],
)
def test_what_the_protocol_calls_a_failure(payload, why):
    assert failure(payload) == why


@pytest.mark.parametrize(
    "said",
    [
        "Error: the card has expired", "API error: 503",
        "MCP error -32001: Request timed out", "ERROR (502): bad gateway", "ValueError: no such order",
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'id'", "ENOENT: no such file, open 'a'",
        "fatal: not a git repository", "❌ Failed to place the order", "missing required argument: city",
        "Permission denied", "Unauthorized", "HTTP 404 Not Found", "503 Service Unavailable", "Request timed out",
        "Rate limit exceeded, retry in 30 s", "Could not connect to the mail server", "<error>nothing there</error>",
        "错误：余额不足", "请求失败，请稍后重试", "查询超时", "参数错误: city", "未登录", "权限不足",
        "文件 a.txt 不存在",
    ],
)  # fmt: skip
def test_an_errors_message_is_a_failure_though_it_is_flagged_as_success(said):
    assert failure(text(said, isError=False)) == "error_text"
    assert failure(said) == "error_text"


@pytest.mark.parametrize(
    "said",
    [
        "The refund for order 118 went through.", "No errors found.", "0 errors, 2 warnings", "Errors are rare here.",
        "Error handling in Rust uses Result.", "The error page was redesigned.", "Rate limit is 90 requests per hour.",
        "Time out: a guide to rest", "Not a bad result", "错误处理指南已更新", "失败是成功之母", "订单已退款，无异常",
        "A failed payment can be repeated within a week.", "", "Invalidated 3 cache entries",
    ],
)  # fmt: skip
def test_a_text_that_only_speaks_of_errors_is_none(said):
    assert failure(text(said)) == ""


@pytest.mark.parametrize(
    "data",
    [
        {"error": "no such customer"}, {"error": {"type": "auth"}}, {"success": False}, {"ok": False, "items": []},
        {"errors": [{"message": "Field is unknown"}], "data": None}, {"status": "error", "message": "busy"},
        {"code": 500, "msg": "服务异常"}, {"errcode": 40001, "errmsg": "invalid credential"},
        {"code": "NOT_FOUND", "message": "no order 7"}, {"result": {"success": False}},
    ],
)  # fmt: skip
def test_data_in_the_shape_of_an_error_is_a_failure(data):
    import json

    assert failure({"content": [], "structuredContent": data}) == "error_data"
    assert failure(text(json.dumps(data, ensure_ascii=False))) == "error_data"


@pytest.mark.parametrize(
    "data",
    [
        {"order": 118, "status": "failed"}, {"error": None, "items": [1]}, {"errors": [], "data": {"a": 1}},
        {"code": 0, "msg": "ok", "data": {}}, {"code": 200, "message": "fine"}, {"success": True},
        {"errcode": 0, "errmsg": "ok"}, {"error_count": 3, "checked": 90}, [{"error": "in one of many"}],
    ],
)  # fmt: skip
def test_a_record_about_failures_is_none(data):
    assert failure({"content": [], "structuredContent": data}) == ""


def test_a_file_may_begin_with_an_error_but_a_message_instead_of_it_is_a_failure():
    log = "Error: disk full at 03:10\nRetried at 03:11\nDone."
    assert failure(text(log), "read_text_file", "filesystem") == ""
    assert failure(text("Error: ENOENT: no such file"), "read_text_file", "filesystem") == "error_text"


def test_a_page_that_is_read_on_is_no_failure_but_the_end_of_it_is():
    page = "Contents of https://a.example/p:\nOpening hours are nine to five."
    more = "\n\n<error>Content truncated. Call the fetch tool with a start_index of 5000 to get more content.</error>"
    found = read(text(page + more), Tool("fetch", "fetch"))
    assert (found.failure, found.text) == ("", "Opening hours are nine to five.")
    assert {cut["kind"] for cut in found.kept["cuts"]} == {"server"}
    end = "Contents of https://a.example/p:\n<error>No more content available.</error>"
    assert failure(text(end), "fetch", "fetch") == "error_text"


@pytest.mark.parametrize("said", ["### Error\nTimeoutError: waiting for e4", "### Result\nError: Ref e4 is gone."])
def test_playwright_says_failure_in_a_section(said):
    page = "\n### Page state\n- Page URL: https://a.example/\n- Page Title: A\n"
    assert failure(text(said + page), "browser_click", "playwright") == "error_text"


def test_an_answer_with_404_is_no_failure_of_the_proxy():
    said = "HttpRequestResponse{httpRequest=GET /x HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n, httpResponse=HTTP/1.1 404 Not Found\\r\\n\\r\\nno, messageAnnotations=Annotations{}}"  # noqa: E501
    assert failure(text(said), "send_http1_request", "burp") == ""
