#if Server
  import NIOCore
  import Synchronization

  /// Leaves the next connection in the system's queue while too many are open, and closes the one
  /// that has asked nothing for longest: idle connections, and those that never end what they send,
  /// keep nobody out.
  ///
  /// One for each socket that is listened at; they share the count.
  final class AcceptLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = any Channel

    private let count: ConnectionCount
    private var mustRead = false
    private var context: ChannelHandlerContext?

    init(_ count: ConnectionCount) { self.count = count }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let loop = context.eventLoop
      count.whenThereIsRoom { loop.execute { bound.value.resume() } }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func read(context: ChannelHandlerContext) {
      guard count.hasRoom else {
        mustRead = true
        count.closeIdlest()
        return
      }
      context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let channel = unwrapInboundIn(data)
      let count = count
      count.add(1)
      count.expect(1)
      channel.closeFuture.whenComplete { _ in count.add(-1) }
      context.fireChannelRead(data)
    }

    private func resume() {
      guard mustRead, count.hasRoom else { return }
      mustRead = false
      context?.read()
    }
  }

  package final class ConnectionCount: Sendable {
    private struct State {
      var count = 0
      /// What closes connections without a request in hand, by when they had the last one.
      var idle: [UInt64: @Sendable () -> Void] = [:]
      /// The same for connections that have not sent the whole of their request.
      var sending: [UInt64: @Sendable () -> Void] = [:]
      var nextTicket: UInt64 = 0
      var waiting: [@Sendable () -> Void] = []
      /// How many have a request on its way, as far as anybody can tell.
      var expectingCount = 0
      /// How many have an answer that is not out.
      var owingCount = 0
      var isEnding = false
    }

    private let state = Mutex(State())
    private let countMax: Int

    package init(countMax: Int) { self.countMax = countMax }

    var hasRoom: Bool { state.withLock { $0.count < countMax } }
    var current: Int { state.withLock { $0.count } }
    /// Whether no connection is to be kept for another request.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    func end() { state.withLock { $0.isEnding = true } }

    /// Whether a connection has had no request yet, or has begun to send one.
    var isExpecting: Bool { state.withLock { $0.expectingCount > 0 } }

    func expect(_ difference: Int) { state.withLock { $0.expectingCount += difference } }

    /// Whether a connection has an answer that its client has not taken yet.
    var isOwing: Bool { state.withLock { $0.owingCount > 0 } }

    func owe(_ difference: Int) { state.withLock { $0.owingCount += difference } }

    func add(_ difference: Int) {
      let woken = state.withLock { state in
        state.count += difference
        return difference < 0 && state.count == countMax - 1 ? state.waiting : []
      }
      for wake in woken { wake() }
    }

    /// Notes that a connection has no request in hand, or has only begun to send one.
    /// - Returns: A ticket to be given back with the next request, or at the end of this one.
    package func beginIdling(isSending: Bool, _ close: @escaping @Sendable () -> Void) -> UInt64 {
      state.withLock { state in
        state.nextTicket += 1
        if isSending {
          state.sending[state.nextTicket] = close
        } else {
          state.idle[state.nextTicket] = close
        }
        return state.nextTicket
      }
    }

    package func endIdling(_ ticket: UInt64) {
      state.withLock { state in
        state.idle[ticket] = nil
        state.sending[ticket] = nil
      }
    }

    /// Closes the connection that has been idle for longest; where none is, the one that has been
    /// sending its request for longest.
    package func closeIdlest() {
      let close = state.withLock { state in
        state.idle.keys.min().flatMap { state.idle.removeValue(forKey: $0) }
          ?? state.sending.keys.min().flatMap { state.sending.removeValue(forKey: $0) }
      }
      close?()
    }

    func whenThereIsRoom(_ body: @escaping @Sendable () -> Void) {
      state.withLock { $0.waiting.append(body) }
    }
  }
#endif
