import Values

/// Commands that hold a password or a token in so many words.
///
/// Only what is hardly ever anything else: a secret in another form is kept, and a variable
/// (`password=$PW`) is none.
package enum CommandSecret {
  /// What such commands are counted as where they are left out.
  package static let reason = "with a secret"

  /// Whether a command holds one.
  /// - Complexity: O(bytes of the command).
  static func isIn(_ command: String) -> Bool {
    let typed = Array(command.utf8)
    let text = typed.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    var hasClient = false
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "="), UInt8(ascii: ":"): if isAssigned(text, at: index) { return true }
      case UInt8(ascii: " "):
        if isCredential(text, after: index) || isOption(text, at: index, hasClient: hasClient)
          || isAttached(text, typed, after: index) || isSet(text, at: index)
        {
          return true
        }
        hasClient = hasClient || clients.contains { text[..<index].suffix(4).elementsEqual($0) }
      case UInt8(ascii: "/"): if isUser(text, after: index) { return true }
      case UInt8(ascii: "a"), UInt8(ascii: "g"), UInt8(ascii: "h"), UInt8(ascii: "x"):
        if isKey(text, from: index) { return true }
      default: continue
      }
    }
    return false
  }

  private static let names = [
    "password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key",
    "access_key", "access-key", "accesskey", "secret_key", "secret_key_base",
  ].map { Array($0.utf8) }

  /// `password=hunter2`, in a word, a URL or an environment, `$password = "hunter2"` of PowerShell
  /// and `"password": "hunter2"` of JSON; of four characters or more.
  private static func isAssigned(_ text: [UInt8], at sign: Int) -> Bool {
    var (name, rest) = (text[..<sign], text[(sign + 1)...])
    let isJSON = text[sign] == UInt8(ascii: ":")
    if isJSON || name.last == UInt8(ascii: " ") {
      while name.last == UInt8(ascii: " ") { name = name.dropLast() }
      if isJSON {
        guard let quote = name.last, quotes.contains(quote) else { return false }
        name = name.dropLast()
        if name.last == UInt8(ascii: "\\") { name = name.dropLast() }
      }
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      if rest.first == UInt8(ascii: "\\") { rest = rest.dropFirst() }
      // What has no quotes is a path, a name of a program's or no text at all.
      guard let first = rest.first, quotes.contains(first) else { return false }
    }
    guard names.contains(where: { name.suffix($0.count).elementsEqual($0) }) else { return false }
    return (value(rest)?.count ?? 0) >= 4
  }

  /// A value as a shell reads it, without quotes; nil for a variable, the output of a command or a
  /// place to be filled in.
  private static func value(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var text = text
    if let quote = text.first, quotes.contains(quote) { text = text.dropFirst() }
    guard let first = text.first, !elsewhere.contains(first), !wordEnds.contains(first) else {
      return nil
    }
    return text.prefix { !wordEnds.contains($0) }
  }

  private static let quotes = Set("\"'".utf8)
  private static let elsewhere = Set("$<{([%".utf8)
  private static let wordEnds = Set("\"'`&; \n\t".utf8)

  private static let options = [
    "--password", "--passwd", "--passphrase", "--token", "--api-key", "--api_key", "--apikey",
    "--access-key",
    "--secret-key", "secret_access_key", "sshpass -p",
  ].map { Array($0.utf8) }
  /// Programs with an option for a user and a password.
  private static let clients = [Array("curl".utf8), Array("wget".utf8)]
  private static let userOptions = [" -u", " --user", " --proxy-user"].map { Array($0.utf8) }

  /// `--password hunter2`; `curl -u name:hunter2`.
  private static func isOption(_ text: [UInt8], at space: Int, hasClient: Bool) -> Bool {
    let before = text[..<space]
    func ends(with option: [UInt8]) -> Bool { before.suffix(option.count).elementsEqual(option) }
    let isSecret = options.contains(where: ends)
    guard isSecret || hasClient && userOptions.contains(where: ends),
      let word = value(text[(space + 1)...])
    else { return false }
    if isSecret { return word.count >= 4 && word.first != UInt8(ascii: "-") }
    let colon = word.firstIndex(of: UInt8(ascii: ":"))
    return colon.map { value(word[($0 + 1)...]) != nil } ?? false
  }

  /// `sshpass -phunter2`, `mysql -phunter2`; in most programs `-p` is something else.
  private static func isAttached(_ text: [UInt8], _ typed: [UInt8], after space: Int) -> Bool {
    let rest = text[(space + 1)...]
    // `-P` is a port.
    guard typed[(space + 1)...].starts(with: "-p".utf8), (value(rest.dropFirst(2))?.count ?? 0) >= 4
    else { return false }
    return text[..<space].suffix(7).elementsEqual("sshpass".utf8)
      || words(before: space, of: text).contains(where: databaseClients.contains)
  }

  /// `set -gx API_TOKEN hunter2` of fish; `docker login -p hunter2`.
  private static func isSet(_ text: [UInt8], at space: Int) -> Bool {
    let before = text[..<space]
    let isName = names.contains { before.suffix($0.count).elementsEqual($0) }
    guard isName || before.suffix(3).elementsEqual(" -p".utf8),
      (value(text[(space + 1)...])?.count ?? 0) >= 4
    else { return false }
    let words = words(before: space, of: text)
    if let login = words.firstIndex(of: "login"), words.last == "-p" {
      return login > 0 && logins.contains(words[login - 1])
    }
    guard words.count > 2, words[0] == "set", words[1...].dropLast().allSatisfy({ $0.first == "-" })
    else { return false }
    return isName && (words.last ?? "").utf8.allSatisfy(\.isASCIIWord)
  }

  private static let databaseClients: Set = ["mysql", "mysqldump", "mysqladmin", "mariadb"]
  private static let separators = Set(";&|\n".utf8)
  private static let logins: Set = ["docker", "podman", "nerdctl", "az", "oc", "helm"]

  /// The words of the command that a blank stands in, up to it, as far as they are near.
  private static func words(before space: Int, of text: [UInt8]) -> [String] {
    let near = text[max(0, space - 256)..<space]
    let start = near.lastIndex { separators.contains($0) }.map { $0 + 1 } ?? near.startIndex
    return text[start..<space].split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// `https://name:hunter2@host`.
  private static func isUser(_ text: [UInt8], after slash: Int) -> Bool {
    guard text[...slash].suffix(3).elementsEqual("://".utf8) else { return false }
    let ends = Set("/\"'` \n\t".utf8)
    let authority = text[(slash + 1)...].prefix { !ends.contains($0) }
    guard let sign = authority.lastIndex(of: UInt8(ascii: "@")),
      let colon = authority[..<sign].firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    return value(authority[(colon + 1)..<sign]) != nil
  }

  /// `Bearer`, or a header such as `Authorization: Basic`, with what such a one has after it.
  private static func isCredential(_ text: [UInt8], after space: Int) -> Bool {
    let word = text[..<space]
    func ends(with mark: String) -> Bool { word.suffix(mark.utf8.count).elementsEqual(mark.utf8) }
    let rest = text[(space + 1)...]
    let count = characters(rest, or: "-._~+/=")
    // A word of prose has no digit.
    let isShort = count < 16 && rest.prefix(count).contains { $0.isASCIIDigit }
    if headers.contains(where: ends) { return count >= (isShort ? 6 : 16) }
    return ends(with: "bearer") && count >= 16
  }

  private static let headers = [
    "authorization: bearer", "authorization: basic", "authorization: token", "x-api-key:",
    "x-auth-token:", "private-token:",
  ]

  /// A key whose maker marks it.
  ///
  /// AWS: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; GitHub:
  /// https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/; GitLab:
  /// https://docs.gitlab.com/security/tokens/; Slack:
  /// https://docs.slack.dev/authentication/tokens/; Hugging Face:
  /// https://huggingface.co/docs/hub/security-tokens.
  private static func isKey(_ text: [UInt8], from start: Int) -> Bool {
    let rest = text[start...]
    if start > 0, isLetterOrDigit(text[start - 1]) { return false }
    if rest.starts(with: "akia".utf8) || rest.starts(with: "asia".utf8) {
      return characters(rest, or: "") == 20
    }
    for (mark, least, others) in marks where rest.starts(with: mark) {
      return characters(rest.dropFirst(mark.count), or: others) >= least
    }
    guard rest.starts(with: "gh".utf8), rest.count > 4, rest[start + 3] == UInt8(ascii: "_"),
      Set("pousr".utf8).contains(rest[start + 2])
    else { return rest.starts(with: "github_pat_".utf8) && characters(rest, or: "_") >= 40 }
    return characters(rest.dropFirst(4), or: "") >= 36
  }

  private static let marks = [
    ("glpat-", 20, "-_"), ("xoxb-", 20, "-"), ("xoxp-", 20, "-"), ("xapp-", 20, "-"),
    ("hf_", 30, ""),
  ].map { (Array($0.0.utf8), $0.1, $0.2) }

  private static func characters(_ text: ArraySlice<UInt8>, or others: String) -> Int {
    let others = Set(others.utf8)
    return text.prefix { isLetterOrDigit($0) || others.contains($0) }.count
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || byte.isASCIIDigit
  }
}
