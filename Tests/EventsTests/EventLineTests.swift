import Events
import Testing

/// What a line becomes when it is read and written again.
func roundTrip(_ line: String) throws -> String {
  let event = try EventLine.parse(Array(line.utf8))
  var output: [UInt8] = []
  try EventJSON.append(event, to: &output)
  return String(decoding: output, as: UTF8.self)
}

@Suite struct `An event line` {
  @Test(arguments: [
    (#"{"kind":"view","item":"a"}"#, #"{"kind":"view","item":"a","schema":2}"#),
    (
      #" { "attributes" : {"title":"x","n":1.0,"i":1,"k":["a",true,null],"d":{"base64":"AQI="}}, "item":"\u00e9\n", "kind":"index" } "#,
      #"{"kind":"index","item":"é\n","attributes":{"d":{"base64":"AQI="},"i":1,"k":["a",true,null],"n":1.0,"title":"x"},"schema":2}"#
    ),
    (
      #"{"kind":"delete","domain":"a.b","x":{"b":[1,2.50,-0,1e400],"a":{}},"sequence":9,"hash":"?"}"#,
      #"{"kind":"delete","domain":"a.b","schema":2,"x":{"a":{},"b":[1,2.50,-0,1e400]}}"#
    ),
    (
      #"{"kind":"select","item":"i","time":1700000000.123456789,"query":"q","position":2,"shown":["a","i"],"dwell":5,"latency":0.25,"deliberate":false,"id":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8"}"#,
      #"{"kind":"select","item":"i","time":"2023-11-14T22:13:20.123456789Z","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","query":"q","position":2,"shown":["a","i"],"dwell":5,"latency":0.25,"deliberate":false,"schema":2}"#
    ),
  ]) func `comes back in the contract's shape`(_ line: String, _ expected: String) throws {
    #expect(try roundTrip(line) == expected)
    #expect(try roundTrip(expected) == expected)
  }
}
