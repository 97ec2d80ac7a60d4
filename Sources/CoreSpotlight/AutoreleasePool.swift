/// Runs a body, which on Apple's systems also releases what Objective-C had put off.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
