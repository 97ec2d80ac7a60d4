extension WebPage {
  /// The page as `cairn inspect` shows it, with every key.
  package var json: JSON {
    .members([
      "source": .string(source), "url": .text(url?.description), "urlFrom": .text(urlFrom),
      "status": status.map { .integer($0) } ?? .null, "time": .text(time),
      "encoding": .string(encoding), "language": .text(language), "title": .text(title),
      "description": .text(description), "image": .text(image), "canonical": .text(canonical),
      "deepLinks": .array(deepLinks.map(\.json)),
      "openGraph": .array(openGraph.map { .texts([$0.property, $0.content]) }),
      "jsonLD": .array(jsonLD.map(\.json)), "microdata": microdata, "rdfa": rdfa,
      "things": .array(things.map(\.json)), "robots": robots.json, "text": .text(text),
      "item": item?.json ?? .null, "missing": .texts(missing),
      "malformed": .array(malformed.map(\.json)), "richResult": .texts(richResult),
    ])
  }
}
