import ArgumentParser
import Rows

/// How the time scales are to be weighed in a ranking.
struct ScaleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Weigh the six time scales (g: and what follows) by numbers from 1/64 to 64; fit: as evaluate shows.",
      valueName: "a,b,c,d,e,f[,g]"), completion: .list(["fit"])) var scales: ScaleChoice?
}

extension ScaleChoice: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
