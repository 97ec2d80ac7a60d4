import Cairn
import Rows

/// The buckets of a store, kept in a file of it in the order in which they were made.
struct BucketFile: Sendable {
  private let file: KeptFile

  init(directory: String) {
    file = KeptFile(path: directory + "/serve.buckets", byteCountMax: 16 << 20)
  }

  func read() throws(CairnError) -> [String: Bucket] {
    guard let bytes = try file.read() else { return [:] }
    var buckets: [String: Bucket] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard var bucket = Bucket(line) else {
        throw CairnError(.corrupt, "holds a line that is no bucket", place: file.path)
      }
      bucket.number = buckets.count
      buckets[bucket.id] = bucket
    }
    return buckets
  }

  func write(_ buckets: [String: Bucket]) throws(CairnError) {
    var text: [UInt8] = []
    for bucket in buckets.values.sorted(by: { $0.number < $1.number }) {
      text += JSONLine.value { $0.fields(of: bucket) } + [UInt8(ascii: "\n")]
    }
    try file.replace(with: text)
  }
}

extension Bucket {
  fileprivate init?(_ line: ArraySlice<UInt8>) {
    // The caller refuses the file of a line that is none.
    guard let members = JSONObject(json: line), let id = members["id"]?.string,
      let type = members["type"]?.string, let client = members["client"]?.string,
      let hostname = members["hostname"]?.string, let created = members["created"]?.string
    else { return nil }
    self.init(id: id, type: type, client: client, hostname: hostname, created: created)
    if let data = members["data"]?.object { self.data = data }
  }
}

extension JSONLine {
  /// The fields of a bucket as ActivityWatch gives them.
  mutating func fields(of bucket: Bucket) {
    field("id", bucket.id)
    field("name", json: "null".utf8)
    field("type", bucket.type)
    field("client", bucket.client)
    field("hostname", bucket.hostname)
    field("created", bucket.created)
    field("data", json: JSONValue.object(bucket.data).text)
  }
}
