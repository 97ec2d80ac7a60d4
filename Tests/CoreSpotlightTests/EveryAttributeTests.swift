import Testing

@testable import CoreSpotlight

/// Every attribute of the specification through its property: set, stored, found, given back and
/// removed.
@Suite struct EveryAttributeTests {
  private final class Sheet {
    let attributes = CSSearchableItemAttributeSet()
    var checks: [(CSSearchableItemAttributeSet) -> Bool] = []
    var names: [String] = []
    var removals: [(CSSearchableItemAttributeSet) -> Void] = []

    func check<Value>(
      _ name: String, _ path: ReferenceWritableKeyPath<CSSearchableItemAttributeSet, Value?>,
      _ value: Value?
    ) {
      attributes[keyPath: path] = value
      names.append(name)
      let expected = String(describing: value)
      checks.append { String(describing: $0[keyPath: path]) == expected || value is [CSPerson] }
      removals.append { $0[keyPath: path] = nil }
    }
  }

  private func fillGeneral(_ sheet: Sheet) {
    sheet.check("displayName", \.displayName, "text")
    sheet.check("alternateNames", \.alternateNames, ["one", "two"])
    sheet.check("path", \.path, "text")
    sheet.check("contentURL", \.contentURL, URL(string: "https://example.org/a?b#c"))
    sheet.check("thumbnailURL", \.thumbnailURL, URL(string: "https://example.org/a?b#c"))
    sheet.check("darkThumbnailURL", \.darkThumbnailURL, URL(string: "https://example.org/a?b#c"))
    sheet.check("thumbnailData", \.thumbnailData, Data([1, 2]))
    sheet.check("relatedUniqueIdentifier", \.relatedUniqueIdentifier, "text")
    sheet.check("weakRelatedUniqueIdentifier", \.weakRelatedUniqueIdentifier, "text")
    sheet.check(
      "metadataModificationDate", \.metadataModificationDate,
      Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("contentType", \.contentType, "text")
    sheet.check("contentTypeTree", \.contentTypeTree, ["one", "two"])
    sheet.check("keywords", \.keywords, ["one", "two"])
    sheet.check("title", \.title, "text")
    sheet.check("version", \.version, "text")
    sheet.check("userCreated", \.isUserCreated, true)
    sheet.check("userOwned", \.isUserOwned, true)
    sheet.check("userCurated", \.isUserCurated, true)
  }

  private func fillActions(_ sheet: Sheet) {
    sheet.check("supportsPhoneCall", \.supportsPhoneCall, true)
    sheet.check("supportsNavigation", \.supportsNavigation, true)
    sheet.check("sharedItemContentType", \.sharedItemContentType, .jpeg)
    sheet.check("containerTitle", \.containerTitle, "text")
    sheet.check("containerDisplayName", \.containerDisplayName, "text")
    sheet.check("containerIdentifier", \.containerIdentifier, "text")
    sheet.check("containerOrder", \.containerOrder, 2.5)
    sheet.check("providerDataTypeIdentifiers", \.providerDataTypeIdentifiers, ["one", "two"])
    sheet.check("providerFileTypeIdentifiers", \.providerFileTypeIdentifiers, ["one", "two"])
    sheet.check(
      "providerInPlaceFileTypeIdentifiers", \.providerInPlaceFileTypeIdentifiers, ["one", "two"])
  }

  private func fillDocuments(_ sheet: Sheet) {
    sheet.check("subject", \.subject, "text")
    sheet.check("theme", \.theme, "text")
    sheet.check("contentDescription", \.contentDescription, "text")
    sheet.check("identifier", \.identifier, "text")
    sheet.check("audiences", \.audiences, ["one", "two"])
    sheet.check("fileSize", \.fileSize, 2.5)
    sheet.check("pageCount", \.pageCount, 2.5)
    sheet.check("pageWidth", \.pageWidth, 2.5)
    sheet.check("pageHeight", \.pageHeight, 2.5)
    sheet.check("securityMethod", \.securityMethod, "text")
    sheet.check("creator", \.creator, "text")
    sheet.check("encodingApplications", \.encodingApplications, ["one", "two"])
    sheet.check("kind", \.kind, "text")
    sheet.check("fontNames", \.fontNames, ["one", "two"])
    sheet.check("dueDate", \.dueDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("completionDate", \.completionDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("startDate", \.startDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("endDate", \.endDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("importantDates", \.importantDates, [Date(timeIntervalSinceReferenceDate: 7)])
    sheet.check("allDay", \.allDay, true)
  }

  private func fillMessaging(_ sheet: Sheet) {
    sheet.check("accountIdentifier", \.accountIdentifier, "text")
    sheet.check("accountHandles", \.accountHandles, ["one", "two"])
    sheet.check("HTMLContentData", \.htmlContentData, Data([1, 2]))
    sheet.check("textContent", \.textContent, "text")
    sheet.check(
      "authors", \.authors,
      [CSPerson(displayName: "Ann", handles: ["a@b"], handleIdentifier: "mail")])
    sheet.check(
      "primaryRecipients", \.primaryRecipients,
      [CSPerson(displayName: "Ann", handles: ["a@b"], handleIdentifier: "mail")])
    sheet.check(
      "additionalRecipients", \.additionalRecipients,
      [CSPerson(displayName: "Ann", handles: ["a@b"], handleIdentifier: "mail")])
    sheet.check(
      "hiddenAdditionalRecipients", \.hiddenAdditionalRecipients,
      [CSPerson(displayName: "Ann", handles: ["a@b"], handleIdentifier: "mail")])
    sheet.check("emailHeaders", \.emailHeaders, ["To": ["a", "b"]])
    sheet.check("mailboxIdentifiers", \.mailboxIdentifiers, ["one", "two"])
    sheet.check("authorNames", \.authorNames, ["one", "two"])
    sheet.check("recipientNames", \.recipientNames, ["one", "two"])
    sheet.check("authorEmailAddresses", \.authorEmailAddresses, ["one", "two"])
    sheet.check("recipientEmailAddresses", \.recipientEmailAddresses, ["one", "two"])
    sheet.check("authorAddresses", \.authorAddresses, ["one", "two"])
    sheet.check("recipientAddresses", \.recipientAddresses, ["one", "two"])
    sheet.check("phoneNumbers", \.phoneNumbers, ["one", "two"])
    sheet.check("emailAddresses", \.emailAddresses, ["one", "two"])
    sheet.check("instantMessageAddresses", \.instantMessageAddresses, ["one", "two"])
    sheet.check("likelyJunk", \.isLikelyJunk, true)
  }

  private func fillMedia(_ sheet: Sheet) {
    sheet.check("editors", \.editors, ["one", "two"])
    sheet.check("participants", \.participants, ["one", "two"])
    sheet.check("projects", \.projects, ["one", "two"])
    sheet.check("downloadedDate", \.downloadedDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("contentSources", \.contentSources, ["one", "two"])
    sheet.check("comment", \.comment, "text")
    sheet.check("copyright", \.copyright, "text")
    sheet.check("lastUsedDate", \.lastUsedDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check(
      "contentCreationDate", \.contentCreationDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check(
      "contentModificationDate", \.contentModificationDate,
      Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("addedDate", \.addedDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("duration", \.duration, 2.5)
    sheet.check("contactKeywords", \.contactKeywords, ["one", "two"])
    sheet.check("codecs", \.codecs, ["one", "two"])
    sheet.check("mediaTypes", \.mediaTypes, ["one", "two"])
    sheet.check("streamable", \.isStreamable, true)
    sheet.check("totalBitRate", \.totalBitRate, 2.5)
    sheet.check("videoBitRate", \.videoBitRate, 2.5)
    sheet.check("audioBitRate", \.audioBitRate, 2.5)
    sheet.check("deliveryType", \.deliveryType, 2.5)
    sheet.check("organizations", \.organizations, ["one", "two"])
    sheet.check("role", \.role, "text")
    sheet.check("languages", \.languages, ["one", "two"])
    sheet.check("rights", \.rights, "text")
    sheet.check("publishers", \.publishers, ["one", "two"])
    sheet.check("contributors", \.contributors, ["one", "two"])
    sheet.check("coverage", \.coverage, ["one", "two"])
    sheet.check("rating", \.rating, 2.5)
    sheet.check("ratingDescription", \.ratingDescription, "text")
    sheet.check("playCount", \.playCount, 2.5)
    sheet.check("information", \.information, "text")
    sheet.check("director", \.director, "text")
    sheet.check("producer", \.producer, "text")
    sheet.check("genre", \.genre, "text")
    sheet.check("performers", \.performers, ["one", "two"])
    sheet.check("originalFormat", \.originalFormat, "text")
    sheet.check("originalSource", \.originalSource, "text")
    sheet.check("local", \.isLocal, true)
    sheet.check("contentRating", \.contentRating, true)
    sheet.check("URL", \.url, URL(string: "https://example.org/a?b#c"))
  }

  private func fillMusic(_ sheet: Sheet) {
    sheet.check("audioSampleRate", \.audioSampleRate, 2.5)
    sheet.check("audioChannelCount", \.audioChannelCount, 2.5)
    sheet.check("tempo", \.tempo, 2.5)
    sheet.check("keySignature", \.keySignature, "text")
    sheet.check("timeSignature", \.timeSignature, "text")
    sheet.check("audioEncodingApplication", \.audioEncodingApplication, "text")
    sheet.check("composer", \.composer, "text")
    sheet.check("lyricist", \.lyricist, "text")
    sheet.check("album", \.album, "text")
    sheet.check("artist", \.artist, "text")
    sheet.check("audioTrackNumber", \.audioTrackNumber, 2.5)
    sheet.check("recordingDate", \.recordingDate, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("musicalGenre", \.musicalGenre, "text")
    sheet.check("generalMIDISequence", \.isGeneralMIDISequence, true)
    sheet.check("musicalInstrumentCategory", \.musicalInstrumentCategory, "text")
    sheet.check("musicalInstrumentName", \.musicalInstrumentName, "text")
  }

  private func fillImages(_ sheet: Sheet) {
    sheet.check("pixelHeight", \.pixelHeight, 2.5)
    sheet.check("pixelWidth", \.pixelWidth, 2.5)
    sheet.check("pixelCount", \.pixelCount, 2.5)
    sheet.check("colorSpace", \.colorSpace, "text")
    sheet.check("bitsPerSample", \.bitsPerSample, 2.5)
    sheet.check("flashOn", \.isFlashOn, true)
    sheet.check("focalLength", \.focalLength, 2.5)
    sheet.check("focalLength35mm", \.isFocalLength35mm, true)
    sheet.check("acquisitionMake", \.acquisitionMake, "text")
    sheet.check("acquisitionModel", \.acquisitionModel, "text")
    sheet.check("cameraOwner", \.cameraOwner, "text")
    sheet.check("lensModel", \.lensModel, "text")
    sheet.check("ISOSpeed", \.isoSpeed, 2.5)
    sheet.check("orientation", \.orientation, 2.5)
    sheet.check("layerNames", \.layerNames, ["one", "two"])
    sheet.check("whiteBalance", \.whiteBalance, 2.5)
    sheet.check("aperture", \.aperture, 2.5)
    sheet.check("profileName", \.profileName, "text")
    sheet.check("resolutionWidthDPI", \.resolutionWidthDPI, 2.5)
    sheet.check("resolutionHeightDPI", \.resolutionHeightDPI, 2.5)
    sheet.check("exposureMode", \.exposureMode, 2.5)
    sheet.check("exposureTime", \.exposureTime, 2.5)
    sheet.check("EXIFVersion", \.exifVersion, "text")
    sheet.check("EXIFGPSVersion", \.exifGPSVersion, "text")
    sheet.check("hasAlphaChannel", \.hasAlphaChannel, true)
    sheet.check("redEyeOn", \.isRedEyeOn, true)
    sheet.check("meteringMode", \.meteringMode, "text")
    sheet.check("maxAperture", \.maxAperture, 2.5)
    sheet.check("fNumber", \.fNumber, 2.5)
    sheet.check("exposureProgram", \.exposureProgram, "text")
    sheet.check("exposureTimeString", \.exposureTimeString, "text")
  }

  private func fillPlaces(_ sheet: Sheet) {
    sheet.check("headline", \.headline, "text")
    sheet.check("instructions", \.instructions, "text")
    sheet.check("thoroughfare", \.thoroughfare, "text")
    sheet.check("subThoroughfare", \.subThoroughfare, "text")
    sheet.check("postalCode", \.postalCode, "text")
    sheet.check("city", \.city, "text")
    sheet.check("stateOrProvince", \.stateOrProvince, "text")
    sheet.check("country", \.country, "text")
    sheet.check("fullyFormattedAddress", \.fullyFormattedAddress, "text")
    sheet.check("altitude", \.altitude, 2.5)
    sheet.check("latitude", \.latitude, 2.5)
    sheet.check("longitude", \.longitude, 2.5)
    sheet.check("speed", \.speed, 2.5)
    sheet.check("timestamp", \.timestamp, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("imageDirection", \.imageDirection, 2.5)
    sheet.check("namedLocation", \.namedLocation, "text")
    sheet.check("GPSTrack", \.gpsTrack, 2.5)
    sheet.check("GPSStatus", \.gpsStatus, "text")
    sheet.check("GPSMeasureMode", \.gpsMeasureMode, "text")
    sheet.check("GPSDOP", \.gpsdop, 2.5)
    sheet.check("GPSMapDatum", \.gpsMapDatum, "text")
    sheet.check("GPSDestLatitude", \.gpsDestLatitude, 2.5)
    sheet.check("GPSDestLongitude", \.gpsDestLongitude, 2.5)
    sheet.check("GPSDestBearing", \.gpsDestBearing, 2.5)
    sheet.check("GPSDestDistance", \.gpsDestDistance, 2.5)
    sheet.check("GPSProcessingMethod", \.gpsProcessingMethod, "text")
    sheet.check("GPSAreaInformation", \.gpsAreaInformation, "text")
    sheet.check("GPSDateStamp", \.gpsDateStamp, Date(timeIntervalSinceReferenceDate: 0.1))
    sheet.check("GPSDifferental", \.gpsDifferental, 2.5)
  }

  private func fillIntelligence(_ sheet: Sheet) {
    sheet.check("transcribedTextContent", \.transcribedTextContent, "text")
  }

  private func sheet() -> Sheet {
    let sheet = Sheet()
    fillGeneral(sheet)
    fillActions(sheet)
    fillDocuments(sheet)
    fillMessaging(sheet)
    fillMedia(sheet)
    fillMusic(sheet)
    fillImages(sheet)
    fillPlaces(sheet)
    fillIntelligence(sheet)
    return sheet
  }

  @Test func `every attribute is stored, found by name, given back and removed`() async throws {
    try await withApplication { index, _ in
      let sheet = sheet()
      #expect(sheet.names.count == 185)
      let item = CSSearchableItem(
        uniqueIdentifier: "a", domainIdentifier: "d", attributeSet: sheet.attributes)
      try await index.indexSearchableItems([item])
      let stored = try #require(try await found().first).attributeSet
      for (name, check) in zip(sheet.names, sheet.checks) {
        #expect(check(stored), "\(name)")
        #expect(try await names("\(name) == *") == ["a"], "\(name)")
      }
      #expect(stored.authors == sheet.attributes.authors)
      let removal = CSSearchableItemAttributeSet()
      for remove in sheet.removals { remove(removal) }
      let update = CSSearchableItem(
        uniqueIdentifier: "a", domainIdentifier: nil, attributeSet: removal)
      update.isUpdate = true
      try await index.indexSearchableItems([update])
      for name in sheet.names { #expect(try await names("\(name) == *") == [], "\(name)") }
      #expect(try await names("domainIdentifier == *") == ["a"])
    }
  }
}
