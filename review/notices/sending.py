"""One POST to an address that an admin of a workspace typed, which may not lead into the operator's own network.

The name is resolved once and the connection goes to the address that was checked: a name that answers differently a
moment later leads nowhere else. Redirects are not followed, and what is answered is not read.
"""

import asyncio
import socket
import ssl
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.utils.translation import gettext as _

# addresses that carry another one inside: what they lead to depends on the network
_CARRIERS = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("2002::/16"))


class Forbidden(Exception):
    """The address is inside, and the installation does not allow that."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` is 0 where there was none; then `error` is a code of FAILURES."""

    status: int = 0
    error: str = ""

    @property
    def received(self) -> bool:
        return 200 <= self.status < 300


def check_url(url: str) -> str:
    """The address as it is stored. Raises ValueError, with a sentence for the person who typed it."""
    url = url.strip()
    try:
        parts, parsed = urlsplit(url), httpx.URL(url)
        port = parts.port
    except (ValueError, httpx.InvalidURL) as error:
        raise ValueError(_("This is no address.")) from error
    schemes = ("http", "https") if settings.WEBHOOK_PRIVATE else ("https",)
    if parts.scheme not in schemes or not parsed.host or port == 0 or len(url) > 500 or not url.isprintable():
        raise ValueError(_("An address begins with https:// and has at most 500 characters."))
    if parts.username or parts.password or parts.fragment:
        raise ValueError(_("An address holds no name, password or fragment. What is sent is signed instead."))
    try:
        literal = ip_address(parsed.host)
    except ValueError:
        return url
    if not permitted(literal):
        raise ValueError(_("This address is inside a private network."))
    return url


def permitted(address: IPv4Address | IPv6Address) -> bool:
    """Whether something may be sent there: to the public Internet always, elsewhere if the installation allows it."""
    if settings.WEBHOOK_PRIVATE:
        return not address.is_multicast and not address.is_unspecified
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return permitted(address.ipv4_mapped)
        if any(address in carrier for carrier in _CARRIERS):
            return False
    return address.is_global and not address.is_multicast


def post(url: str, body: bytes, headers: dict[str, str], *, seconds: float) -> Answer:
    """Sends it, within `seconds` from resolving the name to the answer's first line."""
    try:
        return asyncio.run(_post(url, body, headers, seconds))
    except Forbidden:
        return Answer(error="private")
    except TimeoutError:
        return Answer(error="slow")
    except socket.gaierror:
        return Answer(error="name")
    except httpx.ConnectError as error:
        return Answer(error="tls" if isinstance(_cause(error), ssl.SSLError) else "unreachable")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
        return Answer(error="broken")


async def _post(url: str, body: bytes, headers: dict[str, str], seconds: float) -> Answer:
    target = httpx.URL(url)
    name = target.raw_host.decode("ascii")
    async with asyncio.timeout(seconds):
        address = await _address(name, target.port or {"http": 80, "https": 443}[target.scheme])
        async with httpx.AsyncClient(trust_env=False, timeout=None, verify=_trusted()) as http:
            request = http.build_request(
                "POST", target.copy_with(host=address), content=body,
                headers=headers | {"Host": target.netloc.decode("ascii")}, extensions={"sni_hostname": name},
            )  # fmt: skip
            response = await http.send(request, stream=True)
            await response.aclose()
            return Answer(status=response.status_code)


async def _address(name: str, port: int) -> str:
    """The first of the name's addresses; none when any of them is not permitted."""
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    addresses = [ip_address(sockaddr[0].partition("%")[0]) for *_family, sockaddr in found]
    if not addresses or not all(permitted(address) for address in addresses):
        raise Forbidden(name)
    return str(addresses[0])


def _trusted() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


def _cause(error: BaseException) -> BaseException:
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__
    return error
