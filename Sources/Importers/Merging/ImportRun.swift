import Events
package import Values

/// One import: reads any number of files and gives their events in the order of time.
package final class ImportRun {
  /// What became of one file.
  package struct File: Sendable {
    package var path: String
    package var format: String
    package var events = 0
    package var skipped: [String: Int] = [:]
    package var malformed = 0
    package var first: Int64?
    package var last: Int64?
    package var untimed = 0
    /// Whether files of its format that are not so short have what it has of their time.
    var isShort = false
    package var failure: CairnError?

    package init(path: String, format: String) {
      self.path = path
      self.format = format
    }
  }

  package private(set) var files: [File] = []
  /// The first items of which all that is counted is known.
  package private(set) var knownItems: [String] = []
  private static let knownItemCountMax = 100
  private var options: ImportOptions
  private let ids: DerivedID
  /// What is known of uses that are counted, those of the files read so far among them.
  private var past: PastUses
  /// The same before the file that is being read: what that says twice adds up.
  private var known: PastUses
  /// What the store knew before.
  private let stored: PastUses
  /// Whether counts of several files add up, as those of different programs do, and as those in one
  /// archive do in any case; else each is taken for a newer copy of the one before, as in an import
  /// of its own.
  package var addsCounts = false
  /// Whether visits that a database tells one by one are compared with what an export of the same
  /// program counts, which comes after it.
  package var countsVisits = false
  private let sorter: EventSorter
  /// Told of every malformed record: the file, where, and why.
  private let malformed: (String, RecordPlace, String, [UInt8]) -> Void
  private let isWanted: () -> Bool

  /// An import into a store; `isWanted` is asked now and then, and ends reading with `aborted`.
  package init(
    options: ImportOptions, ids: DerivedID, past: PastUses = PastUses(),
    isWanted: @escaping () -> Bool = { true },
    malformed: @escaping (String, RecordPlace, String, [UInt8]) -> Void
  ) {
    self.options = options
    self.ids = ids
    self.past = past
    known = past
    stored = past
    self.malformed = malformed
    self.isWanted = isWanted
    sorter = EventSorter(scratch: options.scratch)
  }

  /// Reads a file; what cannot be read at all is noted in ``files``.
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - format: What it is.
  ///   - repository: What the items of a git repository begin with; nil for their bare paths.
  ///   - host: The machine that it is from; nil for that of the import.
  ///   - home: What `~` was; nil for that of the import.
  /// - Throws: `CairnError` where going on makes no sense: the scratch folder is full, or whoever
  ///   wanted the events wants no more.
  package func read(
    _ path: String, as format: any HistoryFormat.Type, repository: RepositoryName? = nil,
    host: String? = nil, home: String? = nil
  ) throws(CairnError) {
    let general = options
    defer { options = general }
    options.repository = repository
    options.host = host ?? options.host
    options.home = home ?? options.home
    do throws(CairnError) {
      try read(try InputFile(path, options: options), as: format)
    } catch {
      if [.io, .diskFull, .aborted].contains(error.code) { throw error }
      // Of an archive it is one of those that it holds.
      let path = error.place.map { "\(path)/\($0)" } ?? path
      if files.last?.path != path || files.last?.failure != nil {
        files.append(File(path: path, format: format.name))
      }
      files[files.count - 1].failure = error
    }
  }

  /// Reads the histories in an archive; of one format only, where one is given.
  private func readArchive(_ file: InputFile, _ wanted: (any HistoryFormat.Type)?)
    throws(CairnError)
  {
    // What it holds is of different programs, or of different profiles of one.
    let addsCounts = addsCounts
    if !addsCounts { known = past }
    self.addsCounts = true
    defer { self.addsCounts = addsCounts }
    var count = 0
    let holdsArchives = try Archive.forEachHistory(of: file, options) {
      (member, format) throws(CairnError) in
      guard wanted == nil || wanted == format else { return }
      count += 1
      do throws(CairnError) { try self.readOne(member, as: format) } catch {
        if [.io, .diskFull, .aborted].contains(error.code) { throw error }
        self.files[self.files.count - 1].failure = error
      }
    }
    guard count == 0 else { return }
    let none = "holds no \(wanted?.name ?? "history that cairn knows")"
    throw CairnError(
      .malformed, holdsArchives ? none + ", but another archive; unpack it first" : none)
  }

  /// Reads a file, or what it holds where it is an archive.
  package func read(_ file: InputFile, as format: any HistoryFormat.Type) throws(CairnError) {
    if format == ArchivedHistories.self || !file.isFolder && Archive.recognises(file) {
      return try readArchive(file, format == ArchivedHistories.self ? nil : format)
    }
    try readOne(file, as: format)
  }

  private func readOne(_ file: InputFile, as format: any HistoryFormat.Type) throws(CairnError) {
    let index = files.count
    files.append(File(path: file.path, format: format.name))
    if !file.isFolder || !format.readsFolders { try file.requireBytes() }
    let collector = Collector(
      options: options, malformed: { self.malformed(file.path, $0, $1, $2) },
      event: { (event) throws(CairnError) in
        try self.take(event, source: format.source, index: index, modified: file.modified)
      })
    if !addsCounts { known = past }
    past.beginFile()
    let before = past
    current = collector
    defer {
      current = nil
      files[index].malformed = collector.malformedCount
      files[index].isShort = collector.isShortHistory
      for (reason, count) in collector.skipped { files[index].skipped[reason, default: 0] += count }
    }
    do throws(CairnError) {
      try format.read(file, into: collector)
      if file.hasRest {
        collector.record = { [] }
        collector.malformed(
          .byte(Int(file.byteCount)), "something else stands behind what is packed in the file")
      }
    } catch {
      past = before
      // What is wrong with it as UTF-8 would mislead.
      throw error.code == .malformed && file.isUTF16 ? InputFile.utf16 : error
    }
  }

  private var current: Collector?

  private func take(_ event: ImportedEvent, source: String, index: Int, modified: Int64)
    throws(CairnError)
  {
    if count % 1_024 == 0, !isWanted() { throw CairnError(.aborted, "nobody wants the events") }
    if let reason = options.refusal(of: event, from: source, modified: modified) {
      files[index].skipped[reason, default: 0] += 1
      return
    }
    if past.isTold(event, from: source) {
      files[index].skipped["told by the other export", default: 0] += 1
      return
    }
    if countsVisits, source == Safari.source, !event.isAggregate, let time = event.time {
      known.note(visit: event.item, time, unlessIn: stored)
      past.note(visit: event.item, time, unlessIn: stored)
    }
    var event = event
    if event.isAggregate {
      var application: String?
      if case .string(let text)? = event.attributes["application"] { application = text }
      let key = PastUses.key(source: source, item: event.item, application: application)
      event.visits = known.newVisits(event, key: key)
      guard event.visits > 0 else {
        files[index].skipped["as known", default: 0] += 1
        if knownItems.count < Self.knownItemCountMax { knownItems.append(event.item) }
        return
      }
      past.note(key, visits: event.visits, time: event.time ?? .min, source: source)
    }
    let isUntimed = event.time == nil || event.identity.isUntimed
    guard !isUntimed || files[index].untimed < Self.untimedCountMax else {
      current?.malformed(event.place, "one of more than \(Self.untimedCountMax) without a time")
      return
    }
    let encoded: EncodedEvent
    do throws(CairnError) {
      encoded = try event.event(source: source, id: ids.make(event.identity), untimed: modified)
        .encoded()
    } catch {
      current?.malformed(event.place, error.message)
      return
    }
    let time = event.order ?? event.time ?? modified
    files[index].events += 1
    if isUntimed { files[index].untimed += 1 }
    if let time = event.time {
      files[index].first = min(files[index].first ?? time, time)
      files[index].last = max(files[index].last ?? time, time)
    }
    try sorter.add(
      SortedEntry(
        event: encoded, time: time, file: index, place: event.place,
        isPageVisit: event.identity.isPageVisit, isRedirect: event.transition == .redirect,
        counted: event.identity.countPlace == nil ? nil : event.identity))
  }

  /// More lines without a time than any program keeps.
  ///
  /// Equal ones among them are counted in memory.
  private static let untimedCountMax = 1_000_000

  package var count: Int { sorter.count }

  /// How many of them ``forEachEvent(_:)`` has come to, those that it does not give among them.
  package private(set) var mergedCount = 0

  /// Gives every event of every file that could be read, oldest first.
  ///
  /// Of several visits of a page at one microsecond it gives one, and the one that did not only
  /// lead elsewhere.
  package func forEachEvent<Failure>(_ body: (SortedEntry) throws(Failure) -> Void)
    throws(MergeError<Failure>)
  {
    var moment: [SortedEntry] = []
    var equals = EqualRecords(ids: ids)
    let longer = longerHistories()
    mergedCount = 0
    try sorter.forEach { (sorted) throws(Failure) in
      mergedCount += 1
      guard files[sorted.file].failure == nil else { return }
      if longer[sorted.file]?.contains(where: { $0.contains(sorted.time) }) == true {
        return leaveOut(sorted, Self.inLongerHistory)
      }
      var entry = sorted
      equals.tellApart(&entry)
      if let first = moment.first, first.time != entry.time || moment.count >= Self.momentCountMax {
        try pass(&moment, body)
      }
      guard entry.isPageVisit || !moment.isEmpty else { return try body(entry) }
      moment.append(entry)
    }
    do throws(Failure) { try pass(&moment, body) } catch { throw .body(error) }
  }

  /// What is said of a visit that another file has, too.
  private static let sameVisit = "same page and microsecond"

  /// What is said of an event that the longer history of the same program has.
  private static let inLongerHistory = "in the extended history"

  /// What ``forEachEvent(_:)`` alone tells.
  package static let toldByMerge: Set = [sameVisit, inLongerHistory]

  /// For each short history the times of which longer ones tell, each of its own: one between two
  /// of them may not be there.
  private func longerHistories() -> [Int: [ClosedRange<Int64>]] {
    var longer: [Int: [ClosedRange<Int64>]] = [:]
    for index in files.indices where files[index].isShort {
      longer[index] = files.compactMap { other in
        guard other.format == files[index].format, !other.isShort, other.failure == nil,
          let first = other.first, let last = other.last
        else { return nil }
        // The short one of Spotify tells whole minutes.
        return (first - 60_000_000)...last
      }
    }
    return longer
  }

  private func leaveOut(_ entry: SortedEntry, _ reason: String) {
    files[entry.file].skipped[reason, default: 0] += 1
    files[entry.file].events -= 1
  }

  /// Events of one microsecond that are compared with one another.
  private static let momentCountMax = 4096

  private func pass<Failure>(
    _ moment: inout [SortedEntry], _ body: (SortedEntry) throws(Failure) -> Void
  ) throws(Failure) {
    if moment.count == 1, let only = moment.first {
      moment.removeAll(keepingCapacity: true)
      return try body(only)
    }
    var places: [EventID: Int] = [:]
    var kept: [SortedEntry] = []
    for entry in moment {
      guard entry.isPageVisit, let id = entry.event.id, let place = places[id] else {
        if entry.isPageVisit, let id = entry.event.id { places[id] = kept.count }
        kept.append(entry)
        continue
      }
      let isBetter = kept[place].isRedirect && !entry.isRedirect
      let other = isBetter ? kept[place] : entry
      leaveOut(other, Self.sameVisit)
      if isBetter { kept[place] = entry }
    }
    moment.removeAll(keepingCapacity: true)
    for entry in kept { try body(entry) }
  }
}
