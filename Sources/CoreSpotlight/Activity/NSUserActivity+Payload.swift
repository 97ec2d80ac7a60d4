extension NSUserActivity {
  /// Puts the members of a value into `userInfo`, in place of those with the same names.
  /// - Throws: What encoding throws; `EncodingError.invalidValue` for a value without members.
  public func setTypedPayload<Payload: Codable>(_ payload: Payload) throws {
    let data = try JSONEncoder().encode(payload)
    guard let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
      throw EncodingError.invalidValue(
        payload,
        EncodingError.Context(codingPath: [], debugDescription: "a payload needs named members"))
    }
    addUserInfoEntries(from: members)
  }

  /// A value of the members that `userInfo` has.
  /// - Throws: What decoding throws when members are missing or of another type.
  public func typedPayload<Payload: Codable>(_ type: Payload.Type) throws -> Payload {
    let members = (userInfo ?? [:]).reduce(into: [String: Any]()) { members, entry in
      guard let name = entry.key as? String,
        JSONSerialization.isValidJSONObject([name: entry.value])
      else { return }
      members[name] = entry.value
    }
    let data = try JSONSerialization.data(withJSONObject: members)
    return try JSONDecoder().decode(type, from: data)
  }
}
