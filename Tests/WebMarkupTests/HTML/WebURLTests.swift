import Testing

@testable import WebMarkup

/// Rows in the manner of the URL Standard's own tests; nil is failure.
@Suite struct WebURLTests {
  static let rows: [(text: String, base: String?, href: String?)] = [
    ("HTTP://EXAMPLE.com:80/a/../b/./c?q#f", nil, "http://example.com/b/c?q#f"),
    ("//x/hello", "http://a/b", "http://x/hello"), ("?q", "http://a/b?c#d", "http://a/b?q"),
    ("#f", "http://a/b?c#d", "http://a/b?c#f"), ("", "http://a/b?c#d", "http://a/b?c"),
    ("../../x", "http://a/b/c/d", "http://a/x"),
    ("/a b?é'\"#`", "https://h", "https://h/a%20b?%C3%A9%27%22#%60"),
    ("http://user:p@ss@h:443/", nil, "http://user:p%40ss@h:443/"),
    ("https://h:443", nil, "https://h/"),
    ("http://h:65536/", nil, nil), ("http://", nil, nil), ("relative", nil, nil),
    ("http://0x7f.1/", nil, "http://127.0.0.1/"), ("http://256.1.1.1/", nil, nil),
    ("http://[1:0::2]/", nil, "http://[1::2]/"),
    ("http://[::ffff:1.2.3.4]/", nil, "http://[::ffff:102:304]/"),
    ("http://[1::2::3]/", nil, nil),
    ("http://bücher.example/", nil, "http://xn--bcher-kva.example/"),
    ("http://faß.de/", nil, "http://xn--fa-hia.de/"), ("http://a%00b/", nil, nil),
    ("http://a b/", nil, nil),
    ("mailto:a b@c", nil, "mailto:a b@c"), ("myapp://item/1?x=y", nil, "myapp://item/1?x=y"),
    ("myapp:item 1", nil, "myapp:item 1"), ("file:///C|/x", nil, "file:///C:/x"),
    ("file:c:\\x\\y", nil, "file:///c:/x/y"), ("http:\\\\h\\p", nil, "http://h/p"),
    ("  http://h/\ta\nb  ", nil, "http://h/ab"),
    ("http://h/%7e%2E%2e/x", nil, "http://h/%7e%2E%2e/x"),
    ("http://h/a/%2e%2E/b", nil, "http://h/b"),
    ("javascript:alert(1)", "http://h/", "javascript:alert(1)"),
    ("a/../b/./..", "http://h/x/y", "http://h/x/"), ("a/%2E%2e/..", "http://h/x/y", "http://h/"),
    (".../..a/.%2/%2e%2e%2e", "http://h/", "http://h/.../..a/.%2/%2e%2e%2e"),
    ("..\\..//x\\.", "http://h/a/b/c", "http://h//x/"), ("..", "http://h", "http://h/"),
    ("web+x:/.//y", nil, "web+x:/.//y"), ("..//y", "web+x:/a/b", "web+x:/.//y"),
    ("web+x:/a\\..", nil, "web+x:/a\\.."), ("myapp:a/../b", nil, "myapp:a/../b"),
    ("../../x", "file:///C:/a", "file:///C:/x"), ("/x", "file:///C:/a/b", "file:///C:/x"),
    ("/x", "file:///CC:/a", "file:///x"), ("..", "file:///a", "file:///"),
  ]

  @Test(arguments: rows.indices) func `a URL is written as the standard serialises it`(row: Int) {
    let (text, base, href) = Self.rows[row]
    #expect(WebURL(text, base: base.flatMap { WebURL($0) })?.description == href, "\(text)")
  }
}
