package import Testing
package import Values

/// Expects the body to throw an error of this code.
@discardableResult package func expectError<R>(
  _ code: CairnError.Code, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> R
) -> CairnError? {
  do {
    _ = try body()
    Issue.record("no error where \(code) was expected", sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect((error as? CairnError)?.code == code, comment(), sourceLocation: sourceLocation)
    return error as? CairnError
  }
}
