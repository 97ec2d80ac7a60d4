#if Server
  import Glibc
  import NIOCore
  import NIOPosix

  /// Who is at the other end of a Unix socket (`SO_PEERCRED`, unix(7)).
  enum PeerCredentials {
    /// As `ucred` of socket.h, which not every C library shows to Swift.
    private struct Credentials {
      var process: Int32
      var user: UInt32
      var group: UInt32
    }

    static func peer(of channel: any Channel) -> Request.Peer {
      guard let provider = channel as? any SocketOptionProvider else { return .network }
      let option: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
        level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
      // On the event loop, where the channel is being made, it is there at once.
      let box = NIOLoopBoundBox<Credentials?>(nil, eventLoop: channel.eventLoop)
      option.assumeIsolated().whenSuccess { box.value = $0 }
      guard let credentials = box.value else { return .network }
      return credentials.user == geteuid() ? .sameUser : .network
    }
  }
#endif
