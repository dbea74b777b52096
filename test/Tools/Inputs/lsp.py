"""What an editor sends to a language server, on standard output."""

import json
import sys

URI = "test:///layer.mlir"
TEXT = """func.func @f(%x: !bquant.tensor<1x4x4x8, 1>, %w: !bquant.tensor<8x3x3x8, 1>) -> tensor<1x3x3x8xf32> {
  %y = bquant.conv_2d %x, %w : (!bquant.tensor<1x4x4x8, 1>, !bquant.tensor<8x3x3x8, 1>) -> tensor<1x3x3x8xf32>
  return %y : tensor<1x3x3x8xf32>
}
"""  # noqa: E501


def send(method, params=None, number=None):
    message = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))


send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
document = {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}
send("textDocument/didOpen", {"textDocument": document})
changed = {"uri": URI, "version": 2}
changes = [{"text": TEXT.replace("1x3x3x8xf32", "1x2x2x8xf32")}]
send("textDocument/didChange", {"textDocument": changed, "contentChanges": changes})
position = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 10}}
send("textDocument/hover", position, 2)
send("shutdown", None, 3)
send("exit")
