/// The attributes that the extraction reads.
enum HTMLAttributeName: String, CaseIterable {
  /// Any other; its name is kept beside it.
  case other = ""
  case about, accept, charset, color, content, data, datatype, datetime, encoding, face, href
  case hreflang, id, inlist, itemid, itemprop, itemref, itemscope, itemtype, lang, media, name
  case prefix, property, rel, resource, rev, role, size, src, type, `typeof`, value, vocab
  case `class`, hidden
  case httpEquiv = "http-equiv"
  case xmlLang = "xml:lang"
  case ariaHidden = "aria-hidden"
}

/// An attribute of an element: where its bytes are in the tree.
struct HTMLAttribute {
  var name: HTMLAttributeName
  /// Of a name that is not known; empty else.
  var nameStart: Int32 = 0
  var nameCount: Int32 = 0
  var start: Int32
  var count: Int32
}
