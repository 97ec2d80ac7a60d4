public import ArgumentParser
public import Cairn

/// What is counted over all that is found, and what it is grouped by.
struct FacetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Count the values of this facet over all that is found; show n (10), 0 for all. May repeat.",
      valueName: "key[:n]")) var facet: [FacetArgument] = []

  @Option(
    help: ArgumentHelp(
      "Give groups by this facet in place of rows, each with its n (1) best, 0 for all.",
      valueName: "key[:n]")) var groupBy: GroupArgument?
}

/// `KEY[:N]`: ten values unless said.
struct FacetArgument: ExpressibleByArgument {
  let facet: AttributeLimit

  init?(argument: String) {
    guard let facet = AttributeLimit(argument, otherwise: 10) else { return nil }
    self.facet = facet
  }
}

/// `KEY[:N]`: one row of each group unless said.
struct GroupArgument: ExpressibleByArgument {
  let group: AttributeLimit

  init?(argument: String) {
    guard let group = AttributeLimit(argument, otherwise: 1) else { return nil }
    self.group = group
  }
}

extension AttributeOrder: ExpressibleByArgument {}
