"""Secrets are recognised by their form and, where one exists, their check digit, and replaced before judging.

Numbers that merely look long (scores, timestamps, ports, order numbers) stay: a secret needs a known prefix, a
label beside it, or a checksum that fits.
"""

import re
from collections.abc import Callable

_LABEL = (
    r"(?:api[_-]?key|access[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|client[_-]?secret|auth[_-]?token"
    r"|access[_-]?token|token)"
)
# "password: hunter2", "the password is hunter2", 密码是hunter2
_PASSWORD = r"(?:password|passwd|passphrase|pwd|密码|口令)"

_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_KEY_PREFIX = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abpr]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"
)
_BEARER = re.compile(r"\b(?P<keep>Bearer\s+)(?P<secret>[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?P<keep>(?:\b|(?<=_)){_LABEL}[\"']?\s*(?:[:=]|\bis\b)\s*[\"']?)(?P<secret>(?=[^\s\"']*\d)[A-Za-z0-9._~+/=-]{{12,}})",
    re.IGNORECASE,
)
_PASSWORDS = re.compile(
    rf"(?P<keep>{_PASSWORD}[\"']?\s*(?:[:=：]|\bis\b|是|为)\s*[\"']?)"
    r"(?P<secret>(?=[^\s\"',，。；;]*[\d!@#$%^&*_-])[^\s\"',，。；;]{6,})",
    re.IGNORECASE,
)
# up to the end of the header: of the line, of an escaped line inside a string, or of the message as Burp prints it
_COOKIE = re.compile(
    r"(?P<keep>(?:\b|(?<=\\n))(?:Set-)?Cookie:\s*)"
    r"(?P<secret>(?:(?!\\[rn]|\"\s*[,}\]]|, http(?:Request|Response)=|, messageAnnotations=)[^\r\n]){8,})",
    re.IGNORECASE,
)
_AUTHORIZATION = re.compile(
    r"(?P<keep>(?:\b|(?<=\\n))Authorization[\"']?\s*[:=]\s*[\"']?(?:Basic|Digest|Token|ApiKey)\s+)(?P<secret>[^\s\"'\\]{6,})",
    re.IGNORECASE,
)
# a form field as accessibility trees write it: textbox "Password" [ref=e9]: hunter2
_FORM_FIELD = re.compile(
    rf"(?P<keep>\btextbox \"[^\"\n]*{_PASSWORD}[^\"\n]*\"(?: \[[^\]\n]*\])*: )(?P<secret>[^\n]+)", re.IGNORECASE
)
_URL_LOGIN = re.compile(r"(?P<keep>\b[a-z][a-z0-9+.-]*://[^\s:/@]+:)(?P<secret>[^\s:/@]+)(?=@)", re.IGNORECASE)
_CARD = re.compile(
    r"(?<![\d.\-])(?:\d{4}(?P<gap>[ -]?)\d{4}(?P=gap)\d{4}(?P=gap)\d{2,7}|3\d{3}[ -]?\d{6}[ -]?\d{5})(?![\d\-])"
)
_CHINESE_ID = re.compile(r"(?<![\dA-Za-z.])\d{17}[\dXx](?![\dA-Za-z.])")
_MOBILE = re.compile(r"(?<![\dA-Za-z.\-])(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\dA-Za-z.])")

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECK = "10X98765432"


def mask_secrets(text: str) -> tuple[str, list[str]]:
    """Replaces each secret by `[kind hidden]` and answers the text with the kinds found, in order, without repeats."""
    kinds: list[str] = []

    def run(pattern: re.Pattern[str], kind: str, fits: Callable[[str], bool] = lambda secret: True) -> None:
        nonlocal text

        def put(match: re.Match[str]) -> str:
            groups = match.groupdict()
            secret = groups.get("secret") or match.group()
            if not fits(secret):
                return match.group()
            if kind not in kinds:
                kinds.append(kind)
            return f"{groups.get('keep', '')}[{kind} hidden]"

        text = pattern.sub(put, text)

    run(_PRIVATE_KEY, "private key")
    run(_KEY_PREFIX, "API key")
    run(_BEARER, "token")
    run(_AUTHORIZATION, "token")
    run(_LABELLED, "API key", lambda secret: not secret.isdigit())
    run(_PASSWORDS, "password")
    run(_FORM_FIELD, "password")
    run(_COOKIE, "cookie", lambda secret: "hidden]" not in secret)
    run(_URL_LOGIN, "password")
    run(_CHINESE_ID, "ID number", _is_chinese_id)
    run(_CARD, "card number", _is_card)
    run(_MOBILE, "mobile number")
    return text, kinds


_NAMES = {
    "password": ("password", "passwd", "passphrase", "pwd", "密码", "口令"),
    "API key": ("apikey", "xapikey", "secret", "secretkey", "clientsecret", "secretaccesskey", "accesskey"),
    "token": ("token", "accesstoken", "authtoken", "refreshtoken", "idtoken", "bearertoken", "sessiontoken",
              "authorization", "proxyauthorization", "xauthtoken"),
    "cookie": ("cookie", "cookies", "setcookie"),
    "private key": ("privatekey",),
}  # fmt: skip
_KIND_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names}


def hides(name: str) -> str:
    """The kind of secret that a JSON member or a header of this name holds, "" for none. `{"password": "x"}` has no
    form that the text alone would show."""
    return _KIND_OF_NAME.get(re.sub(r"[\s_-]", "", str(name)[:40]).lower(), "")


def _is_card(shown: str) -> bool:
    """A card number has a known first digit, more than one kind of digit and a sum that fits (Luhn)."""
    digits = [int(sign) for sign in shown if sign.isdigit()]
    if digits[0] not in (2, 3, 4, 5, 6) or len(set(digits)) < 2:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _is_chinese_id(shown: str) -> bool:
    month, day = int(shown[10:12]), int(shown[12:14])
    if not (1 <= month <= 12 and 1 <= day <= 31 and shown[6:8] in ("18", "19", "20")):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(shown, _ID_WEIGHTS, strict=False))
    return shown[17].upper() == _ID_CHECK[total % 11]
