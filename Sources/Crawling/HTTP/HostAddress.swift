import Glibc

/// An address of a host, in the form that the system connects to.
struct HostAddress {
  /// The bytes of a `sockaddr_in` or `sockaddr_in6`.
  let bytes: [UInt8]
  let family: Int32

  /// The addresses of a host, as the system's resolver gives them.
  /// - Throws: `FetchFault` where there is none, and where all are private and these are refused.
  static func of(_ host: String, port: Int, allowsPrivate: Bool) throws(FetchFault) -> [HostAddress]
  {
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    // SAFETY: the texts are NUL-ended copies, and the list is freed below.
    let status = unsafe getaddrinfo(name, String(port), &hints, &list)
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    guard status == 0 else { throw FetchFault(.unanswered, "the name \(name) is not known") }
    var all: [HostAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      // SAFETY: the resolver says how long each address is.
      if let address = unsafe entry.pointee.ai_addr {
        let bytes = unsafe Array(
          UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen)))
        all.append(HostAddress(bytes: bytes, family: unsafe entry.pointee.ai_family))
      }
      unsafe next = entry.pointee.ai_next
    }
    let allowed = allowsPrivate ? all : all.filter { !$0.isPrivate }
    guard !allowed.isEmpty else {
      throw FetchFault(.privateAddress, "\(name) is not on the public network; see --allow-private")
    }
    return allowed
  }

  /// Whether it is none of the public network's: loopback, private, link-local, unspecified,
  /// multicast and the like (IANA's registries of special-purpose addresses), mapped forms too.
  var isPrivate: Bool {
    if family == AF_INET, bytes.count >= 8 { return Self.isPrivate(v4: Array(bytes[4..<8])) }
    guard family == AF_INET6, bytes.count >= 24 else { return true }
    let v6 = Array(bytes[8..<24])
    let isZero = v6[0..<10].allSatisfy { $0 == 0 }
    if isZero, v6[10...11] == [0xff, 0xff] || v6[10...11] == [0, 0] {
      return v6[10] == 0 || Self.isPrivate(v4: Array(v6[12...]))
    }
    // NAT64 and 6to4 carry an address of version 4.
    if v6.starts(with: [0x00, 0x64, 0xff, 0x9b]) { return Self.isPrivate(v4: Array(v6[12...])) }
    if v6.starts(with: [0x20, 0x02]) { return Self.isPrivate(v4: Array(v6[2..<6])) }
    return v6[0] & 0xfe == 0xfc || v6[0] == 0xfe || v6[0] == 0xff
      || v6.starts(with: [0x20, 0x01, 0x0d, 0xb8])
  }

  private static func isPrivate(v4: [UInt8]) -> Bool {
    switch (v4[0], v4[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224..., _): true
    case (100, 64...127), (172, 16...31), (198, 18...19): true
    case (192, 0): v4[2] == 0 || v4[2] == 2
    case (198, 51): v4[2] == 100
    case (203, 0): v4[2] == 113
    default: false
    }
  }
}
