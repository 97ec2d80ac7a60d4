import Rows

/// An error of JSON-RPC 2.0 as the Model Context Protocol numbers them.
struct RPCFailure: Error {
  let code: Int
  let message: String
  /// The status of the HTTP answer that carries it.
  let status: Int
  /// A JSON value with more.
  var data: [UInt8]?

  init(_ code: Int, _ message: String, status: Int = 200, data: [UInt8]? = nil) {
    self.code = code
    self.message = message
    self.status = status
    self.data = data
  }

  static let parse = RPCFailure(-32700, "Parse error: the body is not JSON", status: 400)
  static let invalid = RPCFailure(
    -32600, "Invalid request: one JSON-RPC 2.0 request or notification a message", status: 400)

  /// To clients with a handshake 404 says that their session is over: they would end it.
  static func unknownMethod(isModern: Bool) -> RPCFailure {
    RPCFailure(-32601, "Method not found", status: isModern ? 404 : 200)
  }

  static func parameters(_ message: String) -> RPCFailure { RPCFailure(-32602, message) }

  /// Headers that do not say what the body says.
  static func header(_ name: String) -> RPCFailure {
    RPCFailure(-32020, "Header mismatch: \(name) is missing or not what the body says", status: 400)
  }

  static func version(_ requested: String) -> RPCFailure {
    let data = JSONLine.value { line in
      line.field("supported", json: AssistantVersion.list)
      line.field("requested", requested)
    }
    return RPCFailure(-32022, "Unsupported protocol version", status: 400, data: data)
  }
}
