import Foundation
import Testing

/// What a crawl said that it did.
func counts(_ result: ProcessResult) throws -> [String: Int] {
  let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
  return try #require(object, "\(result.errors)").compactMapValues { $0 as? Int }
}

func crawl(_ store: Store, _ arguments: [String]) throws -> ProcessResult {
  try store.run(["import", "web", "--allow-private", "--delay", "0", "--json"] + arguments)
}

/// A web site, served by a Python program until it is stopped.
final class Site {
  private let process: RunningProcess
  private let folder: String
  private let log: String
  private let flag: String
  private let port: Int

  private let scheme: String

  /// With `count`, it answers so many requests, and no more until it is released; with a
  /// certificate, by TLS.
  init(pageCount: Int, holdingAt count: Int = .max, certificate: String? = nil) throws {
    scheme = certificate == nil ? "http" : "https"
    folder = Scratch.path("site")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    log = folder + "/requests"
    flag = folder + "/changed"
    let program = try Scratch.file("site.py", Data(Self.program.utf8))
    process = try RunningProcess(
      "python3", [program, folder, "\(pageCount)", "\(count)"] + (certificate.map { [$0] } ?? []))
    var port: Int?
    for _ in 0..<2_000 where port == nil {
      usleep(5_000)
      port = (try? String(contentsOfFile: folder + "/port", encoding: .utf8)).flatMap { Int($0) }
    }
    self.port = try #require(port, "the site did not start")
  }

  func stop() {
    process.kill(SIGKILL)
    _ = process.finish()
  }

