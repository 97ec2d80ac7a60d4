#if Server
  package import Cairn
  import Files
  import LMDB
  package import Rows
  import Synchronization

  /// A server on a store: sockets, rules and routes together.
  package final class Server: Sendable {
    /// Where to listen, and what for.
    package struct Plan: Sendable {
      package var directory: String
      package var addresses = [ListenAddress.standard]
      /// Where watchers look for ActivityWatch.
      package var watchAddress: ListenAddress?
      package var tokenPath: String?
      /// Sockets to listen at instead, opened by who started this.
      package var inherited: [InheritedSockets.Socket] = []
      package var patience = Duration.seconds(10)
      /// How long requests in hand may take once the server is told to end.
      package var drainTime = Duration.seconds(10)
      package var service = ServiceOptions()

      package init(directory: String) { self.directory = directory }
    }

    package let store: Store
    package let service: Service
    /// Where it listens, with the ports that were free.
    package let addresses: [ListenAddress]
    /// Where it listens for watchers alone.
    package let watchAddress: ListenAddress?
    private let listener: Listener
    /// Addresses whose sockets this server made.
    private let owned: [ListenAddress]
    private let lock: FileLock
    private let isStopped = Atomic(false)

    private let drainTime: Duration

    /// Opens the store and begins to listen.
    /// - Throws: `busy` when another server has the store or the address; `badArgument` for an
    ///   address that others can reach, a name or an origin that is none, and a token that others
    ///   can read; what opening throws.
    package init(_ plan: Plan) throws(CairnError) {
      try Self.check(plan)
      var plan = plan
      // What a damaged page holds is refused, and the rest goes on.
      PageGuard.begin()
      let tokenFile = TokenFile(directory: plan.directory, path: plan.tokenPath)
      // Refused before a store is made for it, but for one that goes into the store.
      if let path = plan.tokenPath, !plan.service.isReadOnly,
        Self.names(path).dropLast() != Self.names(plan.directory)[...]
      {
        _ = try tokenFile.owner()
      }
      let store = try Self.open(&plan)
      do throws(CairnError) {
        lock = try FileLock(path: "\(plan.directory)/\(ServerFiles.lock)")
        guard try lock.tryLock() else {
          throw CairnError(
            .busy, "another server runs on this store; stop it first", place: plan.directory)
        }
        let tokens = try TokenTable(tokenFile)
        let service = try Service(store: store, tokens: tokens, options: plan.service)
        if let damage = plan.service.damage { service.health.note(Refusal(damage)) }
        let listener = Listener { service.accept($0) }
        var bound: [ListenAddress] = []
        var watched: ListenAddress?
        do throws(CairnError) {
          for socket in plan.inherited { try listener.listen(at: socket) }
          for address in plan.addresses { bound.append(try listener.listen(at: address)) }
          if let address = plan.watchAddress {
            watched = try Self.listenForWatchers(listener, address)
          }
        } catch {
          listener.shutDown()
          throw error
        }
        (self.store, self.service, self.listener) = (store, service, listener)
        drainTime = plan.drainTime
        let given = plan.inherited
        addresses = bound + given.filter { !$0.isForWatchers }.map(\.address)
        watchAddress = watched ?? given.first { $0.isForWatchers }?.address
        owned = bound
        service.countConnections { listener.connectionCount }
        service.begin()
      } catch {
        store.close()
        throw error
      }
    }

    /// Opens the store; one with a small damaged log for reading alone: a page that is in use and
    /// called free would be written over.
    private static func open(_ plan: inout Plan) throws(CairnError) -> Store {
      do throws(CairnError) {
        return try Store.open(
          at: plan.directory, access: plan.service.isReadOnly ? .readOnly : .readWrite,
          patience: plan.patience)
      } catch {
        // What is damaged was named; that nothing is left to serve says less.
        guard error.code == .corrupt, let store = try? Store.openDamaged(at: plan.directory) else {
          throw error
        }
        plan.service.isReadOnly = true
        plan.service.damage = error
        return store
      }
    }

    /// The folders that lead to a path, and its own name.
    private static func names(_ path: String) -> [Substring] {
      RealPath.absolute(path).split(separator: "/").filter { $0 != "." }
    }

    private static func listenForWatchers(_ listener: Listener, _ address: ListenAddress)
      throws(CairnError) -> ListenAddress
    {
      do throws(CairnError) { return try listener.listen(at: address) } catch
        where error.code == .busy
      {
        throw CairnError(
          .busy,
          "the address is taken, maybe by ActivityWatch itself: stop that, or choose another with "
            + "--activitywatch-listen", place: address.url)
      }
    }

    private static func check(_ plan: Plan) throws(CairnError) {
      for address in plan.addresses + plan.inherited.map(\.address)
        + (plan.watchAddress.map { [$0] } ?? [])
      where !address.isLocal && plan.service.allowedHosts.isEmpty {
        throw CairnError(
          .badArgument,
          "is not 127.0.0.1, [::1] or localhost; say what clients call it, behind a proxy that ends "
            + "TLS: --allow-host NAME", place: address.url)
      }
      guard plan.service.allowedHosts.allSatisfy(HostRule.isName) else {
        throw CairnError(
          .badArgument, "takes a name without a port, such as history.example",
          place: "--allow-host")
      }
      guard plan.service.allowedOrigins.allSatisfy(OriginRule.isOrigin) else {
        throw CairnError(
          .badArgument, "takes an origin as browsers write it, such as https://page.example",
          place: "--allow-origin")
      }
    }

    /// Says where the server can be reached.
    package func writeReady(to line: inout JSONLine) throws(CairnError) {
      let head = try store.at().sequence
      line.field("event", "ready")
      line.field("listening", texts: addresses.map(\.url))
      line.field("activitywatch", texts: watchAddress.map { [$0.url] } ?? [])
      line.field("store", store.directory)
      line.field("head", head)
    }

    /// A link that lets a browser in as the owner, once and within two minutes; nil where no
    /// address is for browsers.
    package func loginLink() -> String? {
      guard let address = addresses.first(where: \.isForBrowsers) else { return nil }
      return "\(address.url)/login?key=\(service.loginLinks.make())"
    }

    /// Whether nobody is connected and nothing is being done.
    package var isIdle: Bool {
      listener.connectionCount == 0 && service.openCount == 0 && !service.jobs.isBusy
    }

    /// Ends the server: no new connection, requests in hand finish, feeds say goodbye, jobs stop.
    ///
    /// Connections accepted a moment ago are still answered: a watcher drops what it sent over a
    /// connection that closes without an answer.
    package func stop() {
      guard !isStopped.exchange(true, ordering: .relaxed) else { return }
      service.stop()
      listener.stopAccepting()
      let deadline = ContinuousClock.now + drainTime
      let idleEnd = ContinuousClock.now + .seconds(1)
      func mustWait() -> Bool {
        let now = ContinuousClock.now
        // Asked for first: what is on its way becomes a request in hand.
        if listener.expectsRequests, now < idleEnd { return true }
        guard now < deadline else { return false }
        return service.openCount > 0 || service.jobs.isBusy || listener.owesAnswers
      }
      while mustWait() {
        service.jobs.cancelAll()
        // A feed whose client does not read holds nobody up.
        if ContinuousClock.now >= idleEnd { service.feedCount.closeAll() }
        ShortPause.take()
      }
      listener.shutDown()
      close(until: deadline + .seconds(1))
      // A socket that stays behind is replaced by the next server.
      for case .unix(let path) in owned { try? SmallFile.remove(path) }
      lock.unlock()
      service.log.flush()
    }

    /// Writes out what is open and closes the store.
    ///
    /// What still waits for another process that writes may do so for as long as `--wait` says, and
    /// would be waited for: it ends with this process instead, and what stands aside stays there.
    private func close(until deadline: ContinuousClock.Instant) {
      func isBusy() -> Bool { service.openCount > 0 || service.jobs.isBusy }
      while isBusy(), ContinuousClock.now < deadline { ShortPause.take() }
      let watches = service.options.isReadOnly ? nil : service.watches
      guard !isBusy() else {
        if watches != nil { service.log.note(.warning, "open runs were not written out: busy") }
        return
      }
      service.end()
      // In a store that took this one's place there is nothing to write out.
      if service.storeIdentity.isThere {
        do throws(CairnError) { try watches?.settle(until: deadline) } catch {
          service.log.note(.warning, "open runs were not written out: \(error.code)")
        }
      }
      store.close()
    }
  }
#endif
