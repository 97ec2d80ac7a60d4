import Cairn
import Files
import Synchronization

/// The settings of ActivityWatch's pages: any JSON by a name, kept in a file of the store.
package final class WatchSettings: Sendable {
  private let path: String
  private let values: Mutex<JSONObject?>

  private static let byteCountMax = 16 << 20

  init(directory: String) {
    path = directory + "/serve.settings"
    values = Mutex(nil)
  }

  private func asking<R: Sendable>(_ body: (inout JSONObject) throws(Refusal) -> R) throws(Refusal)
    -> R
  {
    try values.withLock { (values) throws(Refusal) -> R in
      var known = values ?? JSONObject()
      if values == nil {
        let bytes = try answering { () throws(CairnError) in
          try FileBytes.read(path, limit: Self.byteCountMax)
        }
        if let bytes { known = try JSONBody.object(bytes) }
      }
      let result = try body(&known)
      values = known
      return result
    }
  }

  /// All of them, as one object.
  func all() throws(Refusal) -> [UInt8] {
    try asking { known in
      JSONValue.object(known).text
    }
  }

  func value(_ key: String) throws(Refusal) -> [UInt8]? {
    try asking { known in
      known[key]?.text
    }
  }

  /// Sets or removes one; on disk when it returns.
  func set(_ key: String, _ value: JSONValue?) throws(Refusal) {
    try asking { (known) throws(Refusal) in
      known[key] = value
      let text = String(decoding: JSONValue.object(known).text, as: UTF8.self)
      try answering { () throws(CairnError) in
        try SmallFile.replace(path, with: text, isSecret: true)
      }
    }
  }
}
