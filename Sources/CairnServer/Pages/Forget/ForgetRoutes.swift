import Cairn

extension Service {
  /// Forgetting from a page: the plan, the name typed to confirm, progress, the receipt.
  ///
  /// A plan takes as long as it likes: what mentions a text is looked for in every event.
  static let forgetRoutes = [
    Route(
      "GET", "/forget", .admin, "What would be forgotten",
      [
        Parameter("domain", .text), Parameter("item", .text), Parameter("mentioning", .text),
        Parameter("since", .text), Parameter("until", .text),
        Parameter("minutes", .count(max: 525_600)),
      ], lane: .stream, part: .page
    ) { (call) throws(Refusal) in
      let target = try ForgetTarget(query: call.parameters)
      return try ForgetPage.plan(call, target)
    },
    Route.form("/forget", .admin, "Forget what the plan showed", lane: .stream) {
      (call) throws(Refusal) in
      let form = try FormValues(call)
      let target = try ForgetTarget(form: form)
      // A preview leads here without a name: the plan comes first.
      guard form.text("name") != nil || form.text("digest") != nil else {
        return try ForgetPage.plan(call, target)
      }
      guard form.text("name") == target.name else {
        return try ForgetPage.plan(call, target, wrongName: true)
      }
      let blocks = form.text("block") != nil && target.canBeBlocked
      // The plan that was shown agrees to exactly its events; a block is an order of its own.
      let scope = target.scope
      let plan = try answering(call.store.planPurge(scope))
      guard form.text("digest") == AccessToken.base64URL(plan.digest.bytes) else {
        return try ForgetPage.plan(call, target, isStale: true)
      }
      let job = try call.beginPurge(scope, as: plan, blocks: blocks)
      return .redirect(303, to: PageLink("/forgotten", [("job", job.id)]))
    },
    Route(
      "GET", "/forgotten", .admin, "How forgetting goes, and its receipt",
      [Parameter("job", .text, required: true)], part: .page
    ) { (call) throws(Refusal) in
      try ForgetPage.receipt(call)
    },
  ]
}

struct ForgetTarget {
  let scope: PurgeScope
  /// What is typed to confirm.
  let name: String
  /// What the form sends along.
  let fields: [(String, String)]
  let canBeBlocked: Bool

  init(query: Parameters) throws(Refusal) {
    var since = try query.nonEmpty.time("since")
    let until = try query.nonEmpty.time("until", isEnd: true)
    if let minutes = try query.count("minutes", max: 525_600) {
      since = Timestamp(seconds: Timestamp.now().seconds - Int64(minutes) * 60)
    }
    try self.init(query.filled, since, until)
  }

  init(form: FormValues) throws(Refusal) {
    if let text = form.text("events") {
      guard let ranges = SequenceRanges.ranges(text) else {
        throw .parameter("events", "takes sequences such as 3-7,9")
      }
      self.init(ranges, text)
      return
    }
    // One that was dropped since it cannot be read would leave a longer span.
    func time(_ name: String, isEnd: Bool) throws(Refusal) -> Timestamp? {
      guard let text = form.text(name) else { return nil }
      return try Parameters.time(text, name, isEnd: isEnd)
    }
    try self.init(form.text, time("since", isEnd: false), time("until", isEnd: true))
  }

  private init(_ sequences: [ClosedRange<UInt64>], _ text: String) {
    var criteria = PurgeCriteria()
    criteria.sequences = sequences
    (scope, name, fields) = (.matching(criteria), "forget", [("events", text)])
    canBeBlocked = false
  }

  private init(_ text: (String) -> String?, _ since: Timestamp?, _ until: Timestamp?)
    throws(Refusal)
  {
    let (domain, item) = (text("domain"), text("item"))
    // What is pasted may have blanks around it; nothing but blanks is in nearly every event.
    let words = text("mentioning")?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let mention = words == "" ? nil : words
    canBeBlocked =
      since == nil && until == nil && mention == nil && (domain == nil || item == nil)
    guard canBeBlocked else {
      try Parameters.checkSpan(since, until)
      var criteria = PurgeCriteria()
      (criteria.since, criteria.until) = (since, until)
      (criteria.domain, criteria.item, criteria.mention) = (domain, item, mention)
      scope = .matching(criteria)
      name = "forget"
      fields = [
        ("since", since?.rfc3339), ("until", until?.rfc3339), ("domain", domain),
        ("item", item), ("mentioning", mention),
      ].compactMap { field in field.1.map { (field.0, $0) } }
      return
    }
    if let domain {
      (scope, name, fields) = (.domain(domain), Self.typed(domain), [("domain", domain)])
    } else if let item {
      (scope, fields) = (.item(item), [("item", item)])
      // Nobody types an identifier of kilobytes.
      name = item.utf8.count <= 64 ? Self.typed(item) : "forget"
    } else {
      throw Refusal(400, "badArgument", "name a domain, an item, a text or a span of time")
    }
  }

  /// A name, or a word for one that nobody can type: a field takes no line break, and a page shows
  /// several blanks as one and a control as nothing.
  private static func typed(_ name: String) -> String {
    let isShownWhole = name.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && !$0.properties.isDefaultIgnorableCodePoint
    }
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return isShownWhole && name == words ? name : "forget"
  }
}
