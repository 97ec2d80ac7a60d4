import Foundation
import TestSupport
import Testing

/// Limits that prose repeats are those of the code: who changes one is told what to renew.
@Suite struct StatedLimitTests {
  /// What prose says, and the declaration that it repeats.
  struct Stated: Sendable, CustomTestStringConvertible {
    var prose: String
    var says: String
    var code: String
    var declares: String

    var testDescription: String { "\(prose): \(says)" }
  }

  private static func stated(
    _ prose: String, _ code: String, _ pairs: KeyValuePairs<String, String>
  ) -> [Stated] {
    pairs.map { Stated(prose: prose, says: $0.key, code: code, declares: $0.value) }
  }

  static let all: [Stated] = Array([server, importers, web, store, spotlight].joined().joined())

  private static var server: [[Stated]] {
    let article = "Sources/Cairn/Cairn.docc/Server.md"
    return [
      stated(
        article, "Sources/CairnServer/Routes/Service.swift",
        [
          "run on 32 threads": "threadCount = 32",
          "256 more wait": "waitingCount = 256",
          "256 connections, 64 feeds": "feedCount = 64",
          "JSON body 1 MiB": "jsonByteCount = 1 << 20",
          "as one JSON 16 MiB": "eventsByteCount = 16 << 20",
          "a line of NDJSON 4 MiB": "lineByteCount = 4 << 20",
          "an import 1 GiB": "importByteCount = 1 << 30",
        ]),
      stated(
        article, "Sources/CairnServer/Listening/Listener.swift",
        ["256 connections": "connectionCountMax: UInt64 = 256"]),
      stated(
        article, "Sources/CairnServer/Listening/ConnectionHandler.swift",
        [
          "request line 16 KiB": "lineByteCount = 16 * 1_024",
          "headers 32 KiB": "headerByteCount = 32 * 1_024",
          "KiB or 100 |": "headerCount = 100",
          "headers within 10 s": "headSeconds: Int64 = 10",
          "idle 75 s": "idleSeconds: Int64 = 75",
          "an answer 30 s": "answerSeconds: Int64 = 30",
          "takes nothing for a minute": "takeSeconds: Int64 = 60",
        ]),
      stated(
        article, "Sources/CairnServer/Pages/Forms/LoginRoutes.swift",
        ["a cookie for 30 days": "cookieSeconds = 30 * 86_400"]),
      stated(
        article, "Sources/CairnServer/Rules/LoginLinks.swift",
        ["within two minutes": "life = Duration.seconds(120)"]),
      stated(
        article, "Sources/CairnServer/ActivityWatch/WatchedItem.swift",
        ["name over 4,096 bytes": "itemByteCountMax = 4_096"]),
      stated(
        article, "Sources/CairnServer/Listening/AnswerStream.swift",
        ["256 KiB are held for it": "outstandingCountMax = 256 * 1_024"]),
      stated(
        article, "Sources/CairnServer/Listening/RequestBody.swift",
        ["through 256 KiB at most": "bufferedCountMax = 256 * 1_024"]),
      stated(
        article, "Sources/CairnServer/Operation/StoreHealth.swift",
        ["hold for over 30 s": "patience = Duration.seconds(30)"]),
    ]
  }

  private static var importers: [[Stated]] {
    let article = "Sources/Cairn/Cairn.docc/Importers.md"
    return [
      stated(
        article, "Sources/Importers/Merging/EventSorter.swift",
        ["in runs of 24 MiB": "rowByteCountMax: Int = 24 << 20) {"]),
      stated(
        article, "Sources/Importers/Merging/ImportRun.swift",
        ["at most 1,000,000 records without a time": "untimedCountMax = 1_000_000"]),
      stated(
        article, "Sources/Importers/Input/LineStream.swift",
        ["of more than 4 MiB is refused alone": "byteCountMax = 4 << 20"]),
      stated(
        "Sources/Cairn/Cairn.docc/Search.md", "Sources/Text/Tokens/TextLimits.swift",
        ["A query has 256 words at most": "queryTermCount = 256"]),
      stated(
        "Sources/Cairn/Cairn.docc/Search.md", "Sources/TextIndex/Search/QueryPlan.swift",
        ["those after the 64th are looked for": "groupCountMax = 64"]),
      stated(
        article, "Sources/Events/Model/EventLimits.swift",
        ["a line of events: of more than 32 MiB": "lineByteCount = 32 << 20"]),
      stated(
        article, "Sources/Importers/Input/JSONStream.swift",
        ["a value of more than 8 MiB": "valueByteCountMax = 8 << 20"]),
      stated(
        article, "Sources/Importers/Input/CSVRows.swift",
        ["a row of a CSV of more than 8 MiB": "rowByteCountMax = 8 << 20"]),
      stated(
        article, "Sources/CairnCommand/Commands/Recording/Append.swift",
        ["in batches of 8,192": "records = 8_192"]),
    ]
  }

