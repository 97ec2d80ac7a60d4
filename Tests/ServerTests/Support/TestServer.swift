import Cairn
import CairnServer
import Foundation
import Testing

/// A server on a free port over a store in a temporary directory.
final class TestServer {
  let server: Server
  let port: Int
  let token: String
  let directory: String

  init(
    at path: String? = nil, _ change: (inout Server.Plan) throws -> Void = { _ in },
    filledBy fill: (Store) throws -> Void = { _ in }
  ) throws {
    directory =
      path
      ?? FileManager.default.temporaryDirectory
      .appending(path: "server-\(UUID().uuidString)").path
    let store = try Store.open(at: directory)
    try fill(store)
    store.close()
    var plan = Server.Plan(directory: directory)
    plan.addresses = [.ip(host: "127.0.0.1", port: 0)]
    plan.service.logLevel = .off
    plan.service.version = "test"
    try change(&plan)
    server = try Server(plan)
    guard case .ip(_, let port)? = server.addresses.first else {
      throw CairnError(.internal, "no port")
    }
    self.port = port
    token = try TokenFile(directory: directory).owner()
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(atPath: directory)
  }

  func client() throws -> HTTPClient { try HTTPClient(port: port) }

  /// Sends one request with the token and reads the answer.
  func ask(
    _ method: String, _ target: String, body: String? = nil, type: String = "application/json",
    headers: [String: String] = [:]
  ) throws -> HTTPClient.Answer {
    let client = try client()
    client.send(request(method, target, body: body, type: type, headers: headers))
    return try client.answer(withBody: method != "HEAD")
  }

  /// Sends a form, as one of the server's own pages does unless the headers say otherwise.
  func post(_ form: String, to path: String, headers: [String: String]? = nil) throws
    -> HTTPClient.Answer
  {
    try ask(
      "POST", path, body: form, type: "application/x-www-form-urlencoded",
      headers: headers ?? ["Origin": "http://127.0.0.1:\(port)"])
  }

  /// A request with the token, unless the headers say otherwise.
  func request(
    _ method: String, _ target: String, body: String? = nil, type: String = "application/json",
    headers: [String: String] = [:]
  ) -> String {
    var lines = ["\(method) \(target) HTTP/1.1"]
    var all = ["Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(token)"]
    if let body {
      all["Content-Type"] = type
      all["Content-Length"] = String(body.utf8.count)
    }
    all.merge(headers) { $1 }
    for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      lines.append("\(name): \(value)")
    }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
  }

  /// A JSON answer as an object.
  func object(_ answer: HTTPClient.Answer) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  /// A JSON answer as a list of objects.
  func list(_ answer: HTTPClient.Answer) throws -> [[String: Any]] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
  }

  /// The rows of a list, page by page; `between` is called behind each page.
  func rows(
    from first: String,
    between: (HTTPClient.Answer, [String: Any]) throws -> Void = { _, _ in }
  ) throws -> [[String: Any]] {
    var rows: [[String: Any]] = []
    var next: String? = first
    while let target = next {
      let answer = try ask("GET", target)
      let page = try object(answer)
      rows += try #require(page["rows"] as? [[String: Any]])
      next = page["next"] as? String
      try between(answer, page)
    }
    return rows
  }

  /// The code of an answer that tells of an error.
  func code(_ answer: HTTPClient.Answer) throws -> String? {
    (try object(answer)["error"] as? [String: Any])?["code"] as? String
  }

  func place(_ answer: HTTPClient.Answer) throws -> String? {
    (try object(answer)["error"] as? [String: Any])?["place"] as? String
  }
}
