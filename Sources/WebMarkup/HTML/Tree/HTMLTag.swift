/// The elements that the parser or the extraction treat in ways of their own.
enum HTMLTag: String, CaseIterable {
  /// Any other; its name is kept beside it.
  case other = ""
  case a, address, applet, area, article, aside, audio, b, base, basefont, bgsound, big
  case blockquote, body, br, button, caption, center, code, col, colgroup, data, dd, desc, details
  case dialog, dir, div, dl, dt, em, embed, fieldset, figcaption, figure, font, footer, form, frame
  case frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i, iframe, image, img
  case input, keygen, li, link, listing, main, malignmark, marquee, math, menu, meta, meter
  case mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed, noframes, noscript, object, ol, optgroup
  case option, p, param, plaintext, pre, rb, rp, rt, rtc, ruby, s, script, search, section, select
  case small, source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td
  case template, textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, `var`, video, wbr
  case xmp
  case annotationXML = "annotation-xml"
  case foreignObject = "foreignobject"
}

/// Where an element's name comes from.
enum HTMLNamespace: UInt8 { case html, svg, mathML }

extension HTMLTag {
  /// The "special" category of HTML 13.2.4.2, for elements of HTML itself.
  var isSpecial: Bool {
    switch self {
    case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote,
      .body, .br, .button, .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt,
      .embed, .fieldset, .figcaption, .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3,
      .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html, .iframe, .img, .input, .keygen, .li,
      .link, .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript,
      .object, .ol, .p, .param, .plaintext, .pre, .script, .search, .section, .select, .source,
      .style, .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title,
      .tr, .track, .ul, .wbr, .xmp:
      true
    default: false
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// Ends by itself before what cannot stand in it (13.2.6.3).
  var hasImpliedEnd: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }

  /// Table parts whose end is implied where all is closed at once.
  var hasThoroughlyImpliedEnd: Bool {
    switch self {
    case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: hasImpliedEnd
    }
  }
}
