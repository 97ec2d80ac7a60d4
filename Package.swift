// swift-tools-version: 6.3

import PackageDescription

let arguments = Target.Dependency.product(
  name: "ArgumentParser",
  package: "swift-argument-parser"
)
// The server's sockets; without the trait nothing of them is fetched or built.
let server = TargetDependencyCondition.when(traits: ["Server"])
let nioCore = Target.Dependency.product(
  name: "NIOCore", package: "swift-nio", condition: server)
let nioHTTP = Target.Dependency.product(
  name: "NIOHTTP1", package: "swift-nio", condition: server)
let nioPosix = Target.Dependency.product(
  name: "NIOPosix", package: "swift-nio", condition: server)
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

// Where bytes become values: what is tested, and fuzzed, for never trapping on them.
let decoders: [Target.Dependency] = [
  "LMDB", "Events", "HashTree", "EventLog", "Migrations", "Text", "Query", "Projections",
  "Catalog", "TextIndex", "Ranking", "Timeline", "Columns", "Importers", "Values", "WebMarkup",
  "Crawling", "Compression", "Schema", "ActivityWatch", "Cairn", "Rows",
]
let decoderTests: [Target.Dependency] = decoders + ["TestSupport"]

let package = Package(
  name: "cairn",
  products: [
    .library(name: "Cairn", targets: ["Cairn"]),
    .executable(name: "cairn", targets: ["CairnCommand"]),
  ],
  traits: [
    .trait(name: "Server", description: "cairn serve, with the packages that it listens with"),
    .default(enabledTraits: ["Server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // C libraries, and what only C can say.
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CStemmer", providers: [.apt(["libstemmer-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
    .target(
      name: "CBuild",
      // Which commit this is, where the Makefile knows it: only this file is compiled anew.
      cSettings: Context.environment["CAIRN_COMMIT"].map {
        [.define("CAIRN_COMMIT", to: "\"\($0)\"")]
      }
    ),
    .target(name: "CPageGuard", dependencies: ["CLMDB"]),
    .target(
      name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),

    // What every layer speaks of: errors, bytes, times, ids.
    .target(
      name: "Values",
      // Spans that cannot outlive their transaction need lifetime annotations; the
      // language group committed to a deprecation window for this spelling.
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]
    ),

    .target(name: "Files", dependencies: ["Values"]),

    // Hashes, codes and signatures, by OpenSSL.
    .target(name: "Cryptography", dependencies: ["CCrypto", "Values"]),

    // What is packed, unpacked a piece at a time.
    .target(name: "Compression", dependencies: ["CZlib", "CLZMA", "Values"]),

    // Storage and truth.
    .target(
      name: "LMDB",
      dependencies: ["CLMDB", "CPageGuard", "Files", "Values"],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]
    ),
    .target(name: "Events", dependencies: ["Values"]),
    .target(name: "HashTree", dependencies: ["Cryptography", "Values"]),
    .target(
      name: "EventLog",
      dependencies: ["Cryptography", "Files", "Values", "LMDB", "Events", "HashTree"]),
    .target(
      name: "Migrations", dependencies: ["Events"], path: "Migrations",
      exclude: ["README.md", "DIGESTS", "Stores"]),

    // What other programs keep, as events.
    .target(
      name: "Importers",
      dependencies: [
        "CSQLite", "CExpat", "Compression", "Cryptography", "Events", "Files", "Values",
        "WebMarkup",
      ]),

    // Meaning.
    .target(name: "Text", dependencies: ["CICU", "CStemmer"]),
    .target(name: "Query", dependencies: ["Text", "Values"]),

    // What applications say of their items' attributes; no engine inside.
    .target(
      name: "Schema", dependencies: ["Cryptography", "Events", "Query", "Text", "Values"]),

    // Pages of the web as values; no engine inside.
    .target(name: "WebMarkup", dependencies: ["CICU", "Compression", "Events", "Values"]),
    // Pages of the web as servers give them; the library knows nothing of it.
    .target(name: "Crawling", dependencies: ["COpenSSL", "WebMarkup"]),

    // ActivityWatch's events and the language its pages ask in; no engine inside.
    .target(name: "ActivityWatch", dependencies: ["CICU", "Events", "Values"]),

    // Folds of the log.
    .target(
      name: "Projections",
      dependencies: ["EventLog", "Events", "Files", "HashTree", "LMDB", "Values"]),
    .target(
      name: "Catalog",
      dependencies: ["Projections", "Schema", "EventLog", "Events", "LMDB", "Values"]),
    .target(
      name: "TextIndex", dependencies: ["Files", "Projections", "Text", "LMDB", "Values", heap]),
    .target(name: "Ranking", dependencies: ["Projections", "LMDB", "Values", heap]),
    .target(name: "Timeline", dependencies: ["Projections", "LMDB", "Values"]),
    .target(name: "Columns", dependencies: ["Projections", "LMDB", "Values"]),

    // What shows, also without the store, that a log has not been changed.
    .target(
      name: "Evidence",
      dependencies: ["EventLog", "Events", "Files", "HashTree", "LMDB", "Projections", "Values"]
    ),

    // What people use.
    .target(
      name: "Cairn",
      dependencies: [
        "Values", "Files", "LMDB", "Events", "HashTree", "EventLog", "Evidence", "Migrations",
        "Text",
        "Query",
        "Schema",
        "Projections", "Catalog", "TextIndex", "Ranking", "Timeline", "Columns", heap,
      ]
    ),
    // What assistants may ask, by their protocol.
    .target(name: "Assistant", dependencies: ["Cairn", "Events", "Rows"]),
    .target(
      name: "Evaluation",
      dependencies: ["Cairn", "EventLog", "Events", "Ranking", "Text"]
    ),
    // Rows and lines as JSON, which the command and the server write alike.
    .target(name: "Rows", dependencies: ["Cairn", "Evaluation", "Importers", "Values"]),
    // The store over HTTP.
    .target(
      name: "CairnServer",
      dependencies: [
        "ActivityWatch", "Assistant", "Cairn", "Cryptography", "Files", "Importers", "LMDB", "Rows",
        "Values",
        nioCore, nioHTTP, nioPosix,
      ],
      resources: [.embedInCode("Pages/Assets/Files")]
    ),
    .executableTarget(
      name: "CairnCommand",
      dependencies: [
        "Assistant", "CBuild", "Cairn", "CairnServer", "Crawling", "Cryptography", "Evaluation",
        "Files", "Importers", "Rows", "WebMarkup", arguments,
      ]
    ),

    // Tests.
    .target(name: "TestSupport", dependencies: ["Values"], path: "Tests/TestSupport"),
    // One projection in a file of its own, with events that are made up.
    .target(
      name: "ProjectionSupport",
      dependencies: ["Events", "LMDB", "Projections", "TestSupport"],
      path: "Tests/ProjectionSupport"
    ),
    .testTarget(
      name: "ValuesTests",
      dependencies: ["Values", "TestSupport"],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]
    ),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "TestSupport"]),
    .testTarget(name: "FilesTests", dependencies: ["Files", "Values", "TestSupport"]),
    .testTarget(
      name: "LMDBTests",
      dependencies: ["CLMDB", "LMDB", "TestSupport"],
      exclude: ["CompileFail"]
    ),
    .testTarget(
      name: "EventsTests",
      dependencies: ["Events", "Migrations", "TestSupport"],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "ImportersTests",
      dependencies: [
        "Importers", "Compression", "Cryptography", "Events", "Values", "TestSupport",
      ]
    ),
    .testTarget(
      name: "HashTreeTests", dependencies: ["Cryptography", "Evidence", "HashTree", "TestSupport"]),
    .testTarget(
      name: "EventLogTests",
      dependencies: ["EventLog", "LMDB", "Events", "HashTree", "TestSupport"],
      exclude: ["Golden"]
    ),
    .testTarget(name: "TextTests", dependencies: ["Text", "TestSupport"]),
    .testTarget(name: "QueryTests", dependencies: ["Query", "Values", "TestSupport"]),
    .testTarget(
      name: "ActivityWatchTests", dependencies: ["ActivityWatch", "Events", "TestSupport"],
      exclude: ["Golden", "Oracle"]),
    .testTarget(
      name: "SchemaTests", dependencies: ["Schema", "Events", "Values", "TestSupport"]),
    .testTarget(name: "WebMarkupTests", dependencies: ["WebMarkup", "TestSupport"]),
    .testTarget(name: "CrawlingTests", dependencies: ["Crawling", "WebMarkup", "TestSupport"]),
    .testTarget(
      name: "TextIndexTests",
      dependencies: ["TextIndex", "Text", "LMDB", "TestSupport"]
    ),
    .testTarget(
      name: "ProjectionsTests",
      dependencies: ["Projections", "LMDB", "TestSupport"]
    ),
    .testTarget(
      name: "CatalogTests",
      dependencies: ["Catalog", "Projections", "EventLog", "Events", "LMDB", "TestSupport"]
    ),
    .testTarget(
      name: "TimelineTests",
      dependencies: [
        "Timeline", "Projections", "Events", "LMDB", "ProjectionSupport", "TestSupport",
      ]
    ),
    .testTarget(
      name: "ColumnsTests",
      dependencies: ["Columns", "Projections", "LMDB", "TestSupport"]
    ),
    .testTarget(
      name: "RankingTests",
      dependencies: ["Ranking", "Projections", "LMDB", "Events", "TestSupport"]
    ),
    .testTarget(
      name: "CairnTests",
      dependencies: [
        "Cairn", "Catalog", "Evaluation", "Files", "HashTree", "LMDB", "EventLog", "Migrations",
        "Projections", "Ranking", "Rows", "TextIndex", "TestSupport",
      ]
    ),
    .testTarget(name: "AssistantTests", dependencies: ["Assistant", "Cairn"]),
    .testTarget(
      name: "CommandTests",
      dependencies: ["CairnCommand", "Cryptography", "TestSupport"],
      exclude: ["Interop/Go", "Interop/Python"]
    ),
    .testTarget(
      name: "ServerTests",
      dependencies: ["ActivityWatch", "CairnServer", "Cairn", "Rows", "TestSupport"]
    ),
    .testTarget(name: "DecoderTests", dependencies: decoderTests, exclude: ["Findings", "Fuzz"]),
  ],
  swiftLanguageModes: [.v6]
)

