import Testing

@testable import WebMarkup

/// Trees that the HTML standard asks for; each row is a rule of its tree construction.
@Suite struct HTMLParserTests {
  static let trees: [(String, String)] = [
    ("", "html(head body)"), ("x", "html(head body('x'))"),
    ("<!doctype html><title>a&amp;b</title>c", "! html(head(title('a&b')) body('c'))"),
    ("<p>a<p>b", "html(head body(p('a') p('b')))"),
    ("<b>1<p>2</b>3", "html(head body(b('1') p(b('2') '3')))"),
    ("<a>1<a>2", "html(head body(a('1') a('2')))"),
    ("<b><i>x</b>y</i>z", "html(head body(b(i('x')) i('y') 'z'))"),
    ("<table>a<tr><td>b", "html(head body('a' table(tbody(tr(td('b'))))))"),
    ("<table><tr><td>a</table>b", "html(head body(table(tbody(tr(td('a')))) 'b'))"),
    ("<p><table></table>", "html(head body(p(table)))"),
    ("<!doctype html><p><table></table>", "! html(head body(p table))"),
    ("<ul><li>a<li>b</ul>", "html(head body(ul(li('a') li('b'))))"),
    ("<dl><dt>a<dd>b", "html(head body(dl(dt('a') dd('b'))))"),
    (
      "<select><option>a<option>b</select>c", "html(head body(select(option('a') option('b')) 'c'))"
    ),
    ("<template><td>a</template>b", "html(head(template(content(td('a')))) body('b'))"),
    ("<svg><title>a</title><p>b", "html(head body(svg(title('a')) p('b')))"),
    ("<math><mi><b>x</b></mi></math>", "html(head body(math(mi(b('x')))))"),
    ("<svg><![CDATA[<b>]]></svg>", "html(head body(svg('<b>')))"),
    ("<![CDATA[x]]>", "<!--[CDATA[x]]--> html(head body)"),
    (
      "<script><!--<script></script>--></script>x",
      "html(head(script('<!--<script></script>-->')) body('x'))"
    ),
    ("<textarea>\n\n<b></textarea>", "html(head body(textarea('\n<b>')))"),
    ("<style></p></style>", "html(head(style('</p>')) body)"),
    ("<noscript><p>a</noscript>", "html(head(noscript) body(p('a')))"),
    ("<plaintext></body>", "html(head body(plaintext('</body>')))"),
    ("a</body>b</html>c", "html(head body('abc'))"),
    ("<h1>a<h2>b", "html(head body(h1('a') h2('b')))"),
    ("</br></p>", "html(head body(br p))"), ("a&lt;b&notin;c&not", "html(head body('a<b∉c¬'))"),
    ("&#x80;&#0;&#xD800;&#1114112;", "html(head body('€\u{fffd}\u{fffd}\u{fffd}'))"),
    ("<a href='?a=1&copy=2'>", "html(head body(a))"),
    ("<frameset><frame></frameset>", "html(head frameset(frame))"),
    (
      "<!-- a -- b --!>x<!-->y<!--->z",
      "<!-- a -- b --> html(head body('x' <!----> 'y' <!----> 'z'))"
    ),
    ("<image>", "html(head body(img))"), ("<form><form>", "html(head body(form))"),
    ("<button>a<button>b", "html(head body(button('a') button('b')))"),
    ("<p>a</div><div", "html(head body(p('a')))"), ("a\u{0}b", "html(head body('ab'))"),
  ]

  @Test(arguments: trees) func `a tree is what a browser makes`(source: String, outline: String) {
    #expect(HTMLParser.parse(Array(source.utf8)).outline() == outline, "\(source)")
  }

  @Test(arguments: [
    (
      "<html><head><script src='a'/><title/><style/></head><body><p/>a<div/>b</body></html>",
      "html(head(script title style) body(p 'a' div 'b'))"
    ),
    ("<br/><img/>a<a/>b<textarea/>c", "html(head body(br img 'a' a 'b' textarea 'c'))"),
    ("<p>a<![CDATA[<b>&]]>c</p>", "html(head body(p('a<b>&c')))"),
    ("<svg><path/></svg><svg/>x<form/><form/>", "html(head body(svg(path) svg 'x' form form))"),
    ("<table><tr><td/><td/></tr></table>", "html(head body(table(tbody(tr(td td)))))"),
    ("<body/>a", "html(head body('a'))"), ("<p>a<p>b", "html(head body(p('a') p('b')))"),
  ]) func `elements of XHTML end where their tag says so`(source: String, outline: String) {
    #expect(HTMLParser.parse(Array(source.utf8), isXML: true).outline() == outline, "\(source)")
  }

