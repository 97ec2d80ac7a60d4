/// Which pages may talk to the server: its own, and those of allowed origins.
package struct OriginRule: Sendable {
  private let allowed: Set<String>

  package init(allowed: [String]) { self.allowed = Set(allowed.map { $0.lowercased() }) }

  /// How a request relates to the pages it may come from.
  struct Verdict: Sendable {
    /// The allowed origin that a browser has to be told of.
    var crossOrigin: String?
    var acceptsCookie: Bool
  }

  /// Refuses what comes from a page of another origin.
  /// - Parameters:
  ///   - request: The request.
  ///   - navigates: Whether it may be a browser's going to one of our pages.
  ///   - acceptsExtensions: Whether ActivityWatch's extension may ask.
  /// - Returns: How it relates to the pages it may come from.
  /// - Throws: 403 `origin`.
  func check(_ request: Request, navigates: Bool, acceptsExtensions: Bool = false) throws(Refusal)
    -> Verdict
  {
    let refusal = Refusal(
      403, "origin", "pages of that origin may not ask; the server allows others by --allow-origin")
    let sites = request.values("sec-fetch-site")
    let origins = request.values("origin")
    guard origins.count <= 1, sites.count <= 1 else { throw refusal }
    // A form of a page that sends no referrer comes with `null`, and no page can claim to be of the
    // same origin (Fetch Metadata §2.1).
    let isOwnForm = origins.first == "null" && sites.first == "same-origin"
    let isOwn = origins.first.map {
      isOwnForm || Self.isOwn($0, host: request.value("host") ?? "")
    }
    if let origin = origins.first, isOwn == false {
      guard allowed.contains(origin) || acceptsExtensions && Self.isWatcher(origin) else {
        throw refusal
      }
      return Verdict(crossOrigin: origin, acceptsCookie: false)
    }
    if sites.first == "cross-site" {
      let isNavigation =
        navigates && request.method == "GET" && request.value("sec-fetch-mode") == "navigate"
      guard isNavigation else { throw refusal }
    }
    let isSame = isOwn ?? (sites.first == "same-origin" || sites.first == "none")
    return Verdict(acceptsCookie: isSame)
  }

  /// Whether browsers can write an origin so, but for capitals: a scheme and a host, without a path
  /// and the scheme's usual port.
  static func isOrigin(_ text: String) -> Bool {
    let parts = text.lowercased().split(separator: "://", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    let hasUsualPort = usualPorts.contains { parts[0] == $0 && parts[1].hasSuffix($1) }
    return !hasUsualPort && !parts[1].contains { "/?#@*".contains($0) }
  }

  /// Whether an origin is ActivityWatch's extension: Firefox names it anew in each profile.
  private static func isWatcher(_ origin: String) -> Bool {
    origin.hasPrefix("moz-extension://")
      || origin == "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi"
  }

  private static let usualPorts = [("http", ":80"), ("https", ":443")]

  /// Whether an origin is the server's own, by the name that the request itself calls it.
  ///
  /// No origin names its scheme's usual port (RFC 6454 §6.2), and what stands before the server
  /// may.
  private static func isOwn(_ origin: String, host: String) -> Bool {
    usualPorts.contains { scheme, port in
      let name = host.hasSuffix(port) ? host.dropLast(port.count) : host[...]
      return origin == "\(scheme)://\(host)" || origin == "\(scheme)://\(name)"
    }
  }
}
