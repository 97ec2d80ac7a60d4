import Catalog
import LMDB
import Projections

/// All projections of a generation compared with their digests, in parts for threads to share.
///
/// The text index is most of the work, everything else the other half.
struct ProjectionAudit: Sendable {
  /// What was found of one projection, or of those that are read together.
  enum Finding {
    case digests(ProjectionName, DigestPair)
    case failed(String, CairnError)
  }

  private let pages: LazyTask<Void>
  private let text: LazyTask<DigestPair>
  private let others: LazyTask<(digests: [ProjectionName: DigestPair], names: CatalogNames)>

  init(_ generation: Generation) {
    // Pages first: reading rows through a damaged one may end the process, on whatever thread.
    let pages = LazyTask { () throws(CairnError) in try generation.environment.checkStructure() }
    let others = LazyTask { () throws(CairnError) in
      try pages.value()
      return try generation.otherDigests()
    }
    text = LazyTask { () throws(CairnError) in
      try pages.value()
      // Whoever waits for the others throws what they met.
      return try generation.textDigest { try? others.value().names }
    }
    self.others = others
    self.pages = pages
  }

  /// Compares the text index, unless somebody does or did; the first to call checks the pages.
  func lookAtText() { text.runIfFirst() }

  /// Compares the others, unless somebody does or did, or their pages are still being checked.
  func lookAtOthers() { if pages.isDone { others.runIfFirst() } }

  /// Throws when the pages of the file are damaged; nothing else was looked at then.
  func checkPages() throws(CairnError) { try pages.value() }

  /// What was found, in the order of the projections; looks at what nobody looked at yet.
  func findings() -> [Finding] {
    let others = Result { () throws(CairnError) in try self.others.value() }
    let text = Result { () throws(CairnError) in try self.text.value() }
    var findings: [Finding] = []
    for name in Generation.names {
      do throws(CairnError) {
        if name == TextProjection.name {
          findings.append(.digests(name, try text.get()))
        } else if let pair = try others.get().digests[name] {
          findings.append(.digests(name, pair))
        }
      } catch {
        // Those that are read together fail together, and that is one finding.
        if name == TextProjection.name || name == Catalog.name {
          findings.append(.failed(name.text, error))
        }
      }
    }
    return findings
  }
}
