internal import CICU

/// A regular expression as watchers' rules and queries write it: Python's syntax, run by ICU with
/// a bound on its work and its stack.
@safe package final class ActivityPattern {
  /// Why a pattern gave no answer.
  package enum Failure: Error, Sendable {
    /// It is no regular expression.
    case syntax
    /// It looked at too many ways to match.
    case tooSlow
  }

  /// SAFETY: open from `init` to `deinit`, used by one thread at a time.
  private let handle: OpaquePointer

  /// A pattern.
  /// - Throws: `.syntax`
  package init(_ pattern: String, ignoresCase: Bool) throws(Failure) {
    guard let translated = PatternTranslation.icu(pattern) else { throw .syntax }
    let units = Array(translated.utf16)
    // SAFETY: ICU copies the units before it returns.
    let opened = unsafe units.withUnsafeBufferPointer { buffer in
      unsafe cairn_pattern_open(
        buffer.baseAddress, Int32(clamping: buffer.count), ignoresCase ? 1 : 0)
    }
    guard let opened = unsafe opened else { throw .syntax }
    unsafe handle = opened
  }

  deinit { unsafe cairn_pattern_close(handle) }

  /// Whether it matches anywhere in a text.
  /// - Throws: `.tooSlow`
  package func isFound(in text: String) throws(Failure) -> Bool {
    let units = Array(text.utf16)
    // SAFETY: ICU is done with the units when it returns.
    let found = unsafe units.withUnsafeBufferPointer { buffer in
      unsafe cairn_pattern_find(handle, buffer.baseAddress, Int32(clamping: buffer.count))
    }
    guard found >= 0 else { throw .tooSlow }
    return found == 1
  }
}

extension ActivityPattern {
  convenience init(query pattern: String, ignoresCase: Bool) throws(QueryFailure) {
    do throws(Failure) { try self.init(pattern, ignoresCase: ignoresCase) } catch {
      throw .function("A regular expression of the query cannot be read.")
    }
  }

  func isFound(inQuery text: String) throws(QueryFailure) -> Bool {
    do throws(Failure) { return try isFound(in: text) } catch {
      throw .function("A regular expression of the query takes too long.")
    }
  }
}
