import Events
import Migrations
import Testing

@Suite struct `The same identity twice` {
  @Test(arguments: [
    // Spelling, order and what the log adds do not count.
    (
      #"{"kind":"view","item":"é","source":"s"}"#,
      #"{ "source":"s","item":"\u00e9","kind":"view","recorded":5,"sequence":9,"hash":"x"}"#, true
    ), (#"{"kind":"view","item":"a","time":1}"#, #"{"kind":"view","item":"a","recorded":1}"#, true),
    (
      #"{"kind":"view","item":"a","domain":"d","time":1,"actor":"x"}"#,
      #"{"kind":"view","item":"a","domain":"d","actor":"x","recorded":1}"#, true
    ),
    (
      #"{"kind":"view","item":"a","time":"1970-01-01T00:00:01Z"}"#,
      #"{"kind":"view","item":"a","time":1.0}"#, true
    ),
    (
      #"{"kind":"index","item":"a","attributes":{"keywords":"a, b"},"schema":1}"#,
      #"{"kind":"index","item":"a","attributes":{"keywords":["a","b"]}}"#, true
    ),
    (
      #"{"kind":"index","item":"a","time":3,"attributes":{"keywords":"a, b"},"schema":1}"#,
      #"{"kind":"index","item":"a","attributes":{"keywords":["a","b"]},"schema":2,"recorded":3}"#,
      true
    ), (#"{"kind":"view","item":"a","attributes":{}}"#, #"{"kind":"view","item":"a"}"#, true),
    // What was said does.
    (#"{"kind":"view","item":"a","time":1}"#, #"{"kind":"view","item":"a","time":2}"#, false),
    (#"{"kind":"view","item":"a","time":1}"#, #"{"kind":"view","item":"a"}"#, false),
    (#"{"kind":"view","item":"a","time":1}"#, #"{"kind":"view","item":"a","recorded":2}"#, false),
    (#"{"kind":"view","item":"a"}"#, #"{"kind":"view","item":"b"}"#, false),
    (#"{"kind":"view","item":"a"}"#, #"{"kind":"index","item":"a"}"#, false),
    (#"{"kind":"view","item":"a","time":1}"#, #"{"kind":"view","item":"b"}"#, false),
    (#"{"kind":"view","item":"a","time":1}"#, #"{"kind":"view","item":"a","actor":"x"}"#, false),
    (#"{"kind":"view","item":"é"}"#, #"{"kind":"view","item":"e\u0301"}"#, false),
    (
      #"{"kind":"index","item":"a","attributes":{"keywords":"a, b"}}"#,
      #"{"kind":"index","item":"a","attributes":{"keywords":["a","b"]}}"#, false
    ), (#"{"kind":"view","item":"a","x":1}"#, #"{"kind":"view","item":"a","x":1.0}"#, false),
    (#"{"kind":"update","item":"a","domain":null}"#, #"{"kind":"update","item":"a"}"#, false),
  ]) func `is one event if it says the same`(_ a: String, _ b: String, _ same: Bool) throws {
    let first = try EventLine.parse(Array(a.utf8))
    let second = try EventLine.parse(Array(b.utf8))
    #expect(try first.hasSameContent(as: second, upcasting: Migrations.chain) == same)
    #expect(try second.hasSameContent(as: first, upcasting: Migrations.chain) == same)
  }
}
