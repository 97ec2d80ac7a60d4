/// The kinds of things in Apple's list.
extension ItemAttributes {
  mutating func addKinds() {
    addOffer()
    set("web_priceRange", first(with: "priceRange")?.text("priceRange"))
    addContacts()
    addRecipe()
    addSearchAction()
    addMedia()
  }

  private mutating func addOffer() {
    let offer =
      Thing.first(in: things) { thing in
        if let offer = thing.things("offers").first { return offer }
        return thing.has(type: "Offer") || thing.has(type: "AggregateOffer") ? thing : nil
      }
      ?? things.first { $0.types.isEmpty && (!$0["price"].isEmpty || !$0["priceCurrency"].isEmpty) }
    guard let offer else { return }
    let specification = offer.things("priceSpecification").first
    for (name, attribute) in [
      ("price", "web_price"), ("lowPrice", "web_lowPrice"), ("highPrice", "web_highPrice"),
    ] {
      let own = number(offer, name)
      let specified = own == nil ? specification.flatMap { number($0, name) } : nil
      set(attribute, own ?? specified)
    }
    set("web_priceCurrency", offer.text("priceCurrency") ?? specification?.text("priceCurrency"))
    set("web_availability", offer.link("availability").map(Self.lastPart))
  }

  private mutating func addContacts() {
    let phones = first(with: "telephone")?.texts("telephone", scheme: "tel:") ?? []
    set("phoneNumbers", phones)
    let dial = phones.map(Self.dialable).filter { !$0.isEmpty }
    set("web_dial", dial)
    if !dial.isEmpty { setTrue("supportsPhoneCall") }
    set("emailAddresses", first(with: "email")?.texts("email", scheme: "mailto:") ?? [])
    addAddress()
    if let geo = first(with: "geo")?.things("geo").first,
      let latitude = number(geo, "latitude"), let longitude = number(geo, "longitude")
    {
      set("latitude", latitude)
      set("longitude", longitude)
      setTrue("supportsNavigation")
    }
    let organizations = all(type: "Organization").compactMap { $0.text("name") }
    set("organizations", organizations + (main?.texts("publisher") ?? []))
  }

  private static func dialable(_ phone: String) -> String {
    let kept = phone.filter { ("0"..."9").contains($0) || $0 == "*" || $0 == "#" }
    // Pages write `tel:+49`, `(+49)` and `Phone: +49` as well.
    let isInternational = phone.prefix { !("0"..."9").contains($0) }.contains("+")
    return kept.isEmpty ? "" : (isInternational ? "+" : "") + kept
  }

  private mutating func addAddress() {
    guard let holder = first(with: "address"),
      let value = holder["address"].first(where: { !$0.isBlank })
    else { return }
    guard case .thing(let address) = value else {
      return set("fullyFormattedAddress", value.plainText)
    }
    var parts: [String] = []
    for (name, attribute) in [
      ("streetAddress", "thoroughfare"), ("addressLocality", "city"),
      ("addressRegion", "stateOrProvince"), ("postalCode", "postalCode"),
      ("addressCountry", "country"),
    ] {
      guard let text = address.text(name) else { continue }
      parts.append(text)
      set(attribute, text)
    }
    set("fullyFormattedAddress", parts.joined(separator: ", "))
  }

  private mutating func addRecipe() {
    // Pages may have a mere card of the recipe before it.
    let parts = ["recipeIngredient", "ingredients", "recipeInstructions"]
    let told = things.first { thing in
      thing.has(type: "Recipe") && parts.contains { !thing[$0].isEmpty }
    }
    let recipe =
      told ?? first(type: "Recipe") ?? first(with: "recipeIngredient", "recipeInstructions")
    guard let recipe else { return }
    set("web_ingredients", recipe.texts("recipeIngredient", "ingredients"))
    set("instructions", lines: recipe["recipeInstructions"].flatMap(Self.steps))
    set("web_prepTime", seconds(recipe, "prepTime"))
    set("web_cookTime", seconds(recipe, "cookTime"))
    set("web_totalTime", seconds(recipe, "totalTime"))
    set("web_recipeYield", recipe.text("recipeYield"))
  }

  /// The texts of a step, a section of steps, or a list of them.
  private static func steps(_ value: Thing.Value) -> [String] {
    guard case .thing(let thing) = value else { return value.plainText.map { [$0] } ?? [] }
    let inner = thing["itemListElement"] + thing["steps"]
    if !inner.isEmpty { return inner.flatMap(steps) }
    if let text = thing.text("text") { return [text] }
    // What a list item is about; where that is an address alone, its name says more.
    let held = thing.things("item").flatMap { steps(.thing($0)) }
    return held.isEmpty ? thing.text("name").map { [$0] } ?? [] : held
  }

  private mutating func addSearchAction() {
    let action = Thing.first(in: things) { thing in
      if thing.has(type: "SearchAction") { return thing }
      return thing.things("potentialAction").first { $0.has(type: "SearchAction") }
    }
    guard let action else { return }
    let template = action.things("target").first?.link("urlTemplate") ?? action.link("target")
    set("web_searchTemplate", template)
    if let input = action.things("query-input").first ?? action.things("query").first {
      guard let name = input.text("valueName") else { return }
      let isRequired = input.text("valueRequired").map { $0.loweredASCII == "true" } ?? false
      set("web_searchInput", (isRequired ? "required name=" : "name=") + name)
    } else {
      set("web_searchInput", action.text("query-input"))
    }
  }

  private mutating func addMedia() {
    let images = all(type: "ImageObject").compactMap { $0.link("contentUrl", "url", "embedUrl") }
    set("web_imageURLs", images.compactMap(absolute))
    set("web_audioURL", media("og:audio", "og:audio:url", "AudioObject"))
    set("web_videoURL", media("og:video", "og:video:url", "VideoObject"))
  }

  private func media(_ property: String, _ other: String, _ type: String) -> String? {
    if let url = head.openGraph(property, other).first.flatMap(absolute) { return url }
    return first(type: type)?.link("contentUrl", "embedUrl").flatMap(absolute)
  }
}
