/// The insertion modes of HTML 13.2.4.1.
enum HTMLMode: UInt8 {
  case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable
  case inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody
  case inFrameset, afterFrameset, afterAfterBody, afterAfterFrameset
}

/// An element on the stack of open elements.
struct HTMLOpenElement {
  var node: HTMLNodeID
  var tag: HTMLTag
  var space: HTMLNamespace
  var mark: UInt16
  /// Whether it is, or stands in, a paragraph in button scope: what every block asks for.
  var hasParagraph = false

  func `is`(_ tag: HTMLTag) -> Bool { self.tag == tag && space == .html }

  var isHeading: Bool { space == .html && tag.isHeading }

  var isSpecial: Bool {
    switch space {
    case .html: tag.isSpecial
    case .mathML: isMathMLText || tag == .annotationXML
    case .svg: isSVGText
    }
  }

  /// Where HTML text may stand in MathML.
  var isMathMLText: Bool {
    switch tag {
    case .mi, .mo, .mn, .ms, .mtext: space == .mathML
    default: false
    }
  }

  /// Where HTML may stand in SVG.
  var isSVGText: Bool {
    switch tag {
    case .foreignObject, .desc, .title: space == .svg
    default: false
    }
  }
}

/// An entry of the list of active formatting elements; no node is a marker.
struct HTMLFormattingEntry {
  var node: HTMLNodeID
  var tag: HTMLTag
  /// A hash of its attributes.
  var attributes = 0
  var isMarker: Bool { node < 0 }
}

/// What ends the search for an element in scope (13.2.4.2).
enum HTMLScope {
  case plain, listItem, button, table

  func ends(at element: HTMLOpenElement) -> Bool {
    if self == .table { return element.is(.html) || element.is(.table) || element.is(.template) }
    guard element.space == .html else { return element.isSpecial }
    switch element.tag {
    case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template:
      return true
    case .ol, .ul: return self == .listItem
    case .button: return self == .button
    default: return false
    }
  }
}
