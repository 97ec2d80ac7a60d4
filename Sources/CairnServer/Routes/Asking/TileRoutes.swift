import Cairn

extension Service {
  static let tileRoutes = [
    Route(
      "GET", "/log/checkpoint", .read, "The log's newest checkpoint (C2SP tlog-tiles)",
      gives: .file([MediaType.text])
    ) { (call) throws(Refusal) in
      try call.checkpoint()
    },
    Route(
      "GET", "/log/tile/{path*}", .read, "A tile of hashes or entries (C2SP tlog-tiles)",
      gives: .file([MediaType.bytes])
    ) { (call) throws(Refusal) in
      let path = "tile/\(call.names["path"] ?? "")"
      let bytes = try answering(call.store.tile(at: path))
      guard let bytes else { throw .notFound("the log has no such tile") }
      // A tile of a width never changes, but for entries that a purge empties.
      let mayKeep = !path.hasPrefix("tile/entries/")
      let cached = mayKeep ? "public, max-age=604800, immutable" : "no-store"
      return Answer(200, MediaType.bytes, bytes, headers: [Header("Cache-Control", cached)])
    },
  ]
}
