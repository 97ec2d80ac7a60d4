import Events

/// One message of JSON-RPC 2.0.
struct RPCRequest {
  /// The JSON of its id; nil for a notification.
  let id: [UInt8]?
  let method: String
  let parameters: JSONObject
  /// False for parameters in an array, which the protocol does not have, and for null.
  let hasNamedParameters: Bool

  init(_ bytes: [UInt8]) throws(RPCFailure) {
    let value: JSONValue
    do throws(CairnError) {
      value = try JSONValue(parsing: bytes.span, refusesDuplicateKeys: true)
    } catch { throw .parse }
    guard case .object(let members) = value, case .string("2.0")? = members["jsonrpc"],
      let method = members["method"]?.string
    else { throw .invalid }
    self.method = method
    switch members["id"] {
    case nil: id = nil
    case .string?, .number?: id = members["id"]?.text
    default: throw .invalid
    }
    switch members["params"] {
    case nil: (parameters, hasNamedParameters) = (JSONObject(), true)
    case .object(let given)?: (parameters, hasNamedParameters) = (given, true)
    default: (parameters, hasNamedParameters) = (JSONObject(), false)
    }
  }

  /// The revision that the request itself names.
  var version: String? {
    parameters["_meta"]?.object?["io.modelcontextprotocol/protocolVersion"]?.string
  }

  var toolName: String? { parameters["name"]?.string }

  /// What a call gives its tool; nil for what is no object.
  var arguments: JSONObject? {
    switch parameters["arguments"] {
    case nil, .null?: JSONObject()
    case .object(let given)?: given
    default: nil
    }
  }
}