  func url(_ path: String, host: String = "127.0.0.1") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  private var lines: [[Substring]] {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.split(separator: "\t") }.filter { $0.count == 2 }
  }

  /// The paths asked for, in order.
  var requests: [String] { lines.map { String($0[0]) } }

  /// What the requests said about who asks.
  var agents: [String] { lines.map { String($0[1]) } }

  /// Changes some pages and takes one away.
  func change() throws { try Data().write(to: URL(filePath: flag)) }

  func changeBack() throws { try FileManager.default.removeItem(atPath: flag) }

  func release() throws { try Data().write(to: URL(filePath: folder + "/go")) }

  private static let program = #"""
    import gzip, http.server, os, socketserver, ssl, sys, time
    folder, count, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    asked = [0]
    log = open(folder + "/requests", "a", buffering=1)
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        def log_message(self, *rest): pass
        def give(self, body, kind="text/html", status=200, **fields):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in fields.items(): self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)
        def moved(self, to, status=301):
            self.give(b"", status=status, Location=to)
        def do_GET(self):
            path = self.path
            log.write(path + "\t" + self.headers.get("User-Agent", "") + "\n")
            asked[0] += 1
            while asked[0] > most and not os.path.exists(folder + "/go"): time.sleep(0.01)
            here = ("https://" if len(sys.argv) > 4 else "http://") + self.headers.get("Host", "")
            changed = os.path.exists(folder + "/changed")
            if path == "/robots.txt":
                self.give(("User-agent: *\nDisallow: /private\nSitemap: %s/sitemap.xml\n" % here).encode(), "text/plain")
            elif path == "/sitemap.xml":
                names = ["map1.xml.gz", "map2.xml", "missing.xml"]
                self.give(("<sitemapindex>" + "".join("<sitemap><loc>%s/%s</loc></sitemap>" % (here, n) for n in names) + "</sitemapindex>").encode(), "application/xml")
            elif path.startswith("/map"):
                first = path == "/map1.xml.gz"
                rows = []
                for n in range(1, count + 1):
                    if (n % 2 == 0) != first: continue
                    stamp = "<lastmod>2020-01-01%s</lastmod>" % ("" if n % 4 else "T09:30+01:00") if first and not (changed and n in (20, 40, 60)) else ""
                    rows.append("<url><loc>%s/p/%d</loc>%s</url>" % (here, n, stamp))
                rows.append("<url><loc>%s/p/1</loc></url><url><loc>http://elsewhere.example/</loc></url>" % here)
                body = ("<urlset>" + "".join(rows) + "</urlset>").encode()
                if path == "/mapbig.xml": body += b" " * (17 << 20)
                kind = "text/html" if path == "/maphtml.xml" else "application/xml"
                self.give(gzip.compress(body) if first else body, "application/gzip" if first else kind)
            elif path == "/" or path.startswith("/p/"):
                n = int(path[3:] or 0) if path != "/" else 0
                if changed and n == 7: return self.give(b"gone", status=404)
                anew = changed and n in (20, 40, 60)
                tag = '"%d-%s"' % (n, anew)
                if self.headers.get("If-None-Match") == tag:
                    # As many servers do, with the field of the page that is not sent.
                    self.send_response(304); self.send_header("ETag", tag)
                    self.send_header("Content-Encoding", "gzip"); self.end_headers(); return
                body = ("<title>Page %d%s</title><p>Some words %d<!-- %f --><a href='/private/1'>x</a>" % (n, " anew" if anew else "", n, time.time())).encode()
                if "gzip" in self.headers.get("Accept-Encoding", ""):
                    self.give(gzip.compress(body), ETag=tag, Content_Encoding="gzip")
                else: self.give(body, ETag=tag)
            elif path.startswith("/tagged/"):
                n = int(path[8:])
                if self.headers.get("If-None-Match") == '"t"':
                    self.send_response(304); self.end_headers(); return
                self.give(("<title>Tagged %d</title><a href='/tagged/%d'>on</a>" % (n, n + 1)).encode(), ETag='"t"')
            elif path == "/parent":
                if self.headers.get("If-None-Match") == '"p"':
                    self.send_response(304); self.end_headers(); return
                self.give(b"<title>Parent</title><a href='/child'>on</a>", ETag='"p"')
            elif path == "/child":
                self.give(b"<title>Child</title>", status=200 if changed else 500)
            elif path == "/lent":
                if not changed: return self.moved("/lender", 302)
                if self.headers.get("If-Modified-Since"):
                    self.send_response(304); self.end_headers(); return
                self.give(b"<title>Own</title>")
            elif path == "/lender":
                self.give(b"<title>Lent</title>", Last_Modified="Wed, 01 Jan 2025 00:00:00 GMT")
            elif path == "/fields":
                if self.headers.get("If-None-Match") == '"f"':
                    self.send_response(304)
                    if changed: self.send_header("X-Robots-Tag", "noindex")
                    self.end_headers(); return
                self.give(b"<title>Fields</title>", ETag='"f"')
            elif path.startswith("/twin/"):
                if self.headers.get("If-None-Match") == '"w"':
                    self.send_response(304); self.end_headers(); return
                self.give(("<title>Twin %s</title><meta property=al:ios:url content=app://open/twin>" % path[6:]).encode(), ETag='"w"')
            elif path == "/o": self.moved("/back")
            elif path == "/led": self.moved("/dir/t", 302)
            elif path == "/dir/t": self.give(b"<title>There</title><a href=child>on</a>")
            elif path == "/back":
                if changed: return self.give(b"", status=404)
                if self.headers.get("If-None-Match") == '"g"':
                    self.send_response(304); self.end_headers(); return
                self.give(b"<title>Back</title>", ETag='"g"')
            elif path == ("" if changed else "/.well-known") + "/apple-app-site-association":
                self.give(b'{"applinks":{"details":[{"appIDs":["T.app"],"components":[{"/":"/p/*"}]}]}}', "application/json")
            elif path.startswith("/hasty/"):
                self.give(b"<title>Hasty</title>"); self.wfile.flush(); time.sleep(0.1)
                self.wfile.write(b"HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n")
                self.close_connection = True
            elif path.startswith("/raw/"):
                self.wfile.write(bytes.fromhex(path[5:])); self.close_connection = True
            elif path == "/gone": self.give(b"", status=410)
            elif path == "/moved": self.moved("/p/1")
            elif path == "/loop1": self.moved("/loop2", 302)
            elif path == "/loop2": self.moved("/loop1", 302)
            elif path.startswith("/hops/"): self.moved("/hops/%d" % (int(path[6:]) + 1), 302)
            elif path == "/err500": self.give(b"no", status=500)
            elif path == "/slow":
                self.send_response(200); self.send_header("Content-Type", "text/html"); self.send_header("Content-Length", "999"); self.end_headers()
                try:
                    for _ in range(40): self.wfile.write(b"a"); self.wfile.flush(); time.sleep(0.2)
                except OSError: pass
                self.close_connection = True
            elif path == "/big":
                self.send_response(200); self.send_header("Content-Type", "text/html"); self.send_header("Connection", "close"); self.end_headers()
                try:
                    for _ in range(64): self.wfile.write(b"a" * (1 << 20))
                except OSError: pass
                self.close_connection = True
            elif path == "/bomb": self.give(gzip.compress(b"a" * (100 << 20), 1), Content_Encoding="gzip")
            elif path == "/challenge": self.give(b"<title>Wait</title>", status=202)
            elif path == "/image": self.give(b"\x89PNG", "image/png")
            elif path == "/cut":
                self.send_response(200); self.send_header("Content-Length", "500"); self.end_headers()
                self.wfile.write(b"<title>"); self.close_connection = True
            elif path == "/latin": self.give("<title>K\u00e4se</title>".encode("latin-1"), "text/html; charset=iso-8859-1")
            elif path == "/folded":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 19\r\nContent-Type: text/html;\r\n"
                    b"\tcharset=macintosh\r\n\r\n<title>K\x8ase</title>")
            elif path.startswith("/trap/"):
                n = int(path[6:])
                self.give(("<title>Trap %d</title><a href='/trap/%d'>on</a><a rel=nofollow href='/p/1'>" % (n, n + 1)).encode())
            else: self.give(b"no", status=404)
    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
        daemon_threads = True
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) > 4:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[4])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(folder + "/port.new", "w") as file: file.write(str(server.server_address[1]))
    os.rename(folder + "/port.new", folder + "/port")
    server.serve_forever()
    """#
}
