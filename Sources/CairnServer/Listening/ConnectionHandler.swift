#if Server
  import NIOCore
  import NIOHTTP1

  /// One connection: hands requests to the service one after the other, and sends its answers.
  ///
  /// Everything here runs on the event loop; what blocks runs elsewhere and speaks to it through
  /// `RequestBody` and `AnswerStream`.
  final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let accept: @Sendable (Exchange) -> Route.Lane
    private let peer: Request.Peer
    private let connections: ConnectionCount
    /// Held while no request is in hand, or not all of one.
    private var idleTicket: UInt64?
    private var context: ChannelHandlerContext?

    private var exchange: Exchange?
    /// Whether the request in hand was not handed over yet.
    private var mustAccept = false
    private var request: HTTPRequestHead?
    private var hasRequestEnded = true
    private var hasAnswerEnded = true
    private var closesAfterAnswer = false
    /// Parts of requests that came before the answer to an earlier one was out.
    private var waiting: CircularBuffer<HTTPServerRequestPart> = []
    /// What is wrong with what came after them; told when they are answered.
    private var fault: HTTPParserError?
    /// When it is closed unless something comes before.
    private var closeDeadline: NIODeadline?
    /// When it is closed whatever is under way; nil while the client may send more.
    private var partingDeadline: NIODeadline?
    /// When a request in hand is refused that was not answered.
    private var answerDeadline: NIODeadline?
    /// The next look at the deadlines.
    private var look: (deadline: NIODeadline, task: Scheduled<Void>)?
    private var isReadingHead = false
    /// Whether a request may be on its way.
    ///
    /// So it is from the start, which who accepted the connection counted, until the first one is
    /// there, and while the head of another comes.
    private var expectsRequest = true {
      didSet {
        if expectsRequest != oldValue { connections.expect(expectsRequest ? 1 : -1) }
      }
    }
    /// Whether an answer that is no feed is not out yet.
    private var owesAnswer = false {
      didSet { if owesAnswer != oldValue { connections.owe(owesAnswer ? 1 : -1) } }
    }
    /// The first line of what is being read, as far as it is there.
    private var requestLine = (byteCount: 0, hasEnded: true, namesHTTP: false)
    private var isDraining = false

    private static let headSeconds: Int64 = 10
    private static let idleSeconds: Int64 = 75
    private static let answerSeconds: Int64 = 30
    /// How long a client may take for the end of an answer.
    private static let takeSeconds: Int64 = 60
    private static let drainSeconds: Int64 = 2
    private static let partingMilliseconds: Int64 = 500
    private static let waitingMax = 64

    /// - Parameters:
    ///   - peer: Who is at the other end.
    ///   - connections: Told when no request is in hand.
    ///   - accept: Takes a request to be answered and returns at once how long that may take.
    init(
      peer: Request.Peer, _ connections: ConnectionCount,
      accept: @escaping @Sendable (Exchange) -> Route.Lane
    ) {
      self.peer = peer
      self.connections = connections
      self.accept = accept
    }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      if context.channel.isActive { begin() }
    }

    func channelActive(context: ChannelHandlerContext) { begin() }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    private func begin() {
      guard closeDeadline == nil else { return }
      closeUnlessHeard(within: Self.idleSeconds)
      beginIdling()
      context?.read()
    }

    private func beginIdling(isSending: Bool = false) {
      guard idleTicket == nil, let context, context.channel.isActive else { return }
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let loop = context.eventLoop
      idleTicket = connections.beginIdling(isSending: isSending) {
        loop.execute {
          // A request may have come since, or its end.
          guard bound.value.exchange == nil || !bound.value.hasRequestEnded else { return }
          bound.value.context?.close(promise: nil)
        }
      }
    }

    private func endIdling() {
      if let idleTicket { connections.endIdling(idleTicket) }
      idleTicket = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
      expectsRequest = false
      owesAnswer = false
      endIdling()
      look?.task.cancel()
      exchange?.body.abandon()
      exchange?.answer.close()
      exchange = nil
      mustAccept = false
      context.fireChannelInactive()
    }

    // MARK: Requests

    /// Whether what comes may be part of a request that is answered.
    ///
    /// Behind the last one it is not, and the decoder would hold whatever came.
    var takesMore: Bool { !closesAfterAnswer || !hasRequestEnded }

    /// Bytes came, whatever they are part of.
    func bytesArrived(_ bytes: ByteBuffer) {
      guard exchange == nil, !isDraining else { return }
      if !isReadingHead {
        isReadingHead = true
        expectsRequest = true
        requestLine = (0, false, false)
        closeUnlessHeard(within: Self.headSeconds)
      }
      guard !requestLine.hasEnded else { return }
      let view = bytes.readableBytesView
      let end = view.firstIndex(of: UInt8(ascii: "\n"))
      let line = view[..<(end ?? view.endIndex)]
      requestLine.byteCount += line.count
      requestLine.hasEnded = end != nil
      // Another end, or a control character within, is no matter of the method.
      requestLine.namesHTTP =
        line.suffix(10).elementsEqual(" HTTP/1.1\r".utf8)
        && line.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private func closeUnlessHeard(within seconds: Int64) {
      let deadline = NIODeadline.now() + .seconds(seconds)
      closeDeadline = deadline
      lookAtDeadlines(from: deadline)
    }

    /// Sees to it that a deadline is looked at when it comes.
    ///
    /// Most are moved long before, several times in each request: the look that was scheduled for
    /// an earlier one is enough, and goes on to the next.
    private func lookAtDeadlines(from deadline: NIODeadline) {
      guard let context else { return }
      if let look {
        guard deadline < look.deadline else { return }
        look.task.cancel()
      }
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      look = (
        deadline,
        context.eventLoop.scheduleTask(deadline: deadline) { bound.value.lookAtDeadlines() }
      )
    }

    private func lookAtDeadlines() {
      look = nil
      let now = NIODeadline.now()
      if let deadline = answerDeadline, deadline <= now {
        answerDeadline = nil
        if let exchange {
          exchange.answer.giveUp()
          exchange.answer.refuse(.timeout, to: exchange.request)
        }
      }
      let end = [closeDeadline, partingDeadline].compactMap { $0 }.min()
      if let end, end <= now {
        context?.close(promise: nil)
      } else if let next = [answerDeadline, end].compactMap({ $0 }).min() {
        lookAtDeadlines(from: next)
      }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .inputClosed? = event as? ChannelEvent { inputHasEnded(context) }
      context.fireUserInboundEventTriggered(event)
    }

    /// The client sends nothing more.
    ///
    /// Whether it waits for its answers or went away nobody can tell: what is answered at once
    /// reaches it, and nothing goes on for long when nobody is there.
    private func inputHasEnded(_ context: ChannelHandlerContext) {
      guard exchange != nil, hasRequestEnded else { return context.close(promise: nil) }
      let deadline = NIODeadline.now() + .milliseconds(Self.partingMilliseconds)
      partingDeadline = deadline
      lookAtDeadlines(from: deadline)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if isDraining { return }
      if exchange != nil, hasRequestEnded {
        waiting.append(unwrapInboundIn(data))
      } else {
        take(unwrapInboundIn(data))
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      handOver()
      readIfWanted()
      context.fireChannelReadComplete()
    }

    private func readIfWanted() {
      guard let context, waiting.count < Self.waitingMax else { return }
      if let exchange, !exchange.body.hasRoom, !isDraining { return }
      context.read()
    }

    private func take(_ part: HTTPServerRequestPart) {
      switch part {
      case .head(let head): begin(head)
      case .body(let buffer): exchange?.body.push(Array(buffer.readableBytesView))
      case .end:
        exchange?.body.end()
        hasRequestEnded = true
        endIdling()
        handOver()
        if hasAnswerEnded { next() }
      }
    }

    private func begin(_ head: HTTPRequestHead) {
      guard let context else { return }
      closeDeadline = nil
      endIdling()
      isReadingHead = false
      requestLine.namesHTTP = false
      request = head
      hasRequestEnded = false
      hasAnswerEnded = false
      // Behind one that asks for another protocol the decoder reads nothing more; to HTTP/1.0 the
      // end of the connection is what ends an answer in pieces.
      closesAfterAnswer =
        !head.isKeepAlive || head.version != .http1_1 || head.headers.contains(name: "upgrade")
        || head.method == .CONNECT
      let request = Request(head, peer: peer)
      if request.hasBody { beginIdling(isSending: true) }
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let loop = context.eventLoop
      let expectsContinue = head.headers.contains(name: "expect")
      let body = RequestBody {
        loop.execute { bound.value.bodyIsWanted(expectsContinue) }
      }
      let answer = AnswerStream { part, sent in
        loop.execute { bound.value.send(part, sent) }
      }
      let exchange = Exchange(request: request, body: body, answer: answer)
      self.exchange = exchange
      if let refusal = Self.refusal(of: head) {
        closesAfterAnswer = true
        expectsRequest = false
        return answer.refuse(refusal, to: request)
      }
      mustAccept = true
    }

    /// Hands the request over that came, with as much of its body as came along: who answers it
    /// need not wait for what is here.
    private func handOver() {
      guard mustAccept, let exchange else { return }
      mustAccept = false
      // Not before it counts as one in hand: the end of the server waits for the one or the other.
      defer { expectsRequest = false }
      let lane = accept(exchange)
      owesAnswer = lane != .feed
      guard lane != .stream, lane != .feed else { return }
      let deadline = NIODeadline.now() + .seconds(Self.answerSeconds)
      answerDeadline = deadline
      lookAtDeadlines(from: deadline)
    }

    private static func refusal(of head: HTTPRequestHead) -> Refusal? {
      // With two blanks and the version, which is of 8 bytes.
      let line = head.method.rawValue.utf8.count + head.uri.utf8.count + 10
      if line > ConnectionLimits.lineByteCount { return longLine }
      let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
      if size > ConnectionLimits.headerByteCount
        || head.headers.count > ConnectionLimits.headerCount
      {
        return longHead
      }
      // Names of codings have no case (RFC 9112 §7).
      let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
      if head.headers.contains(name: "transfer-encoding"),
        head.version != .http1_1 || codings != ["chunked"]
      {
        return Refusal(400, "malformed", "bodies come plain or in chunks of HTTP/1.1")
      }
      return nil
    }

    private func bodyIsWanted(_ expectsContinue: Bool) {
      if expectsContinue, !hasRequestEnded, !hasAnswerEnded, let context, let request,
        request.headers.first(name: "expect")?.lowercased() == "100-continue"
      {
        self.request?.headers.remove(name: "expect")
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
      }
      readIfWanted()
    }

    // MARK: Answers

    private func send(_ part: AnswerPart, _ sent: @escaping @Sendable () -> Void) {
      guard let context, context.channel.isActive, !hasAnswerEnded else { return sent() }
      switch part {
      case .whole(let head, let body):
        answerDeadline = nil
        var response = self.response(head)
        response.headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        if request?.method != .HEAD, !body.isEmpty {
          context.write(
            wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: body)))),
            promise: nil)
        }
        finish(sent)
      case .head(let head):
        answerDeadline = nil
        context.writeAndFlush(wrapOutboundOut(.head(response(head))), promise: nil)
        sent()
      case .bytes(let bytes):
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer))))
          .whenComplete { _ in sent() }
      case .end: finish(sent)
      case .broken:
        context.close(promise: nil)
        sent()
      }
    }

    private func response(_ head: AnswerHead) -> HTTPResponseHead {
      // Chunks are not sent to who does not know them (RFC 9112 §6.1).
      var response = HTTPResponseHead(
        version: request?.version == .http1_0 ? .http1_0 : .http1_1,
        status: HTTPResponseStatus(statusCode: head.status))
      for header in head.headers { response.headers.add(name: header.name, value: header.value) }
      // What is left of a body that nobody wants is not worth waiting for; who sends too much is
      // told so by the close, too.
      if !hasRequestEnded || head.status == 413 || connections.isEnding { closesAfterAnswer = true }
      if closesAfterAnswer { response.headers.add(name: "Connection", value: "close") }
      return response
    }

    private func finish(_ sent: @escaping @Sendable () -> Void) {
      guard let context else { return sent() }
      hasAnswerEnded = true
      closeUnlessHeard(within: Self.takeSeconds)
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let loop = context.eventLoop
      // To HEAD nothing follows the head, not even the mark that ends a body in pieces.
      let isBare = request?.method == .HEAD
      let last: HTTPServerResponsePart = isBare ? .body(.byteBuffer(ByteBuffer())) : .end(nil)
      context.writeAndFlush(wrapOutboundOut(last)).whenComplete { _ in
        sent()
        loop.execute { bound.value.answerIsOut() }
      }
    }

    private func answerIsOut() {
      owesAnswer = false
      guard let context else { return }
      // The server may have been told to end since the answer began.
      if closesAfterAnswer || connections.isEnding { return close(context) }
      if hasRequestEnded { next() }
    }

    /// Closes so that the client gets the answer: what it still sends is read and dropped first.
    private func close(_ context: ChannelHandlerContext) {
      guard !hasRequestEnded else { return context.close(promise: nil) }
      isDraining = true
      exchange?.body.abandon()
      context.close(mode: .output, promise: nil)
      closeUnlessHeard(within: Self.drainSeconds)
      context.read()
    }

    private func next() {
      guard exchange != nil, hasAnswerEnded else { return }
      exchange?.answer.close()
      exchange = nil
      closeUnlessHeard(within: Self.idleSeconds)
      beginIdling()
      while !waiting.isEmpty, exchange == nil || !hasRequestEnded { take(waiting.removeFirst()) }
      handOver()
      if exchange == nil, let fault, let context { return refuse(fault, context) }
      if exchange == nil, partingDeadline != nil, let context { return context.close(promise: nil) }
      readIfWanted()
    }

    // MARK: Errors

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // What follows a fault is not looked at.
      if fault != nil, error is ByteToMessageDecoderError { return }
      guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
      if exchange != nil, hasRequestEnded {
        // Requests that are whole get their answers first; of the last one more was to come.
        fault = error
        while let part = waiting.last {
          if case .end = part { break }
          waiting.removeLast()
        }
        return
      }
      closeDeadline = nil
      exchange?.body.abandon()
      guard exchange == nil || hasAnswerEnded else {
        // The body of a request that is being answered went wrong, or of one that will not be.
        if mustAccept { expectsRequest = false }
        mustAccept = false
        if let exchange { exchange.answer.refuse(Self.malformed, to: exchange.request) }
        closesAfterAnswer = true
        return
      }
      refuse(error, context)
    }

    /// Says what is wrong with what came, and closes.
    private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
      isDraining = true
      expectsRequest = false
      var refusal = Self.malformed
      if error == .headerOverflow {
        // With the carriage return behind it.
        let isLine = requestLine.byteCount > ConnectionLimits.lineByteCount + 1
        refusal = isLine ? Self.longLine : Self.longHead
      } else if error == .invalidMethod, requestLine.namesHTTP {
        refusal = Self.unknownMethod
      }
      let (head, body) = refusal.answer(requestID: RequestID.next())
      closesAfterAnswer = true
      var response = self.response(head)
      response.headers.add(name: "Content-Length", value: String(body.count))
      context.write(wrapOutboundOut(.head(response)), promise: nil)
      let buffer = context.channel.allocator.buffer(bytes: body)
      context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
        bound.value.close(promise: nil)
      }
    }

    private static let longLine = Refusal(
      414, "tooLarge", "the request line is longer than 16 KiB")
    private static let longHead = Refusal(
      431, "tooLarge", "there are more than 32 KiB or 100 headers")
    private static let unknownMethod = Refusal(
      405, "method", "HTTP knows no such method", headers: [Refusal.allMethods])
    private static let malformed = Refusal(400, "malformed", "the request is no HTTP/1.1")
  }

  /// What is accepted of a request before its body.
  enum ConnectionLimits {
    static let lineByteCount = 16 * 1_024
    static let headerByteCount = 32 * 1_024
    static let headerCount = 100
  }

  extension Request {
    fileprivate init(_ head: HTTPRequestHead, peer: Peer) {
      let length = head.headers.first(name: "content-length")
      var headers = head.headers.map { Header($0.name, Self.trimmed($0.value)) }
      var target = head.uri
      if let (authority, rest) = RequestTarget.absolute(target) {
        target = rest
        // It stands for the name in `Host`, which has to come all the same (RFC 9112 §3.2.2).
        for index in headers.indices where headers[index].name.lowercased() == "host" {
          headers[index].value = authority
        }
      }
      self.init(
        method: head.method.rawValue, target: target, headers: headers, peer: peer,
        id: RequestID.next(),
        hasBody: head.headers.contains(name: "transfer-encoding")
          || (length != nil && length != "0"))
    }

    /// A value without the blanks after it, which are not part of it (RFC 9112 §5.1).
    private static func trimmed(_ value: String) -> String {
      var end = value.utf8.endIndex
      while end > value.startIndex {
        let before = value.utf8.index(before: end)
        guard value.utf8[before] == 0x20 || value.utf8[before] == 0x09 else { break }
        end = before
      }
      return end == value.endIndex ? value : String(value[..<end])
    }
  }
#endif
