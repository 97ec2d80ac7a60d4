#if Server
  package import Cairn
  import Files
  import Glibc
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import Synchronization

  /// Sockets that are listened at, and the connections they accepted.
  package final class Listener: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let connections: ConnectionCount
    private let accept: @Sendable (Exchange) -> Route.Lane
    private let channels = Mutex<[any Channel]>([])

    private static let connectionCountMax: UInt64 = 256
    private static let connectionCountMin: UInt64 = 16
    /// Files that are left to the store and to what is done in it.
    private static let otherFileCount: UInt64 = 64

    /// - Parameter accept: Takes a request to be answered and returns at once: how long the answer
    ///   may take.
    package init(accept: @escaping @Sendable (Exchange) -> Route.Lane) {
      self.accept = accept
      connections = ConnectionCount(countMax: Self.connectionCount(ofFiles: Self.openFileMax))
    }

    /// How many connections there is room for where so many files may be open: to accept one too
    /// many would fail again and again, and let nobody in.
    package static func connectionCount(ofFiles count: UInt64) -> Int {
      let room = count > otherFileCount ? count - otherFileCount : 0
      return Int(min(connectionCountMax, max(connectionCountMin, room)))
    }

    /// How many files the process may have open.
    private static var openFileMax: UInt64 {
      var limit = rlimit()
      // SAFETY: the call fills the one structure it is given.
      let status = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return status == 0 ? UInt64(limit.rlim_cur) : .max
    }

    package var connectionCount: Int { connections.current }
    /// Whether a request may be on its way over a connection that was accepted.
    package var expectsRequests: Bool { connections.isExpecting }
    /// Whether an answer that is no feed is not with its client yet.
    package var owesAnswers: Bool { connections.isOwing }

    /// Begins to listen; connections are accepted from now on.
    /// - Returns: The address with the port that was free, where 0 was asked for.
    /// - Throws: `busy` when the address is taken, `io` for anything else.
    package func listen(at address: ListenAddress) throws(CairnError) -> ListenAddress {
      switch address {
      case .ip(let host, let port):
        let channel = try bind(address) {
          try bootstrap(.network).bind(host: host, port: port).wait()
        }
        return .ip(host: host, port: channel.localAddress?.port ?? port)
      case .unix(let path):
        try UnixSocketFile.clear(path)
        let mask = umask(0o177)
        defer { umask(mask) }
        _ = try bind(address) {
          try bootstrap(nil).bind(unixDomainSocketPath: path).wait()
        }
        return address
      }
    }

    /// Accepts connections of a socket that another program opened.
    package func listen(at socket: InheritedSockets.Socket) throws(CairnError) {
      let peer: Request.Peer? = if case .unix = socket.address { nil } else { .network }
      _ = try bind(socket.address) {
        try bootstrap(peer).withBoundSocket(socket.descriptor).wait()
      }
    }

    private func bind(_ address: ListenAddress, _ body: () throws -> any Channel)
      throws(CairnError) -> any Channel
    {
      do {
        let channel = try body()
        channels.withLock { $0.append(channel) }
        return channel
      } catch {
        let number = (error as? IOError)?.errnoCode ?? EIO
        guard number != EADDRINUSE else {
          throw CairnError(
            .busy, "the address is taken by another program; choose another with --listen",
            place: address.url)
        }
        throw CairnError(
          .io, "cannot be listened at: \(CairnError.reason(of: number))", place: address.url)
      }
    }

    private func bootstrap(_ peer: Request.Peer?) -> ServerBootstrap {
      let (accept, connections) = (accept, connections)
      return ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 1_024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.maxMessagesPerRead, value: 1)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptLimit(connections))
          }
        }
        .childChannelOption(.autoRead, value: false)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let peer = peer ?? PeerCredentials.peer(of: channel)
            let connection = ConnectionHandler(peer: peer, connections, accept: accept)
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = ConnectionLimits.headerByteCount
            limits.maxHeaderListSize =
              ConnectionLimits.headerByteCount + ConnectionLimits.lineByteCount
            limits.maxHeaderFieldCount = ConnectionLimits.headerCount + 1
            let decoder = HTTPRequestDecoder(
              leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ArrivalHandler(connection))
            try pipeline.addHandler(ByteToMessageHandler(decoder))
            try pipeline.addHandler(HTTPResponseEncoder())
            try pipeline.addHandler(connection)
          }
        }
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
    }

    /// Accepts no more connections; those that are open go on until their request is answered.
    package func stopAccepting() {
      connections.end()
      let channels = channels.withLock { channels in
        defer { channels = [] }
        return channels
      }
      // A listener that is closed already accepts nothing either.
      for channel in channels { try? channel.close().wait() }
    }

    /// Closes every connection.
    package func shutDown() {
      stopAccepting()
      try? group.syncShutdownGracefully()
    }
  }

  /// Tells a connection that bytes came, before they make a request.
  ///
  /// Those behind its last request go no further.
  private final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionHandler

    init(_ connection: ConnectionHandler) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard connection.takesMore else { return }
      connection.bytesArrived(unwrapInboundIn(data))
      context.fireChannelRead(data)
    }
  }
#endif
