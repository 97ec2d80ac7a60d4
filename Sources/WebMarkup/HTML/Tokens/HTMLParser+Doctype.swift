extension HTMLParser {
  /// A document type from behind its name; it says how tables in paragraphs are read.
  mutating func readDoctype(_ place: Int) {
    flushText()
    skipSpace()
    let nameRange = take { !$0.isSpace && $0 != 0x3e }
    let name = lowered(nameRange)
    skipSpace()
    var publicID: String?
    var systemID: String?
    var forcesQuirks = name.isEmpty
    if hasPrefix("public", at: position, ignoringCase: true) {
      position += 6
      publicID = quoted(&forcesQuirks)
      skipSpace()
      if isNext(0x22) || isNext(0x27) { systemID = quoted(&forcesQuirks) }
    } else if hasPrefix("system", at: position, ignoringCase: true) {
      position += 6
      systemID = quoted(&forcesQuirks)
    } else if position < input.count, input[position] != 0x3e {
      forcesQuirks = true
    }
    take { $0 != 0x3e }
    if position >= input.count { forcesQuirks = true }
    position = min(position + 1, input.count)
    guard mode == .initial else { return }
    tree.isQuirky =
      forcesQuirks || QuirksMode.isSet(name: name, publicID: publicID, systemID: systemID)
    let node = addNode(HTMLNode(kind: .doctype, place: Int32(place)))
    if node >= 0 { tree.append(node, to: 0) }
    mode = .beforeHTML
  }

  private func lowered(_ range: Range<Int>) -> String {
    String(decoding: input[range].map(\.lowered), as: UTF8.self)
  }

  private mutating func quoted(_ forcesQuirks: inout Bool) -> String? {
    skipSpace()
    guard isNext(0x22) || isNext(0x27) else {
      forcesQuirks = true
      return nil
    }
    let quote = input[position]
    position += 1
    let range = take { $0 != quote && $0 != 0x3e }
    if isNext(quote) { position += 1 } else { forcesQuirks = true }
    return lowered(range)
  }
}

/// Which document types ask for the ways of old browsers (13.2.6.4.1).
enum QuirksMode {
  static func isSet(name: String, publicID: String?, systemID: String?) -> Bool {
    if name != "html" { return true }
    if systemID == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" { return true }
    guard let publicID else { return false }
    if whole.contains(publicID) { return true }
    if prefixes.contains(where: publicID.hasPrefix) { return true }
    return systemID == nil && withoutSystem.contains(where: publicID.hasPrefix)
  }

  private static let whole: Set = [
    "-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html",
  ]

  private static let withoutSystem = [
    "-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//",
  ]

  private static let prefixes = [
    "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//", "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//", "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//", "-//ietf//dtd html 2.1e//", "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//", "-//ietf//dtd html 3.2//", "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//", "-//ietf//dtd html level 1//", "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//", "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//", "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//", "-//ietf//dtd html strict//", "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//", "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//", "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//", "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//", "-//w3c//dtd html 3.2 final//", "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//", "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//", "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//", "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
  ]
}