  @Test func `attributes are the first of their name, references in them read with care`() {
    let tree = HTMLParser.parse(Array("<a HREF='?a=1&copy=2&amp;&copy;' id=x id=y data=/>".utf8))
    let link = tree.elements[3]
    #expect(tree.attribute(link, .href) == "?a=1&copy=2&©")
    #expect(tree.attribute(link, .id) == "x")
    #expect(tree.attribute(link, .data) == "/")
  }

  @Test func `many attributes are told apart quickly, whatever their order`() {
    let names = (0..<20).map { "n\($0)" }
    let orders = [names, names.reversed(), names.sorted(), names].map { $0.joined(separator: " ") }
    let tags = orders.map { "<b \($0) \($0)>" }.joined()
    // Of elements that are alike, three are opened again.
    let tree = HTMLParser.parse(Array("<p>\(tags)</p>x".utf8))
    #expect(tree.outline() == "html(head body(p(b(b(b(b)))) b(b(b('x')))))")
    #expect(tree.elements.dropFirst(4).allSatisfy { tree[$0].count == 20 })
    let merged = HTMLParser.parse(
      Array("<html lang=a \(orders[0])><html \(orders[1]) id=x lang=b><html id=y data=z>".utf8))
    #expect(merged[merged.elements[0]].count == 23)
    #expect(merged.attribute(merged.elements[0], .lang) == "a")
    #expect(merged.attribute(merged.elements[0], .id) == "x")
    // Each of these was compared with all before it.
    let many = (0..<255).map { "n\($0)" }
    let attributes = [many, many.reversed()].map { $0.joined(separator: " ") }
    for name in ["b", "body"] {
      let tags = (0..<500).map { "<\(name) \(attributes[$0 % 2]) z=\($0)>" }
      #expect(HTMLParser.parse(Array(tags.joined().utf8)).limits.isEmpty)
    }
    // Each of the later tags had all attributes of the page copied.
    let page = String(repeating: "<p \(many.joined(separator: " "))>", count: 1_000)
    let later = many.map { "<body \($0)>" }.joined()
    let body = HTMLParser.parse(Array((page + later).utf8))
    #expect(body.limits.isEmpty)
    #expect(body.elements.contains { body[$0].tag == .body && body[$0].count == 255 })
  }

  @Test(arguments: [
    (String(repeating: "<div>", count: 200_000), "elements are nested deeper than 512"),
    (String(repeating: "<a>", count: 2_200_000), "a page has more than 2097152 nodes"),
    (
      "<p \((0..<100_000).map { "a\($0)=1" }.joined(separator: " "))>x",
      "an element has more than 256 attributes"
    ),
    (
      "<p a=\(String(repeating: "x", count: 1 << 21))>", "an attribute is longer than 1048576 bytes"
    ),
  ]) func `what is beyond a limit is left out and said`(source: String, message: String) {
    let tree = HTMLParser.parse(Array(source.utf8))
    #expect(tree.limits.map(\.message).contains(message))
    #expect(tree.nodes.count <= HTMLLimits.nodes)
  }

  @Test(arguments: [
    "<table><tr><td>", "<b>", "<x></y>", "<p><button><div>", "&a", "<svg>", "<template>",
  ])
  func `no nesting costs more than the page is long`(unit: String) {
    let source = String(repeating: unit, count: 100_000)
    #expect(HTMLParser.parse(Array(source.utf8)).nodes.count > 2)
  }

  @Test func `any bytes make a tree whose links hold`() {
    var generator = SystemRandomNumberGenerator()
    let parts = [
      "<", ">", "</", "<!--", "-->", "\"", "=", "&", "a", " ", "table", "tr", "td", "<b>", "<p>",
      "</b>", "<svg>", "<template>", "</template>", "<select>", "<option>", "\u{0}", "é",
      "<math><mi>",
      "<frameset>", "<form>", "</form>", "<script>", "</script>", "<![CDATA[", "]]>", "<a href=x>",
      "/>",
    ]
    for _ in 0..<2000 {
      let source = (0..<60).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      let tree = HTMLParser.parse(
        Array(source.utf8), isXML: Bool.random(using: &generator))
      for (index, node) in tree.nodes.enumerated() where node.parent >= 0 {
        if node.next >= 0 { #expect(tree[node.next].previous == Int32(index), "\(source)") }
        #expect(tree[node.parent].first >= 0 && tree[node.parent].last >= 0, "\(source)")
      }
      #expect(tree.elements.count >= 3 || tree.elements.count == 2, "\(source)")
    }
  }
}
