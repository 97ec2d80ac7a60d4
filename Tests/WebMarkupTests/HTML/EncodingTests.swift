import Testing

@testable import WebMarkup

@Suite struct EncodingTests {
  static let rows: [(bytes: [UInt8], type: String?, name: String, text: String)] = [
    ([0xef, 0xbb, 0xbf, 0xc3, 0xa9], "text/html; charset=iso-8859-1", "UTF-8", "é"),
    ([0xfe, 0xff, 0x00, 0xe9], nil, "UTF-16BE", "é"),
    ([0xff, 0xfe, 0xe9, 0x00], nil, "UTF-16LE", "é"),
    ([0x83, 0x65], "text/html; charset=\"Shift_JIS\"", "Shift_JIS", "テ"),
    ([0xc3, 0xa9], nil, "UTF-8", "é"), ([0xe9, 0x80], nil, "windows-1252", "é€"),
    (Array("<meta charset=latin1>".utf8) + [0x93], nil, "windows-1252", "<meta charset=latin1>“"),
    (
      Array("<meta http-equiv=content-type content='text/html;charset=koi8-r'>".utf8) + [0xc1], nil,
      "KOI8-R", "<meta http-equiv=content-type content='text/html;charset=koi8-r'>а"
    ),
    (
      Array("<!--<meta charset=big5>--><meta charset='gb2312'>".utf8) + [0xc4, 0xe3], nil, "GBK",
      "<!--<meta charset=big5>--><meta charset='gb2312'>你"
    ),
    (Array("<meta charset=utf-16>".utf8) + [0xc3, 0xa9], nil, "UTF-8", "<meta charset=utf-16>é"),
    ([0xc4, 0xe3], "text/html; charset=nonsense", "windows-1252", "Äã"),
    ([0xa4, 0xa2], "text/html;charset=euc-jp", "EUC-JP", "あ"),
    ([0xb0, 0xa1], "text/html;charset=ks_c_5601-1987", "EUC-KR", "가"),
    ([0xa0, 0xa1, 0xa4, 0xba, 0xff], "text/html;charset=iso-8859-16", "ISO-8859-16", "\u{a0}Ą€șÿ"),
    (
      Array("<?xml version='1.0' encoding = 'Shift_JIS'?>".utf8) + [0x83, 0x65], nil, "Shift_JIS",
      "<?xml version='1.0' encoding = 'Shift_JIS'?>テ"
    ),
    (
      Array("<?xml encoding=\"koi8-r\"?><meta charset=big5>".utf8), nil, "Big5",
      "<?xml encoding=\"koi8-r\"?><meta charset=big5>"
    ),
    (
      Array("<?xml encoding='utf-16'?>".utf8) + [0xc3, 0xa9], nil, "UTF-8",
      "<?xml encoding='utf-16'?>é"
    ),
    (Array("<?xml ?>encoding='big5'>".utf8), nil, "UTF-8", "<?xml ?>encoding='big5'>"),
    (Array("<?x".utf8.flatMap { [$0, 0] }), nil, "UTF-16LE", "<?x"),
    (Array("<?x".utf8.flatMap { [0, $0] }), nil, "UTF-16BE", "<?x"),
    ([0xae, 0xbe, 0xa4], "text/html;charset=koi8-u", "KOI8-U", "ўЎє"),
    ([0xa1, 0xdb, 0xff], "text/html;charset=tis-620", "windows-874", "ก\u{fffd}\u{fffd}"),
    ([0xaa, 0xe1], "text/html;charset=windows-1253", "windows-1253", "\u{fffd}α"),
    ([0xe0, 0xca], "text/html;charset=windows-1255", "windows-1255", "א\u{5ba}"),
    ([0x80, 0x41, 0xff], "text/html;charset=gb2312", "GBK", "€A\u{fffd}"),
    ([0x81, 0x5b, 0x41], "text/html;charset=euc-kr", "EUC-KR", "\u{fffd}[A"),
    ([0x80, 0xc9, 0xa1, 0xff], "text/html;charset=euc-kr", "EUC-KR", "\u{fffd}\u{fffd}\u{fffd}"),
    ([0x88, 0x41, 0xa4, 0xa2], "text/html;charset=euc-jp", "EUC-JP", "\u{fffd}Aあ"),
    ([0x80, 0xb1, 0x80, 0xa0], "text/html;charset=sjis", "Shift_JIS", "\u{80}ｱ\u{80}\u{fffd}"),
    (
      [0x8e, 0xe0, 0x8e, 0xb1, 0x8e, 0xe2, 0x41], "text/html;charset=euc-jp", "EUC-JP",
      "\u{fffd}ｱ\u{fffd}A"
    ),
    ([0x83, 0xd8, 0xa7, 0x41], "text/html;charset=big5", "Big5", "\u{fffd}你"),
    (
      [0x81, 0x41, 0x84, 0x7e, 0x83, 0xa1, 0x82, 0x3c, 0xa7, 0x41], "text/html;charset=big5",
      "Big5", "\u{fffd}A\u{fffd}~\u{fffd}\u{fffd}<你"
    ),
    ([0x1a, 0x1c, 0x7f, 0x83, 0x41], "text/html;charset=sjis", "Shift_JIS", "\u{1a}\u{1c}\u{7f}ア"),
    ([0x1a, 0x1c, 0x7f, 0x80], "text/html;charset=ibm866", "IBM866", "\u{1a}\u{1c}\u{7f}А"),
  ]

