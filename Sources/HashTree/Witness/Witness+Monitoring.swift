import Cryptography

extension Witness {
  /// Where a witness publishes what it cosigned last of a log: the SHA-256 of the origin in
  /// hexadecimal digits (C2SP tlog-witness, "get-checkpoint").
  package static func folder(of origin: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = SHA256.hash(Array(origin.utf8)).bytes.flatMap {
      [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
