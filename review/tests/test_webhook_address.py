"""Where a webhook may lead: the public Internet, by https, and to the very address that was checked."""

import ssl
import subprocess
from ipaddress import ip_address

import pytest

from review.notices import sending
from review.tests.receiver import receiver

NAME = "hooks.example.test"


@pytest.mark.parametrize(
    "inside",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
        "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_nothing_is_sent_inside(inside, settings):
    assert not sending.permitted(ip_address(inside))


@pytest.mark.parametrize("outside", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"])
def test_the_public_internet_is_reached(outside):
    assert sending.permitted(ip_address(outside))


@pytest.mark.parametrize(
    "url",
    [
        "", "hooks.example.com", "http://hooks.example.com/", "ftp://hooks.example.com/", "https://", "https://:443/",
        "https://ada:secret@hooks.example.com/", "https://hooks.example.com/#part", "https://10.0.0.1/",
        "https://[::1]/", "https://hooks.example.com:99999/", "https://hooks.example.com/\nHost: evil",
        "https://hooks.example.com/" + "a" * 500, "https://[::1", "https://hooks.example.com:0/",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_is_refused_with_a_sentence(url):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        sending.check_url(url)


@pytest.mark.parametrize(
    "url", ["https://hooks.example.com/a?b=c", "https://例子.example/钩子", "https://x.example:8443/"]
)
def test_an_address_that_can_be_is_kept_as_it_is(url):
    assert sending.check_url(f" {url} ") == url


def test_a_name_that_leads_inside_is_refused_when_it_is_sent(resolving):
    with receiver() as server:
        resolving["hooks.example.test"] = ["127.0.0.1"]
        answer = sending.post(f"https://{NAME}:{server.port}/", b"{}", {}, seconds=3)
        assert (answer.error, server.had) == ("private", [])


def test_of_several_addresses_one_inside_is_enough(resolving):
    resolving[NAME] = ["93.184.215.14", "10.0.0.1"]
    assert sending.post(f"https://{NAME}/", b"{}", {}, seconds=3).error == "private"


def test_a_name_nobody_knows_and_a_port_where_nothing_is(settings):
    settings.WEBHOOK_PRIVATE = True
    assert sending.post("http://no-such-name.invalid/", b"{}", {}, seconds=5).error in ("name", "slow")
    assert sending.post("http://127.0.0.1:1/", b"{}", {}, seconds=5).error == "unreachable"


def test_no_proxy_of_the_environment_is_in_the_way(settings, monkeypatch):
    settings.WEBHOOK_PRIVATE = True
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with receiver() as server:
        assert sending.post(server.url, b"{}", {}, seconds=3).received


def test_the_certificate_is_that_of_the_name_though_the_address_is_dialled(settings, resolving, tls, monkeypatch):
    settings.WEBHOOK_PRIVATE = True
    resolving[NAME] = resolving["other.example.test"] = ["127.0.0.1"]
    server_side, trusted = tls
    monkeypatch.setattr(sending, "_trusted", lambda: trusted)
    with receiver(tls=server_side) as server:
        good = sending.post(f"https://{NAME}:{server.port}/in", b"{}", {}, seconds=5)
        other = sending.post(f"https://other.example.test:{server.port}/in", b"{}", {}, seconds=5)
    assert (good.status, other.error) == (204, "tls")
    [(path, headers, _body)] = server.had
    assert (path, headers["Host"]) == ("/in", f"{NAME}:{server.port}")


@pytest.fixture
def resolving(monkeypatch):
    """{name: addresses} for this test's names."""
    from asyncio import BaseEventLoop

    names, real = {}, BaseEventLoop.getaddrinfo

    async def getaddrinfo(self, host, port, **options):
        if host not in names:
            return await real(self, host, port, **options)
        return [(2, 1, 6, "", (address, port)) for address in names[host]]

    monkeypatch.setattr(BaseEventLoop, "getaddrinfo", getaddrinfo)
    return names


@pytest.fixture
def tls(tmp_path):
    """A server's context with a certificate for NAME alone, and a client's that trusts it."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    names = ["-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run([*command, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    return server, ssl.create_default_context(cafile=certificate)
