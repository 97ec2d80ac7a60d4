import ArgumentParser
import Cairn
import Files
import Importers

/// What of other programs' histories is wanted, and what their files do not say.
struct ImportChoices: ParsableArguments {
  @Option(help: ArgumentHelp("Leave out what happened before.", valueName: "time"))
  var since: TimeArgument?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only this domain and what is below; may be given several times.", valueName: "domain"))
  var only: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Leave out items that hold this text, in whatever case (* stands for any); may be given several "
        + "times.",
      valueName: "pattern")) var except: [String] = []

  @Flag(help: "Also take commands that hold a password or a token, such as password=hunter2.")
  var secrets = false

  @Option(
    help: ArgumentHelp(
      "The machine the files are from (default: that of the disk, with auto DIR; else this).",
      valueName: "name"))
  var host: String?

  @Option(
    help: ArgumentHelp(
      "What ~ was (default: that on the disk, with auto DIR; else $HOME).", valueName: "dir"))
  var home: String?

  @Option(
    help: ArgumentHelp(
      "The zone of times that are written without one (default: the machine's).",
      valueName: "zone")) var timezone: String?

  func validate() throws {
    // An empty text is in everything: a script without its variable would import nothing.
    guard (only + except).allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("--only and --except take a name.")
    }
  }

  func options() throws(Failure) -> ImportOptions {
    let home = home ?? LocalMachine.home
    var zone = TimeZone.chosen
    if let timezone {
      guard let named = TimeZone(named: timezone) else {
        throw Failure(.usage, "--timezone names no zone of this machine, such as Europe/Berlin")
      }
      zone = named
    }
    let cache = Variables.get("XDG_CACHE_HOME") ?? Variables.get("HOME").map { $0 + "/.cache" }
    var options = ImportOptions(
      host: host ?? LocalMachine.shortName, home: home, zone: zone,
      scratch: ImportSources.scratch(cache))
    options.isHostNamed = host != nil
    options.isHomeNamed = self.home != nil
    options.since = try since?.start("--since").microseconds
    options.domains = only
    options.except = except
    options.takesSecrets = secrets
    return options
  }
}