// Apple's systems have these modules themselves.
#if os(Linux)
  package.products += [
    .library(name: "CoreSpotlight", targets: ["CoreSpotlight"]),
    .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    .library(name: "MobileCoreServices", targets: ["MobileCoreServices"]),
    .library(name: "CoreServices", targets: ["CoreServices"]),
    .library(name: "Intents", targets: ["Intents"]),
    .library(name: "OSLog", targets: ["OSLog"]),
  ]
  package.targets += [
    .target(name: "UniformTypeIdentifiers"),
    .target(name: "MobileCoreServices"),
    .target(name: "CoreSpotlight", dependencies: ["Cairn", "UniformTypeIdentifiers"]),
    .target(name: "CoreServices", dependencies: ["CoreSpotlight", "MobileCoreServices"]),
    .target(name: "Intents", dependencies: ["CoreSpotlight"]),
    .target(name: "OSLog"),
    .testTarget(
      name: "CoreSpotlightTests",
      dependencies: [
        "CoreSpotlight", "UniformTypeIdentifiers", "MobileCoreServices", "CoreServices", "Intents",
        "OSLog", "Cairn", "CairnCommand", "EmployeeDirectory", "FilmList", "FriendsList", "LMDB",
        "RecipeBox", "TestSupport",
      ],
      exclude: ["Programs"]
    ),
  ]
  for example in ["EmployeeDirectory", "FilmList", "FriendsList", "RecipeBox"] {
    package.targets.append(
      .executableTarget(
        name: example,
        dependencies: ["CoreSpotlight"],
        path: "Sources/Examples/\(example)"
      )
    )
  }
#endif

// What `make bench` measures with; nobody else needs to build it.
if Context.environment["CAIRN_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "CairnBench",
      dependencies: [
        "Cairn", "CoreSpotlight", "Cryptography", "EventLog", "LMDB", "Projections", "Ranking",
        "Text",
        "TextIndex",
      ]
    )
  )
}

// What `make fuzz` runs: the entry points of DecoderTests, which can be in one target at a time.
if Context.environment["CAIRN_FUZZ"] != nil {
  package.targets.removeAll { $0.name == "DecoderTests" }
  package.targets.append(
    .executableTarget(
      name: "CairnFuzz",
      dependencies: decoders,
      path: "Tests/DecoderTests",
      exclude: ["DecoderTests.swift", "Findings"]
    )
  )
}

// One place for the settings of every target of ours.
for target in package.targets
where target.type != .system && !["CICU", "CBuild"].contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .strictMemorySafety(),
      .treatAllWarnings(as: .error),
      .treatWarning("DeprecatedDeclaration", as: .warning),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
