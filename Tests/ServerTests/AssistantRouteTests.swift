import Cairn
import CairnServer
import Testing

/// POST /mcp.
@Suite struct AssistantRouteTests {
  private static let list =
    #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
  private static let headers = ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"]

  @Test func `assistants ask with a token that may read, where they are let in`() throws {
    let closed = try TestServer()
    #expect(try closed.ask("POST", "/mcp", body: Self.list, headers: Self.headers).status == 404)
    let server = try TestServer { $0.service.hasAssistants = true }
    let answer = try server.ask("POST", "/mcp", body: Self.list, headers: Self.headers)
    #expect(answer.status == 200)
    #expect((try server.object(answer)["result"] as? [String: Any])?["tools"] != nil)
    let none = Self.headers.merging(["Authorization": ""]) { $1 }
    #expect(try server.ask("POST", "/mcp", body: Self.list, headers: none).status == 401)
    let foreign = Self.headers.merging(["Origin": "https://evil.example"]) { $1 }
    #expect(try server.ask("POST", "/mcp", body: Self.list, headers: foreign).status == 403)
    #expect(try server.ask("POST", "/mcp", body: Self.list).status == 400)
    #expect(try server.ask("GET", "/mcp").status == 405)
    // One of an older revision needs no headers.
    let old = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    #expect(try server.ask("POST", "/mcp", body: old).text.contains("search_history"))
    // Which of two values was meant nobody can tell.
    let twice = #"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#
    #expect(try server.ask("POST", "/mcp", body: twice).text.contains("-32700"))
  }
}
