/// How far a value reaches: told when it is made, so that none is made which would take for ever to
/// be walked, or more of a thread's stack than there is.
struct QueryExtent {
  /// How many values hold each other, one in the other.
  private(set) var depth = 0
  /// How many values it is, each counted wherever it stands.
  private(set) var count = 1
  private(set) var holdsEvents = false

  private static let depthMax = 128

  /// That of a value which holds no other.
  init() {}

  /// That of what holds the values.
  init(around values: some Sequence<QueryValue>) throws(QueryFailure) {
    for value in values {
      let extent = value.extent
      depth = max(depth, extent.depth)
      count += extent.count
      holdsEvents = holdsEvents || extent.holdsEvents
    }
    depth += 1
    guard depth <= Self.depthMax else { throw .function("The query nests too deep.") }
    guard count <= QueryMemory.limit else { throw QueryMemory.excess }
  }

  /// That of an event with such data.
  init(ofEventWith data: QueryExtent) {
    (depth, count, holdsEvents) = (data.depth + 1, data.count + 1, true)
  }
}

extension QueryValue {
  var extent: QueryExtent {
    switch self {
    case .event(let event): QueryExtent(ofEventWith: event.data.extent)
    case .list(let list): list.extent
    case .object(let members): members.extent
    default: QueryExtent()
    }
  }
}