  @Test(arguments: rows.indices) func `an encoding is found as the standard says`(row: Int) {
    let row = Self.rows[row]
    let text = DecodedText(row.bytes, contentType: row.type)
    #expect(text.encoding.name == row.name)
    #expect(String(decoding: text.bytes, as: UTF8.self) == row.text)
  }

  @Test(arguments: ["gbk", "gb18030"])
  func `a Chinese space and what was of private use are the standard's`(label: String) {
    let bytes: [UInt8] = [
      0x61, 0xa3, 0xa0, 0x62, 0xa6, 0xd9, 0xa6, 0xda, 0xa6, 0xf3, 0xfe, 0x59, 0xfe, 0x61, 0xfe,
      0xa0, 0xc4, 0xe3, 0xaa, 0xa1,
    ]
    let text = DecodedText(bytes, contentType: "text/html; charset=\(label)")
    #expect(
      String(decoding: text.bytes, as: UTF8.self)
        == "a\u{3000}b\u{fe10}\u{fe12}\u{fe19}\u{9fb4}\u{9fb5}\u{9fbb}你\u{e000}")
  }

  @Test func `every label of the table has a converter`() {
    for label in [
      "ibm866", "iso-8859-2", "iso-8859-16", "macintosh", "x-mac-cyrillic", "windows-874",
      "windows-1258", "gb18030", "big5", "iso-2022-jp", "koi8-u", "windows-1250", "iso-8859-8-i",
      "iso-8859-10", "iso-8859-14",
    ] {
      let text = DecodedText([0x41, 0x42], contentType: "text/html; charset=\(label)")
      #expect(text.encoding.name.lowercased() != "windows-1252", "\(label)")
      #expect(text.bytes == [0x41, 0x42], "\(label)")
    }
  }

  /// What the repair of each piece gives is what that of all bytes gives, wherever pieces end.
  @Test func `long pages of broken bytes are decoded as short ones are`() {
    let parts: [[UInt8]] = [
      [0x41], [0xc3, 0xa9], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0x80], [0xe2, 0x82],
      [0xf0, 0x9f, 0x98], [0xff], [0x80, 0x80, 0x80, 0x80, 0x80], [0xc0], [0x0d, 0x0a], [0x0d],
    ]
    var state: UInt64 = 7
    var bytes: [UInt8] = []
    while bytes.count < 300_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes += parts[Int(state >> 33) % parts.count]
    }
    let text = DecodedText(bytes, contentType: "text/html;charset=utf-8")
    var expected: [UInt8] = []
    for byte in String(decoding: bytes, as: UTF8.self).utf8 {
      if byte == 0x0a, expected.last == 0x0d { expected.removeLast() }
      expected.append(byte)
    }
    expected = expected.map { $0 == 0x0d ? 0x0a : $0 }
    #expect(text.bytes.elementsEqual(expected), "as one piece")
    let units = Array("a\r\nbé\u{1f600}漢\r".utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let wide = DecodedText([0xff, 0xfe] + units + [0x00, 0xd8, 0x41, 0x00], contentType: nil)
    #expect(String(decoding: wide.bytes, as: UTF8.self) == "a\nbé\u{1f600}漢\n\u{fffd}A")
    #expect(wide.firstReplaced == 13)
  }

  @Test func `replaced bytes are told with their place`() {
    let bytes = Array("<meta charset=utf-8>\r\na\r\nb".utf8) + [0xff] + Array("c".utf8)
    let fault = WebPage(PageSource(name: "x", bytes: bytes)).malformed
    #expect(fault.map(\.kind) == [.encoding])
    #expect(fault.map(\.line) == [3])
    #expect(fault.map(\.column) == [2])
    #expect(fault.map(\.recovered) == [true])
  }

  @Test(arguments: [
    ("windows-1251", "привет", "%EF%F0%E8%E2%E5%F2"), ("iso-8859-1", "é€日", "%E9%80%26%2326085%3B"),
    ("shift_jis", "ソa", "%83\\a"), ("gb2312", "你€", "%C4%E3%80"), ("utf-8", "é", "%C3%A9"),
    ("iso-2022-jp", "あ", "%1B$B$%22%1B(B"), ("utf-16", "é", "%C3%A9"),
  ])
  func `the query of a link is in the encoding of its page`(
    label: String, query: String, written: String
  ) {
    let references = query.unicodeScalars.map { "&#\($0.value);" }.joined()
    let html =
      "<title>x</title><meta charset=\(label)><link rel=canonical href='/é?\(references)#é'>"
    let found = page(html.replacing("é", with: "&#233;"), at: "https://h.example/")
    #expect(found.canonical == "https://h.example/%C3%A9?\(written)#%C3%A9")
    let link = page(
      "<meta charset=\(label)><a href='?\(references)'>", at: "https://h.example/p")
    #expect(link.links == ["https://h.example/p?\(written)"])
  }
}
