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

  func read() throws(CairnError) -> JSONObject {
    guard let bytes = try file.read() else { return JSONObject() }
    // Whatever else it holds is damage, and no fault of who asks.
    guard let members = JSONObject(json: bytes) else {
      throw CairnError(.corrupt, "holds something other than settings", place: file.path)
    }
    return members
  }

  private func asking<R: Sendable>(_ body: (inout JSONObject) throws(Refusal) -> R) throws(Refusal)
    -> R
  {
    try values.withLock { (values) throws(Refusal) -> R in
      var known: JSONObject
      if let values { known = values } else { known = try answering(read()) }
      let result = try body(&known)
      values = known
      return result
    }
  }

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
