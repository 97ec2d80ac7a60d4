/// The things that microdata describes.
///
/// Unlike HTML's own form: `content` counts on any element, white space is collapsed, and
/// properties outside any item make a thing of their own (Apple's samples have them).
struct MicrodataThings {
  private var microdata: Microdata
  private var limits: ThingLimits

  static func read(
    _ page: inout PageDocument, _ microdata: Microdata, limits: inout ThingLimits
  ) -> (things: [Thing], orphan: Thing?) {
    var reader = MicrodataThings(microdata: microdata, limits: limits)
    var things: [Thing] = []
    for item in reader.microdata.topLevel {
      if let thing = reader.thing(item, [], &page) { things.append(thing) }
    }
    // What belongs to items that are left out would look like nobody's.
    let orphan = reader.limits.isExceeded ? nil : reader.orphan(&page)
    limits = reader.limits
    return (things, orphan)
  }

  private mutating func thing(
    _ item: HTMLNodeID, _ around: [HTMLNodeID], _ page: inout PageDocument
  ) -> Thing? {
    guard limits.takesThing() else { return nil }
    var builder = ThingBuilder(Thing(syntax: .microdata))
    builder.thing.types = microdata.types(of: item, &page).map(Thing.term)
    builder.thing.id = microdata.id(of: item, &page)
    for element in microdata.properties(of: item, &page) where limits.hasValues {
      add(element, around + [item], to: &builder, &page)
    }
    return builder.thing
  }

  /// Adds the value of an element once for each of its names.
  private mutating func add(
    _ element: HTMLNodeID, _ around: [HTMLNodeID], to builder: inout ThingBuilder,
    _ page: inout PageDocument
  ) {
    for name in microdata.names(of: element) {
      guard limits.takesValue(), microdata.takes(name.utf8.count, element, &page) else { return }
      guard let value = value(of: element, around, &page) else { continue }
      builder.append(value, to: Thing.term(name), at: Int(page.tree[element].place))
    }
  }

  private mutating func value(
    of element: HTMLNodeID, _ around: [HTMLNodeID], _ page: inout PageDocument
  ) -> Thing.Value? {
    guard page.tree.has(element, .itemscope) else {
      let text = microdata.value(of: element, anyContent: true, &page)
      return text.map { .text($0.collapsedSpace) }
    }
    if around.contains(element) { return microdata.id(of: element, &page).map { .reference($0) } }
    guard around.count < JSONReader.depthLimit else { return nil }
    return thing(element, around, &page).map { .thing($0) }
  }

  private mutating func orphan(_ page: inout PageDocument) -> Thing? {
    var builder = ThingBuilder(Thing(syntax: .microdata))
    for element in page.elements where limits.hasValues && microdata.isOrphan(element) {
      add(element, [], to: &builder, &page)
    }
    return builder.thing.properties.isEmpty ? nil : builder.thing
  }
}
