// Programs and their source code, as Apple's reference lists them.

extension UTType {
  /// A program: `public.executable`.
  public static let executable = declare("public.executable", ["public.item"])
  /// A program of Unix: `public.unix-executable`.
  public static let unixExecutable = declare(
    "public.unix-executable", ["public.data", "public.executable"])
  /// A program of Windows: `com.microsoft.windows-executable`.
  public static let exe = declare(
    "com.microsoft.windows-executable", ["public.data", "public.executable"], extensions: ["exe"])
  /// An application: `com.apple.application`.
  public static let application = declare("com.apple.application", ["public.executable"])
  /// An application in a bundle: `com.apple.application-bundle`.
  public static let applicationBundle = declare(
    "com.apple.application-bundle",
    ["com.apple.application", "com.apple.package", "com.apple.bundle"], extensions: ["app"])
  /// A framework: `com.apple.framework`.
  public static let framework = declare(
    "com.apple.framework", ["com.apple.bundle"], extensions: ["framework"])
  /// A bundle that extends a program: `com.apple.plugin`.
  public static let pluginBundle = declare(
    "com.apple.plugin", ["com.apple.bundle", "com.apple.package"], extensions: ["plugin"])
  /// An importer of Spotlight on macOS: `com.apple.metadata-importer`.
  public static let spotlightImporter = declare(
    "com.apple.metadata-importer", ["com.apple.plugin"], extensions: ["mdimporter"])
  /// A generator of previews: `com.apple.quicklook-generator`.
  public static let quickLookGenerator = declare(
    "com.apple.quicklook-generator", ["com.apple.plugin"], extensions: ["qlgenerator"])
  /// A service of XPC: `com.apple.xpc-service`.
  public static let xpcService = declare(
    "com.apple.xpc-service", ["com.apple.bundle", "com.apple.package"], extensions: ["xpc"])
  /// An extension of an application: `com.apple.application-and-system-extension`.
  public static let applicationExtension = declare(
    "com.apple.application-and-system-extension", ["com.apple.xpc-service"], extensions: ["appex"])
  /// A pane of the settings: `com.apple.systempreference.prefpane`.
  public static let systemPreferencesPane = declare(
    "com.apple.systempreference.prefpane", ["com.apple.package", "com.apple.bundle"],
    extensions: ["prefpane"])
  /// A directory that looks like a file: `com.apple.package`.
  public static let package = declare("com.apple.package", ["public.directory"])
  /// A directory with a bundle's inner order: `com.apple.bundle`.
  public static let bundle = declare("com.apple.bundle", ["public.directory"])
  /// Source code: `public.source-code`.
  public static let sourceCode = declare("public.source-code", ["public.plain-text"])
  /// Source code in Swift: `public.swift-source`.
  public static let swiftSource = declare(
    "public.swift-source", ["public.source-code"], extensions: ["swift"])
  /// Source code in C: `public.c-source`.
  public static let cSource = declare("public.c-source", ["public.source-code"], extensions: ["c"])
  /// Source code in Objective-C: `public.objective-c-source`.
  public static let objectiveCSource = declare(
    "public.objective-c-source", ["public.source-code"], extensions: ["m"])
  /// Source code in Objective-C++: `public.objective-c-plus-plus-source`.
  public static let objectiveCPlusPlusSource = declare(
    "public.objective-c-plus-plus-source", ["public.source-code"], extensions: ["mm"])
  /// Source code in assembly language: `public.assembly-source`.
  public static let assemblyLanguageSource = declare(
    "public.assembly-source", ["public.source-code"], extensions: ["s"])
  /// Source code in C++: `public.c-plus-plus-source`.
  public static let cPlusPlusSource = declare(
    "public.c-plus-plus-source", ["public.source-code"], extensions: ["cpp", "cc", "cxx"])
  /// A header of C: `public.c-header`.
  public static let cHeader = declare("public.c-header", ["public.source-code"], extensions: ["h"])
  /// A header of C++: `public.c-plus-plus-header`.
  public static let cPlusPlusHeader = declare(
    "public.c-plus-plus-header", ["public.source-code"], extensions: ["hpp", "hh", "hxx"])
  /// Source code of a script: `public.script`.
  public static let script = declare("public.script", ["public.source-code"])
  /// AppleScript as text: `com.apple.applescript.text`.
  public static let appleScript = declare(
    "com.apple.applescript.text", ["public.script"], extensions: ["applescript"])
  /// AppleScript as it runs: `com.apple.applescript.script`.
  public static let osaScript = declare(
    "com.apple.applescript.script", ["public.data", "public.script"], extensions: ["scpt"])
  /// AppleScript in a bundle: `com.apple.applescript.script-bundle`.
  public static let osaScriptBundle = declare(
    "com.apple.applescript.script-bundle",
    ["com.apple.bundle", "com.apple.package", "public.script"], extensions: ["scptd"])
  /// Rules of make: `public.make-source`.
  public static let makefile = declare("public.make-source", ["public.script"], extensions: ["mk"])
  /// A shell script: `public.shell-script`.
  public static let shellScript = declare(
    "public.shell-script", ["public.script"], extensions: ["sh"])
  /// A script in PHP: `public.php-script`.
  public static let phpScript = declare(
    "public.php-script", ["public.shell-script"], extensions: ["php"], types: ["text/php"])
  /// A Python script: `public.python-script`.
  public static let pythonScript = declare(
    "public.python-script", ["public.shell-script"], extensions: ["py"])
  /// A Ruby script: `public.ruby-script`.
  public static let rubyScript = declare(
    "public.ruby-script", ["public.shell-script"], extensions: ["rb"])
  /// A Perl script: `public.perl-script`.
  public static let perlScript = declare(
    "public.perl-script", ["public.shell-script"], extensions: ["pl"])
  /// A JavaScript program: `com.netscape.javascript-source`.
  public static let javaScript = declare(
    "com.netscape.javascript-source", ["public.source-code", "public.executable"],
    extensions: ["js"], types: ["text/javascript"])
}
