/// The prefixes that every page has (RDFa 1.1's initial context).
enum RDFaInitialContext {
  static let prefixes: [String: String] = [
    "as": "https://www.w3.org/ns/activitystreams#", "cc": "http://creativecommons.org/ns#",
    "csvw": "http://www.w3.org/ns/csvw#", "ctag": "http://commontag.org/ns#",
    "dc": "http://purl.org/dc/terms/", "dc11": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#", "dcterms": "http://purl.org/dc/terms/",
    "dqv": "http://www.w3.org/ns/dqv#", "duv": "https://www.w3.org/ns/duv#",
    "foaf": "http://xmlns.com/foaf/0.1/", "gr": "http://purl.org/goodrelations/v1#",
    "grddl": "http://www.w3.org/2003/g/data-view#",
    "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
    "jsonld": "http://www.w3.org/ns/json-ld#", "ldp": "http://www.w3.org/ns/ldp#",
    "ma": "http://www.w3.org/ns/ma-ont#", "oa": "http://www.w3.org/ns/oa#",
    "odrl": "http://www.w3.org/ns/odrl/2/", "og": "http://ogp.me/ns#",
    "org": "http://www.w3.org/ns/org#", "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#", "qb": "http://purl.org/linked-data/cube#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfa": "http://www.w3.org/ns/rdfa#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#", "rev": "http://purl.org/stuff/rev#",
    "rif": "http://www.w3.org/2007/rif#", "rr": "http://www.w3.org/ns/r2rml#",
    "schema": "http://schema.org/", "sd": "http://www.w3.org/ns/sparql-service-description#",
    "sioc": "http://rdfs.org/sioc/ns#", "skos": "http://www.w3.org/2004/02/skos/core#",
    "skosxl": "http://www.w3.org/2008/05/skos-xl#", "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/", "time": "http://www.w3.org/2006/time#",
    "v": "http://rdf.data-vocabulary.org/#", "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#", "wdr": "http://www.w3.org/2007/05/powder#",
    "wdrs": "http://www.w3.org/2007/05/powder-s#", "xhv": "http://www.w3.org/1999/xhtml/vocab#",
    "xml": "http://www.w3.org/XML/1998/namespace", "xsd": "http://www.w3.org/2001/XMLSchema#",
  ]

  static let terms: [String: String] = [
    "describedby": "http://www.w3.org/2007/05/powder-s#describedby",
    "license": "http://www.w3.org/1999/xhtml/vocab#license",
    "role": "http://www.w3.org/1999/xhtml/vocab#role",
  ]
}

/// What an element inherits from those around it (RDFa Core 1.1, section 7.2).
struct RDFaContext {
  var vocabulary: String?
  var prefixes = RDFaInitialContext.prefixes
  var language: String?
  /// Whether there were more prefixes, or longer IRIs, than are taken.
  private(set) var isFull = false
  /// What properties without a subject of their own are about, unless a link names something.
  var subject: String
  /// Elements without properties, one around the other and perhaps more between them: where they
  /// lead is looked up for properties inside alone.
  var links: (outer: HTMLNodeID, inner: HTMLNodeID)?

  /// Takes over what an element declares.
  mutating func enter(_ node: HTMLNodeID, _ page: PageDocument, takesNames: Bool) {
    let tree = page.tree
    if takesNames, let vocab = tree.attribute(node, .vocab) {
      let iri = vocab.strippedSpace.nonEmpty.map { page.absolute($0) ?? $0 }
      vocabulary = isShort(iri ?? "") ? iri : nil
    }
    if takesNames, let prefix = tree.attribute(node, .prefix) {
      let words = prefix.tokens
      for index in stride(from: 0, to: words.count - 1, by: 2) where words[index].hasSuffix(":") {
        let name = String(words[index].dropLast()).loweredASCII
        guard prefixes.count < HTMLLimits.names || prefixes[name] != nil else {
          isFull = true
          break
        }
        let iri = isShort(words[index + 1]) ? words[index + 1] : nil
        if name != "_" { prefixes[name] = iri }
      }
    }
    if let lang = tree.attribute(node, .xmlLang) ?? tree.attribute(node, .lang) {
      language = isShort(lang) ? lang.strippedSpace.nonEmpty : nil
    }
  }

  /// Whether what many names or texts of the page come with is no longer than is taken.
  private mutating func isShort(_ text: String) -> Bool {
    let isShort = text.utf8.count <= HTMLLimits.urlBytes
    if !isShort { isFull = true }
    return isShort
  }

  /// The IRI of a term, a CURIE or an IRI; nil for what is none.
  func property(_ name: String) -> String? {
    if name.utf8.contains(0x3a) { return curie(name[...]) ?? WebURL(name)?.description }
    if let vocabulary { return vocabulary + name }
    return RDFaInitialContext.terms[name.loweredASCII]
  }

  /// The IRI of what `about`, `resource` and the like name.
  func resource(_ text: String, _ page: PageDocument) -> String? {
    let text = text.strippedSpace
    // What a safe CURIE may not be is ignored (RDFa Core 1.1, section 7.4.3).
    if text.hasPrefix("["), text.hasSuffix("]") { return curie(text.dropFirst().dropLast()) }
    return curie(text[...]) ?? page.absolute(text)
  }

  /// A blank node's name, or what a prefix and the rest stand for; nil without such a prefix.
  private func curie(_ text: Substring) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...]
    let prefix = String(text[..<colon]).loweredASCII
    if prefix == "_" { return String(text) }
    return rest.hasPrefix("//") ? nil : prefixes[prefix].map { $0 + rest }
  }
}
