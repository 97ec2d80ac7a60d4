import Foundation
import Testing

/// The program that makes certificates.
enum OpenSSL {
  static let isPresent = (try? Shell.run("openssl", "version").status) == 0
}

/// Pages by TLS: from servers that prove who they are, and from no others.
@Suite(.enabled(if: LogReader.isPresent && OpenSSL.isPresent, "needs python3 and openssl"))
struct TLSTests {
  /// An authority of our own, and certificates that it signed for names.
  private struct Authority {
    let folder: String

    init() throws {
      folder = Scratch.path("authority")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try openssl(
        "req -x509 \(Self.key) -days 2 -subj /CN=Authority -keyout \(folder)/ca.key "
          + "-out \(folder)/ca.pem")
      try write("", to: "index")
      try write(
        """
        [ca]
        default_ca = own
        [own]
        database = \(folder)/index
        new_certs_dir = \(folder)
        rand_serial = yes
        default_md = sha256
        policy = any
        copy_extensions = copy
        [any]
        commonName = supplied

        """, to: "settings")
    }

    private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"

    private func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    private func openssl(_ words: String) throws {
      let result = try Shell.run("openssl", words.split(separator: " ").map(String.init))
      try #require(result.status == 0, "\(result.errors)")
    }

    /// The file of a certificate and its key.
    func certificate(_ name: String, for names: String, until end: String = "20990101000000Z")
      throws -> String
    {
      let base = "\(folder)/\(name)"
      try openssl(
        "req \(Self.key) -subj /CN=\(name) -addext subjectAltName=\(names) -keyout \(base).key "
          + "-out \(base).csr")
      try openssl(
        "ca -batch -notext -config \(folder)/settings -cert \(folder)/ca.pem "
          + "-keyfile \(folder)/ca.key -in \(base).csr -out \(base).crt "
          + "-startdate 20200101000000Z -enddate \(end)")
      let parts = try ["crt", "key"].map {
        try String(contentsOfFile: "\(base).\($0)", encoding: .utf8)
      }
      try write(parts.joined(), to: name + ".pem")
      return base + ".pem"
    }
  }

  private func crawl(_ store: Store, _ urls: [String], trusting file: String?) throws
    -> (result: ProcessResult, counts: [String: Int])
  {
    let words = ["import", "web", "--allow-private", "--delay", "0", "--timeout", "10", "--json"]
    let result = try Shell.run(
      Store.binary, words + urls + ["--store", store.path],
      environment: file.map { ["SSL_CERT_FILE": $0] } ?? [:])
    let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    return (result, (object ?? [:]).compactMapValues { $0 as? Int })
  }

  private struct Linked: Decodable {
    private struct Attributes: Decodable { var web_deepLink: String? }

    private var attributes: Attributes
    var link: String? { attributes.web_deepLink }
  }

  @Test func `a server is believed that proves its name to a trusted authority`() throws {
    let authority = try Authority()
    let trusted = authority.folder + "/ca.pem"
    let good = try Site(
      pageCount: 40,
      certificate: authority.certificate("good", for: "DNS:localhost,IP:127.0.0.1"))
    defer { good.stop() }
    let other = try Site(
      pageCount: 1, certificate: authority.certificate("other", for: "DNS:elsewhere.test"))
    defer { other.stop() }
    let old = try Site(
      pageCount: 1,
      certificate: authority.certificate("old", for: "IP:127.0.0.1", until: "20200201000000Z"))
    defer { old.stop() }

    for url in [good.url("/"), good.url("/", host: "localhost")] {
      let (result, counts) = try crawl(Store(), [url, "--site"], trusting: trusted)
      #expect(result.status == 0 && counts["indexed"] == 41, "\(url) \(counts) \(result.errors)")
    }
    let refused: [(Site, String?, String)] = [
      (good, nil, "certificate"), (other, trusted, "mismatch"), (old, trusted, "expired"),
    ]
    for (site, file, reason) in refused {
      let (result, counts) = try crawl(Store(), [site.url("/p/1")], trusting: file)
      #expect(result.status == 75 && counts["failed"] == 1, "\(counts)")
      #expect(result.errors.contains(reason), "\(result.errors)")
      #expect(!site.requests.contains("/p/1") || site === good)
    }
    // The file of a host's links into apps serves for a day.
    let store = Store()
    let file = "/.well-known/apple-app-site-association"
    for page in ["/p/3", "/p/4"] {
      let before = good.requests.count { $0 == file }
      let (_, counts) = try crawl(store, [good.url(page)], trusting: trusted)
      #expect(counts["indexed"] == 1)
      #expect(good.requests.count { $0 == file } - before == (page == "/p/3" ? 1 : 0))
      let item = try store.json(["show", good.url(page)], as: Linked.self).first
      #expect(item?.link == good.url(page))
    }
    // It may stand at the root.
    try good.change()
    let anew = Store()
    #expect(try crawl(anew, [good.url("/p/3")], trusting: trusted).counts["indexed"] == 1)
    let moved = try anew.json(["show", good.url("/p/3")], as: Linked.self).first
    #expect(moved?.link == good.url("/p/3"))
    // What one server did wrong is not held against the next.
    let both = try crawl(
      Store(), [other.url("/p/1"), good.url("/p/1"), old.url("/p/1"), good.url("/p/2")],
      trusting: trusted)
    #expect(both.counts["indexed"] == 2 && both.counts["failed"] == 2, "\(both.counts)")
    // A server that speaks no TLS is told so.
    let plain = try Site(pageCount: 1)
    defer { plain.stop() }
    let url = plain.url("/p/1").replacing("http:", with: "https:")
    let (result, _) = try crawl(Store(), [url], trusting: trusted)
    #expect(result.status == 75 && result.errors.contains("TLS"), "\(result.errors)")
  }
}
