"""What counts as a failed call: by the protocol, by the tool's own words, or by the shape of its data.

Many servers flag a failure as success (isError absent or false), so what the result says is read too. A page or a file
may speak of errors: for a document only a single line that is an error counts.
"""

import re
from typing import Any

from memory.mcp.blocks import json_of, text_of
from memory.mcp.sanitize import Sanitized
from memory.mcp.types import Extracted

# Words that say failure wherever they begin a result; a report of errors is longer.
_SURE_LENGTH, _LIKELY_LENGTH = 4000, 300

_SURE = re.compile(
    r"\s*(?:[❌✗✖⚠🚫]\ufe0f?\s*)?(?:\*\*)?(?:"
    r"(?:(?:an? )?(?:api|http|mcp|tool|input|output|validation|internal|server|network|connection|runtime|syntax|type|"
    r"value|key|permission|database|sql|query|pars(?:e|ing)|auth\w*|timeout|request|unexpected|unknown|fatal|execution|"
    r"client|system|playwright|command) ){0,3}(?:error|exception)(?: (?:occurred|code))?(?:\*\*)?\s*"
    r"(?:[(\[][^)\]\n]{0,60}[)\]]|-?\d{1,6})?(?:\*\*)?\s*[:：]"
    r"|fatal\s*:|(?-i:[A-Z][A-Za-z]*(?:Error|Exception))\b\s*(?:[:(\[]|$| at )"
    r"|traceback \(most recent call last\)|<(?:tool_use_)?error>|failed\s*[:：]|failure\s*[:：]"
    r"|(?-i:E(?:NOENT|ACCES|PERM|CONN\w+|TIMEDOUT|NOTFOUND|EXIST|ISDIR|NOTDIR|PIPE|HOSTUNREACH))\b"
    r"|(?:错误|出错了?|报错|异常|失败|调用失败|请求失败)\s*[:：]"
    r")",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"\s*(?:[❌✗✖⚠🚫]\ufe0f?\s*)?(?:"
    r"(?:failed|unable) to \w+|could(?: not|n't) \w+"
    r"|(?:cannot|can't) (?:find|read|open|access|connect|parse|resolve|load|complete|process|execute|serialize)"
    r"|missing (?:required )?(?:parameter|argument|field|property)|required (?:parameter|argument|field)\b"
    r"|invalid (?:parameter|argument|params|request|input|api key|token|credentials|url|path|json)"
    r"|(?:unknown|no such) (?:tool|method|table|column|file|function)|tool .{1,80}not found|.{1,60} does not exist\b"
    r"|(?:access|permission) (?:is )?denied|unauthori[sz]ed|forbidden|bad request|internal server error"
    r"|service unavailable|(?:bad )?gateway timeout|bad gateway|too many requests|not found\b"
    r"|rate limit(?:ed| (?:was |has been )?(?:exceeded|reached))|quota (?:was |has been )?exceeded"
    r"|(?:http(?:/[\d.]+)?(?: status)?(?: code)? ?:? ?)[45]\d\d\b|[45]\d\d (?:client error|server error|bad|not|"
    r"service|un\w+|forbidden|internal|too|gateway)"
    r"|(?:the )?(?:request|connection|operation|query|command|(?:tool )?call|page load) (?:has )?"
    r"(?:failed|timed out|was refused|refused|aborted|was aborted)|timed out\b|timeout\b"
    r"|(?:请求|调用|执行|查询|操作|连接|登录|读取|写入|获取|搜索|加载|解析|打开|保存|上传|下载|工具)[^\n。，]{0,8}(?:失败|超时|出错|被拒绝)"
    r"|(?:参数|权限|认证|鉴权|验证|网络|系统|服务器?|数据库)[^\n。，]{0,4}(?:错误|异常|不足|失败|超时)"
    r"|(?:无效的?|缺少|缺失)(?:必填|必要|必需)?(?:参数|字段|令牌|密钥)|没有权限|无权|未授权|未登录|拒绝访问|服务不可用|未找到"
    r"|(?:文件|路径|记录|用户|工具|表)[^\n]{0,40}不存在"
    r")",
    re.IGNORECASE,
)
_BAD_STATUS = frozenset({"error", "fail", "failed", "failure"})
_SAYS_WHY = frozenset({"error", "message", "msg", "reason", "detail", "details", "description", "errmsg", "code"})


def failure_of(clean: Sanitized, found: Extracted) -> str:
    """Why the call counts as failed: rpc_error, is_error, error_text or error_data; "" when it did not fail."""
    if clean.rpc_error:
        return "rpc_error"
    if clean.result.is_error:
        return "is_error"
    raw, data = text_of(clean.result), clean.result.structured_content
    told = [] if found.is_document or len(raw) > _SURE_LENGTH else json_of(raw)
    said = [found.text] * (not found.is_data) + [raw] * (not found.is_document and not told)
    if found.failed or any(says_failure(text, document=found.is_document) for text in said):
        return "error_text"
    told = told if data is None else [data]
    return "error_data" if len(told) == 1 and shows_failure(told[0]) else ""


def says_failure(text: str, *, document: bool = False) -> bool:
    """True when the whole text is the message of an error."""
    said = text.strip()
    if document and "\n" in said:
        return False
    if len(said) <= _SURE_LENGTH and _SURE.match(said):
        return True
    return not document and len(said) <= _LIKELY_LENGTH and bool(_LIKELY.match(said))


def shows_failure(data: Any) -> bool:
    """True for an object that says it is an error, as APIs of many houses do. A record that has failed (an order with
    status "failed") is none unless it says why."""
    if not isinstance(data, dict):
        return False
    if list(data) == ["result"]:
        data = data["result"] if isinstance(data["result"], dict) else {}
    named = {str(name).lower(): member for name, member in data.items()}
    if named.get("error") not in (None, "", False, 0, [], {}) and not named.get("data"):
        return True
    if any(named.get(name) is False for name in ("success", "ok", "succeeded")):
        return True
    if any(named.get(name) is True for name in ("iserror", "is_error")):
        return True
    if isinstance(named.get("errors"), list) and named["errors"] and not named.get("data"):
        return True
    if str(named.get("status")).lower() in _BAD_STATUS and len(named) <= 6 and _SAYS_WHY & set(named):
        return True
    return _is_bad_code(named)


def _is_bad_code(named: dict[str, Any]) -> bool:
    """{"code": 500, "msg": …}, {"errcode": 40001, …}, {"code": "RATE_LIMITED", "message": …}."""
    for name in ("errcode", "errno", "error_code"):
        if named.get(name) not in (None, "", 0, "0", False):
            return True
    code = next((named[name] for name in ("code", "statuscode", "status_code") if name in named), None)
    if code is None or not {"message", "msg", "error", "detail"} & set(named) or len(named) > 6:
        return False
    if isinstance(code, str) and code.lstrip("-").isdigit():
        code = int(code)
    if isinstance(code, int):
        return code < 0 or code >= 400
    return isinstance(code, str) and bool(re.fullmatch(r"[A-Z][A-Z0-9_]{3,}", code)) and code not in ("SUCCESS", "OKAY")
