import Cairn
import Synchronization

/// The settings of ActivityWatch's pages: any JSON by a name, kept in a file of the store.
package final class WatchSettings: Sendable {
  private let file: KeptFile
  private let values: Mutex<JSONObject?>

  init(directory: String) {
    file = KeptFile(path: directory + "/serve.settings", byteCountMax: 16 << 20)
    values = Mutex(nil)
  }

  private func asking<R: Sendable>(_ body: (inout JSONObject) throws(Refusal) -> R) throws(Refusal)
    -> R
  {
    try values.withLock { (values) throws(Refusal) -> R in
      var known = values ?? JSONObject()
      if values == nil, let bytes = try answering(file.read()) {
        // Whatever else it holds is damage, and no fault of who asks.
        guard case .object(let members)? = try? JSONValue(parsing: bytes.span) else {
          throw Refusal(
            CairnError(.corrupt, "holds something other than settings", place: file.path))
        }
        known = members
      }
      let result = try body(&known)
      values = known
      return result
    }
  }

  /// All of them, as one object.
  func all() throws(Refusal) -> [UInt8] { try asking { JSONValue.object($0).text } }

  func value(_ key: String) throws(Refusal) -> [UInt8]? { try asking { $0[key]?.text } }

  /// Sets or removes one; on disk when it returns.
  func set(_ key: String, _ value: JSONValue?) throws(Refusal) {
    try asking { (known) throws(Refusal) in
      known[key] = value
      try answering(file.replace(with: JSONValue.object(known).text))
    }
  }
}
