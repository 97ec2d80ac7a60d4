import Cryptography

extension Witness {
  /// Where a witness publishes what it cosigned last of a log: the SHA-256 of the origin in
  /// hexadecimal digits (C2SP tlog-witness, "get-checkpoint").
  package static func folder(of origin: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(origin.utf8)).bytes)
  }
}
