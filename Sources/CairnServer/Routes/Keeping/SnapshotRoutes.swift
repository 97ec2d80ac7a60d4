import Cairn
import Rows

extension Service {
  private static let unknownSnapshot = Refusal.notFound("no snapshot has that name")

  static let snapshotRoutes = [
    Route("GET", "/api/v1/snapshots", .read, "Names of points in time", gives: .list) {
      (call) throws(Refusal) in
      let found = try answering(call.store.snapshots())
      return try call.list(found, at: try call.head()) { $0.fields(of: $1) }
    },
    Route(
      "POST", "/api/v1/snapshots", .write, "Name the present, or another point",
      body: .object([Parameter("name", .text, required: true), .asOf])
    ) { (call) throws(Refusal) in
      let object = try call.object()
      guard let name = try object.text("name") else { throw .parameter("name", "is missing") }
      var point = Point.head
      let sequence: UInt64? = object["asOf"]?.whole()
      switch object["asOf"] {
      case nil, .null?: break
      case .string(let text)?, .number(let text)?:
        do throws(CairnError) {
          point = try call.store.point(sequence.map(String.init) ?? text, zone: .local)
        } catch { throw Refusal(error, place: "asOf") }
      default: throw .parameter("asOf", "takes a sequence, a time or a snapshot's name")
      }
      let snapshot = try answering(call.store.createSnapshot(name, at: point))
      return .object(201, at: snapshot.sequence) { $0.fields(of: snapshot) }
    },
    Route("GET", "/api/v1/snapshots/{name}", .read, "What a name stands for") {
      (call) throws(Refusal) in
      let found = try answering(call.store.snapshot(call.names["name"] ?? ""))
      guard let found else { throw unknownSnapshot }
      return .object(at: try call.head()) { $0.fields(of: found) }
    },
    Route("DELETE", "/api/v1/snapshots/{name}", .write, "Forget a name; the history stays") {
      (call) throws(Refusal) in
      let found = try answering(call.store.deleteSnapshot(call.names["name"] ?? ""))
      guard found else { throw unknownSnapshot }
      return Answer(204)
    },
  ]
}
