package import WebMarkup

/// What `robots.txt` files say, by origin (RFC 9309).
package struct RobotsCache: Sendable {
  package struct Entry: Sendable {
    /// Whether the file could be had; without it nothing of the origin is fetched.
    package var isReachable: Bool
    /// The file, or an empty one where there is none.
    package var bytes: [UInt8]
    /// Seconds since 1970 when it was had.
    package var time: Int64

    package init(isReachable: Bool, bytes: [UInt8], time: Int64) {
      self.isReachable = isReachable
      self.bytes = bytes
      self.time = time
    }
  }

  /// How long a copy serves, in seconds.
  package static let serviceTime: Int64 = 86_400
  private static let redirectMax = 5
  /// The parts behind what counts are read past, up to this.
  private static let byteCountMax = 16 << 20

  private var files: [String: (entry: Entry, file: RobotsFile)] = [:]
  /// Origins asked in this run: once is enough.
  private var asked: Set<String> = []
  /// Why the files of origins could not be had in this run.
  private var faults: [String: String] = [:]

  package init() {}

  /// Takes over what an earlier run knew.
  package mutating func restore(_ entry: Entry, of origin: String) {
    files[origin] = (entry, RobotsFile(entry.bytes))
  }

  /// The rules of a URL's origin, asked for where no copy serves; nil where they cannot be had.
  ///
  /// `willAsk` is told before each request, and `note` gets what was newly had. Throws for a
  /// private address.
  package mutating func rules(
    for url: WebURL, _ client: inout HTTPClient, now: Int64,
    willAsk: (WebURL) -> Void, note: (_ origin: String, Entry) -> Void
  ) throws(FetchFault) -> RobotsFile? {
    let origin = HTTPClient.origin(of: url)
    if let known = files[origin],
      asked.contains(origin) || now - known.entry.time < Self.serviceTime
    {
      return known.entry.isReachable ? known.file : nil
    }
    asked.insert(origin)
    let (found, fault) = try Self.fetch(origin, &client, now, willAsk)
    faults[origin] = fault
    if !found.isReachable, let known = files[origin], known.entry.isReachable,
      now - known.entry.time <= Self.serviceTime
    {
      return known.file
    }
    let file = RobotsFile(found.bytes)
    files[origin] = (found, file)
    if found.isReachable { note(origin, found) }
    return found.isReachable ? file : nil
  }

  /// Why the rules of a URL's origin could not be had; nil where nobody asked, or they could.
  package func fault(for url: WebURL) -> String? { faults[HTTPClient.origin(of: url)] }

  /// What an origin says, and why it cannot be had where it cannot.
  private static func fetch(
    _ origin: String, _ client: inout HTTPClient, _ now: Int64, _ willAsk: (WebURL) -> Void
  ) throws(FetchFault) -> (Entry, fault: String?) {
    func nobody(_ fault: String) -> (Entry, fault: String?) {
      (Entry(isReachable: false, bytes: [], time: now), fault)
    }
    let everybody = (Entry(isReachable: true, bytes: [], time: now), fault: String?.none)
    guard var url = WebURL(origin + "/robots.txt") else { return nobody("no URL leads there") }
    for _ in 0...redirectMax {
      willAsk(url)
      let answer: HTTPAnswer
      do throws(FetchFault) { answer = try client.get(url, limit: byteCountMax, isCut: true) } catch
      {
        // A private address is for the caller to say.
        if error.kind == .privateAddress { throw error }
        return nobody(error.message)
      }
      switch answer.status {
      case 200..<300:
        // Rules that cannot be unpacked cannot be had.
        let codings = answer.contentCodings
        guard let bytes = try? ContentCoding.decode(answer.body, codings, limit: byteCountMax)
        else { return nobody("it cannot be unpacked") }
        // One more tells that the file was longer.
        let kept = Array(bytes.prefix(RobotsFile.byteCountMax + 1))
        return (Entry(isReachable: true, bytes: kept, time: now), nil)
      case 300..<400:
        guard let target = answer["location"].flatMap({ WebURL($0, base: url) }) else {
          return everybody
        }
        url = target.withoutFragment
      case 400..<500: return everybody
      default: return nobody("the server answers \(answer.status)")
      }
    }
    return everybody
  }
}
