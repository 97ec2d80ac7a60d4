import Events

@testable import Schema

/// A schema file, and the steps in it on events that fit them or not.
enum SchemaDecoders {
  static let files: [[UInt8]] = [
    #"""
    {"cairnSchema":1,"domains":{"news":{"unknown":"refuse","attributes":{"title":{"type":"text",
    "required":true,"language":"en"},"ex_kind":{"type":"keyword","facet":true,"aliases":["kind_of"],
    "default":"unknown"},"ex_year":{"type":"integer","sortable":true}}},"":{"invalid":"keep"}}}
    """#,
    #"""
    {"cairnSchema":1,"domains":{"a.b":{"attributes":{"ex_x":{"type":"text","multi":true,"weight":2.5,
    "maxLength":9,"searchable":true,"note":"n"},"ex_t":{"type":"time"},"ex_p":{"type":"place"}}}},
    "upcasters":[{"domain":"a.b","op":"split","from":"n","to":["g","f"],"at":" "},
    {"domain":"a","op":"join","from":["g","f"],"to":"n","with":", "},
    {"domain":"a.b","op":"split","from":"n","to":"ex_x","at":","},{"domain":"a","op":"drop","key":"d"}]}
    """#,
    #"""
    {"cairnSchema":1,"domains":{},"upcasters":[{"domain":"a","op":"rename","from":"n","to":"m"},
    {"domain":"a","op":"map","key":"m","values":{"good":5,"?":null,"3":true},"else":0},
    {"domain":"a","op":"convert","key":"c","type":"integer"},{"domain":"a","op":"move","to":"b.c"},
    {"domain":"b","op":"default","key":"e","value":[1]}]}
    """#,
    #"{"cairnSchema":1,"domains":{}}"#,
  ].map { Array($0.utf8) }

  private static let attributes: Attributes = [
    "title": .string("é x"), "n": .string("Ada King, Noel"), "g": .null, "m": .string("good"),
    "c": .double(1.5e300), "d": .array([.string("y"), .null]), "ex_x": .array([.integer(.min)]),
    "ex_year": .string("1999"), "ex_t": .bool(true),
  ]

  static func file(_ bytes: [UInt8]) throws {
    guard let schema = try? SchemaDefinition(parsing: bytes) else { return }
    let again = try SchemaDefinition(parsing: schema.canonical)
    try DecoderFault.require(again.digest == schema.digest, "a schema changes when written again")
    try DecoderFault.require(
      SchemaDifference.between(schema, again).isEmpty, "a schema differs from itself")
    _ = try SchemaDefinition(recorded: schema.document)
    _ = SchemaDifference.between(.none, schema)
    var roles = [EventShape.Role.index, .firstView, .update, .laterView, .other].map {
      EventShape(role: $0, domain: .value("a.b"), attributes: attributes, had: attributes)
    }
    for (number, step) in schema.upcasters.enumerated() {
      for role in roles.indices {
        var event = roles[role]
        step.apply(to: &event, named: "\(number)")
        step.inverse?.apply(to: &roles[role], named: "\(number)")
        roles[role] = event
      }
    }
    for domain in ["", "news", "a.b.c"] {
      let rules = schema.effective(domain)
      _ = rules.fault(of: attributes, .makes)
      _ = rules.faults(ofShown: rules.shown(attributes))
    }
  }
}
