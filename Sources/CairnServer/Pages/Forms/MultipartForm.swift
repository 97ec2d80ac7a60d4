/// The parts of a form with files (`multipart/form-data`, RFC 7578).
enum MultipartForm {
  static let type = "multipart/form-data"
  private static let partCountMax = 256

  /// What each part of a body holds, without its headers; the header names the line in between.
  /// - Throws: 400 for a body that is no such form, or ends in the middle of a part.
  static func parts(of body: [UInt8], _ contentType: String) throws(Refusal) -> [ArraySlice<UInt8>]
  {
    guard let boundary = boundary(contentType) else { throw malformed }
    let delimiter = Array("--\(boundary)".utf8)
    let lineEnd = Array("\r\n".utf8)
    guard var rest = body.firstRange(of: delimiter).map({ body[$0.upperBound...] }) else {
      throw malformed
    }
    var parts: [ArraySlice<UInt8>] = []
    while !rest.starts(with: "--".utf8) {
      guard rest.starts(with: lineEnd), parts.count < partCountMax,
        let head = rest.firstRange(of: lineEnd + lineEnd),
        let end = rest[head.upperBound...].firstRange(of: lineEnd + delimiter)
      else { throw malformed }
      parts.append(rest[head.upperBound..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return parts
  }

  private static let malformed = Refusal(
    400, "malformed", "the body is no whole form of multipart/form-data", place: "body")

  private static func boundary(_ contentType: String) -> String? {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "boundary" else {
        continue
      }
      let text = pair[1].filter { $0 != "\"" && $0 != " " }
      // As RFC 2046 §5.1.1 has it.
      return (1...70).contains(text.utf8.count) ? text : nil
    }
    return nil
  }
}