  private static var web: [[Stated]] {
    let article = "Sources/Cairn/Cairn.docc/WebMarkup.md"
    return [
      stated(
        article, "Sources/WebMarkup/HTML/Tree/HTMLLimits.swift",
        [
          "512 levels": "depth = 512",
          "256 attributes an element": "attributes = 256",
          "2,097,152 nodes": "nodes = 1 << 21",
        ]),
      stated(
        article, "Sources/Crawling/Site/CrawlQueue.swift",
        [
          "500,000 and 64 MiB of URLs": "countMax = 500_000",
          "500,000 and 64 MiB of URLs": "byteCountMax = 64 << 20",
        ]),
      stated(
        article, "Sources/CairnCommand/Web/PageFetcher.swift",
        ["ten redirects": "redirectMax = 10"]),
      stated(
        article, "Sources/CairnCommand/Web/KnownPages.swift",
        ["under `items`, up to 64": "partCountMax = 64"]),
      stated(
        article, "Sources/Catalog/Folding/CatalogFold+Parts.swift",
        ["Up to 64 are parts": "countMax = 64"]),
    ]
  }

  private static var store: [[Stated]] {
    [
      stated(
        "Sources/Cairn/Cairn.docc/Processes.md", "Sources/Cairn/Rebuilding/GenerationBuild.swift",
        ["fewer than 256 events": "lastBatchCount: UInt64 = 256"]),
      stated(
        "Sources/Cairn/Cairn.docc/Processes.md", "Sources/Cairn/Rebuilding/Store+Compact.swift",
        ["32 MB and a fifth": "worthwhileByteCount = 32 << 20"]),
      stated(
        "Sources/Cairn/Cairn.docc/Processes.md", "Sources/CairnCommand/Input/EventSink.swift",
        ["65,536 events or more": "compactedCount = 65_536"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/EventLog/Format/LogLimits.swift",
        ["at most 1,890 bytes": "rowByteCount = 1_890"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/EventLog/Format/EventHeader.swift",
        ["header (48)": "secondByteCount = 48"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/Catalog/NameBlock.swift",
        ["identifiers of up to 16 items": "itemCount: UInt32 = 16"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/Catalog/MemberBlock.swift",
        ["domain ‖ ordinal / 1,024": "itemCount: UInt32 = 1_024"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/Timeline/Timeline.swift",
        ["up to 32 records": "blockCount: UInt64 = 32"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/Ranking/Uses/UseHistory.swift",
        ["chunks of 16 uses": "chunkCount = 16"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/Columns/Columns.swift",
        ["texts over 1,024 bytes": "textByteCountMax = 1_024"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/Columns/ColumnBlock.swift",
        ["more than 254 values": "valueCountMax = 254"]),
      stated(
        "Sources/Cairn/Cairn.docc/Format.md", "Sources/LMDB/Pages/Limits.swift",
        ["longer than 1,896 bytes": "valueByteCountMax = 1_900 - checksumByteCount"]),
      stated(
        "Sources/Cairn/Cairn.docc/Search.md", "Sources/Columns/ColumnCache.swift",
        ["up to 128 MiB": "byteCountMax = 128 << 20"]),
      stated(
        "Sources/Cairn/Cairn.docc/Search.md", "Sources/Columns/ColumnBlock.swift",
        ["a row for 1,024 items": "itemCount = 1_024"]),
      stated(
        "Sources/Cairn/Store/Store+Append.swift", "Sources/EventLog/Format/LogLimits.swift",
        [
          "Up to 100,000 are committed together": "requestEventCount = 100_000",
          "a part of more than 256 MiB": "requestByteCount = 256 << 20",
        ]),
      stated(
        "Sources/CairnCommand/Commands/Rebuilding/Rebuild.swift",
        "Sources/Cairn/Rebuilding/Store+Rebuild.swift",
        [
          "512M unless given": "rebuildMemory = 512 << 20",
          "64M at least": "rebuildMemoryMin = 64 << 20",
        ]),
      stated(
        "Sources/Schema/Reading/SchemaDefinition+Reading.swift",
        "Sources/Schema/Reading/SchemaLimits.swift",
        ["The bytes, at most 1 MiB": "byteCount = 1 << 20"]),
      stated(
        "Sources/Cairn/Cairn.docc/Schemas.md", "Sources/Schema/Reading/SchemaLimits.swift",
        ["4 MiB": "madeByteCount = 4 << 20"]),
      stated(
        "Sources/Schema/Model/AttributeDeclaration.swift",
        "Sources/Schema/Reading/SchemaLimits.swift",
        ["above 0, at most 100": "weight = 100.0"]),
      stated(
        "Sources/Events/Model/Event.swift", "Sources/Events/Model/EventLimits.swift",
        ["1…4096 bytes of UTF-8": "itemByteCount = 4096"]),
      stated(
        "Sources/Events/Model/EventLimits.swift", "Sources/EventLog/Format/LogLimits.swift",
        ["more than 64 MiB of payload": "payloadByteCount = 64 << 20"]),
      stated(
        "Sources/Cairn/Erasure/Store+Retention.swift",
        "Sources/Cairn/Erasure/RetentionRule.swift",
        ["Keeps 1 to 1,000,000,000 events or days": "countMax = 1_000_000_000"]),
      stated(
        "Sources/Cairn/Moments/Store+Snapshots.swift",
        "Sources/EventLog/Format/LogLimits.swift",
        ["1 to 480 bytes": "nameByteCount = 480"]),
      stated(
        "Sources/Cairn/Cairn.docc/Decisions.md",
        "Sources/LMDB/Environment/Environment+Configuration.swift",
        ["64 GiB of addresses": "mapByteCount: Int = 1 << 36,"]),
      stated(
        "Sources/Cairn/Scoring/SearchRequest.swift", "Sources/TextIndex/Terms/IndexLimits.swift",
        ["fewer than five items": "typoHelpCount = 5"]),
      stated(
        "Sources/Cairn/Scoring/SearchRequest.swift",
        "Sources/Cairn/Searching/SearchQuery+Ties.swift",
        ["8,192": "tieCountMax = 8_192"]),
      stated(
        "Sources/Cairn/Searching/Moment+Spelling.swift",
        "Sources/TextIndex/Terms/IndexLimits.swift",
        ["fewer than five items": "typoHelpCount = 5"]),
      stated(
        "Sources/Cairn/Searching/Moment+Suggest.swift",
        "Sources/Cairn/Searching/PastQueries.swift",
        ["the latest 4,096 selections": "countMax = 4_096"]),
      stated(
        "Sources/Cairn/Searching/SearchHit.swift", "Sources/Cairn/Searching/Snippet.swift",
        ["at most 64 KiB are looked at": "scannedByteCountMax = 65_536"]),
    ]
  }

  private static var spotlight: [[Stated]] {
    let article = "Sources/CoreSpotlight/CoreSpotlight.docc/Rules.md"
    return [
      stated(
        "Sources/CoreSpotlight/Index/CSSearchableIndex.swift",
        "Sources/CoreSpotlight/Store/IndexWriter.swift",
        ["of more than 65,536": "eventCountMax = 65_536"]),
      stated(
        "Sources/CoreSpotlight/Index/CSSearchableIndex.swift",
        "Sources/CoreSpotlight/Index/IndexBatch.swift",
        ["Up to 250 bytes": "stateByteCountMax = 250"]),
      stated(
        "Sources/CoreSpotlight/Index/CSIndexError.swift",
        "Sources/CoreSpotlight/Index/IndexBatch.swift",
        ["longer than 250 bytes": "stateByteCountMax = 250"]),
      stated(
        article, "Sources/CoreSpotlight/Index/IndexBatch.swift",
        ["up to 250 bytes": "stateByteCountMax = 250"]),
      stated(
        article, "Sources/CoreSpotlight/Store/IndexWriter.swift",
        ["up to 65,536 items": "eventCountMax = 65_536"]),
      stated(
        article, "Sources/Query/Syntax/QueryLimits.swift",
        [
          "at most 65,536 bytes": "byteCountMax = 64 * 1024",
          "1,024 comparisons": "termCountMax = 1_024",
          "parentheses 128 deep": "depthMax = 128",
        ]),
    ]
  }

  @Test(arguments: all) func `a limit in prose is that of the code`(stated: Stated) throws {
    let prose = try Self.words(of: stated.prose)
    let code = try Self.words(of: stated.code)
    #expect(code.contains(stated.declares + " "), "\(stated.code) declares another limit")
    #expect(prose.contains(stated.says), "\(stated.prose) says something else")
  }

  /// A file as one line, without the marks of its comments.
  private static func words(of path: String) throws -> String {
    let text = try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    let words = text.split(whereSeparator: \.isWhitespace).filter { $0 != "///" }
    return words.joined(separator: " ") + " "
  }
}
