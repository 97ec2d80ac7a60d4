import Cryptography

/// A file that pages need, compiled into the program, named by its content so that browsers may
/// keep it for ever.
struct PageAsset: Sendable {
  let name: String
  let contentType: String
  let bytes: [UInt8]

  /// One name for all, made of all, so that a module finds the others beside itself.
  var path: String { "/assets/\(Self.version)/\(name)" }

  static let style = PageAsset(
    name: "style.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.style_css)
  static let icon = PageAsset(
    name: "icon.svg", contentType: "image/svg+xml", bytes: PackageResources.icon_svg)

  private static let scripts = [
    ("app.js", PackageResources.app_js), ("feed.js", PackageResources.feed_js),
    ("search.js", PackageResources.search_js),
    ("verify.js", PackageResources.verify_js), ("timeline.js", PackageResources.timeline_js),
    ("live.js", PackageResources.live_js), ("settings.js", PackageResources.settings_js),
    ("job.js", PackageResources.job_js), ("domains.js", PackageResources.domains_js),
  ].map {
    PageAsset(name: $0.0, contentType: "text/javascript; charset=utf-8", bytes: $0.1)
  }

  static let all = [style, icon] + scripts

  private static let version: String = {
    var hash = SHA256()
    for asset in all { hash.add(asset.bytes) }
    return Hexadecimal.text(hash.finish().bytes.prefix(8))
  }()

  static func script(_ name: String) -> PageAsset? { scripts.first { $0.name == name + ".js" } }
}

extension Service {
  static let assetRoutes = [
    Route(
      "GET", "/assets/{hash}/{name}", nil, "A file that pages need", part: .asset
    ) { (call) throws(Refusal) in
      let path = "/assets/\(call.names["hash"] ?? "")/\(call.names["name"] ?? "")"
      guard let asset = PageAsset.all.first(where: { $0.path == path }) else {
        throw .notFound("there is no such file")
      }
      return Answer(
        200, asset.contentType, asset.bytes,
        headers: [Header("Cache-Control", "public, max-age=31536000, immutable")])
    }
  ]
}
