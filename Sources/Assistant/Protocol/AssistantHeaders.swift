/// What an HTTP request says beside its body; a message on standard input has none of it.
package struct AssistantHeaders: Sendable {
  /// `MCP-Protocol-Version`.
  package var version: String?
  /// `Mcp-Method`.
  package var method: String?
  /// `Mcp-Name`.
  package var name: String?

  package init(version: String?, method: String?, name: String?) {
    self.version = version
    self.method = method
    self.name = name
  }

  /// Whether they mark a request without a handshake.
  var isModern: Bool { version.map { !AssistantVersion.legacy.contains($0) } ?? false }

  /// Refuses a request whose headers do not say what its body says.
  func check(_ request: RPCRequest) throws(RPCFailure) {
    guard let version, version == request.version else { throw .header("MCP-Protocol-Version") }
    guard method == request.method else { throw .header("Mcp-Method") }
    if request.method == "tools/call", name != request.toolName { throw .header("Mcp-Name") }
  }
}
