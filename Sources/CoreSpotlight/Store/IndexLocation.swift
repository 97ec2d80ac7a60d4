/// Where the store of this application's indexes is, and what time it is there.
enum IndexLocation {
  /// The directory to use instead of the application's own.
  @TaskLocal static var directory: String?
  /// The clock to use instead of the system's: what expiry and `$time` go by.
  @TaskLocal static var clock: (@Sendable () -> Date)?

  static var current: String { directory ?? standard }

  private static let standard = standard(in: ProcessInfo.processInfo.environment)

  static func now() -> Date { clock?() ?? Date() }

  /// `$CAIRN_STORE`, else a directory named after the application below the data directory:
  /// `$XDG_DATA_HOME`, else `.local/share` in `$HOME`, as the command has it.
  static func standard(in environment: [String: String]) -> String {
    if let store = environment["CAIRN_STORE"], !store.isEmpty { return store }
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    // Foundation's home is that of the user database, whatever the environment says.
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    let base = data ?? home + "/.local/share"
    return "\(base)/cairn-apps/\(applicationName)"
  }

  /// What the application is called: its bundle, else its process.
  static let applicationName: String = {
    let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let plain = String(name.map { $0 == "/" || $0.isNewline ? "_" : $0 })
    return [".", "..", ""].contains(plain) ? "application" : plain
  }()
}
