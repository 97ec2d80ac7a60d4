import Testing

@testable import CoreSpotlight

/// Every attribute of the specification through its property: set, stored, found, given back and
/// removed.
@Suite struct EveryAttributeTests {
  /// Properties by the names that queries have for them.
  private typealias Paths<Value> = KeyValuePairs<
    String, ReferenceWritableKeyPath<CSSearchableItemAttributeSet, Value?>
  >

  private final class Sheet {
    let attributes = CSSearchableItemAttributeSet()
    var checks: [(CSSearchableItemAttributeSet) -> Bool] = []
    var names: [String] = []
    var removals: [(CSSearchableItemAttributeSet) -> Void] = []

    func check<Value>(_ value: Value?, _ paths: Paths<Value>) {
      let expected = String(describing: value)
      for (name, path) in paths {
        attributes[keyPath: path] = value
        names.append(name)
        checks.append { String(describing: $0[keyPath: path]) == expected || value is [CSPerson] }
        removals.append { $0[keyPath: path] = nil }
      }
    }
  }

  private var texts: Paths<String> {
    [
      "displayName": \.displayName, "path": \.path,
      "relatedUniqueIdentifier": \.relatedUniqueIdentifier,
      "weakRelatedUniqueIdentifier": \.weakRelatedUniqueIdentifier, "contentType": \.contentType,
      "title": \.title, "version": \.version, "containerTitle": \.containerTitle,
      "containerDisplayName": \.containerDisplayName, "containerIdentifier": \.containerIdentifier,
      "subject": \.subject, "theme": \.theme, "contentDescription": \.contentDescription,
      "identifier": \.identifier, "securityMethod": \.securityMethod, "creator": \.creator,
      "kind": \.kind, "accountIdentifier": \.accountIdentifier, "textContent": \.textContent,
      "comment": \.comment, "copyright": \.copyright, "role": \.role, "rights": \.rights,
      "ratingDescription": \.ratingDescription, "information": \.information,
      "director": \.director, "producer": \.producer, "genre": \.genre,
      "originalFormat": \.originalFormat, "originalSource": \.originalSource,
      "keySignature": \.keySignature, "timeSignature": \.timeSignature,
      "audioEncodingApplication": \.audioEncodingApplication, "composer": \.composer,
      "lyricist": \.lyricist, "album": \.album, "artist": \.artist, "musicalGenre": \.musicalGenre,
      "musicalInstrumentCategory": \.musicalInstrumentCategory,
      "musicalInstrumentName": \.musicalInstrumentName, "colorSpace": \.colorSpace,
      "acquisitionMake": \.acquisitionMake, "acquisitionModel": \.acquisitionModel,
      "cameraOwner": \.cameraOwner, "lensModel": \.lensModel, "profileName": \.profileName,
      "EXIFVersion": \.exifVersion, "EXIFGPSVersion": \.exifGPSVersion,
      "meteringMode": \.meteringMode, "exposureProgram": \.exposureProgram,
      "exposureTimeString": \.exposureTimeString, "headline": \.headline,
      "instructions": \.instructions, "thoroughfare": \.thoroughfare,
      "subThoroughfare": \.subThoroughfare, "postalCode": \.postalCode, "city": \.city,
      "stateOrProvince": \.stateOrProvince, "country": \.country,
      "fullyFormattedAddress": \.fullyFormattedAddress, "namedLocation": \.namedLocation,
      "GPSStatus": \.gpsStatus, "GPSMeasureMode": \.gpsMeasureMode, "GPSMapDatum": \.gpsMapDatum,
      "GPSProcessingMethod": \.gpsProcessingMethod, "GPSAreaInformation": \.gpsAreaInformation,
      "transcribedTextContent": \.transcribedTextContent,
    ]
  }

  private var lists: Paths<[String]> {
    [
      "alternateNames": \.alternateNames, "contentTypeTree": \.contentTypeTree,
      "keywords": \.keywords, "providerDataTypeIdentifiers": \.providerDataTypeIdentifiers,
      "providerFileTypeIdentifiers": \.providerFileTypeIdentifiers,
      "providerInPlaceFileTypeIdentifiers": \.providerInPlaceFileTypeIdentifiers,
      "audiences": \.audiences, "encodingApplications": \.encodingApplications,
      "fontNames": \.fontNames, "accountHandles": \.accountHandles,
      "mailboxIdentifiers": \.mailboxIdentifiers, "authorNames": \.authorNames,
      "recipientNames": \.recipientNames, "authorEmailAddresses": \.authorEmailAddresses,
      "recipientEmailAddresses": \.recipientEmailAddresses, "authorAddresses": \.authorAddresses,
      "recipientAddresses": \.recipientAddresses, "phoneNumbers": \.phoneNumbers,
      "emailAddresses": \.emailAddresses, "instantMessageAddresses": \.instantMessageAddresses,
      "editors": \.editors, "participants": \.participants, "projects": \.projects,
      "contentSources": \.contentSources, "contactKeywords": \.contactKeywords, "codecs": \.codecs,
      "mediaTypes": \.mediaTypes, "organizations": \.organizations, "languages": \.languages,
      "publishers": \.publishers, "contributors": \.contributors, "coverage": \.coverage,
      "performers": \.performers, "layerNames": \.layerNames,
    ]
  }

  private var addresses: Paths<URL> {
    [
      "contentURL": \.contentURL, "thumbnailURL": \.thumbnailURL,
      "darkThumbnailURL": \.darkThumbnailURL, "URL": \.url,
    ]
  }

  private var bytes: Paths<Data> {
    ["thumbnailData": \.thumbnailData, "HTMLContentData": \.htmlContentData]
  }

  private var dates: Paths<Date> {
    [
      "metadataModificationDate": \.metadataModificationDate, "dueDate": \.dueDate,
      "completionDate": \.completionDate, "startDate": \.startDate, "endDate": \.endDate,
      "downloadedDate": \.downloadedDate, "lastUsedDate": \.lastUsedDate,
      "contentCreationDate": \.contentCreationDate,
      "contentModificationDate": \.contentModificationDate, "addedDate": \.addedDate,
      "recordingDate": \.recordingDate, "timestamp": \.timestamp, "GPSDateStamp": \.gpsDateStamp,
    ]
  }

  private var flags: Paths<NSNumber> {
    [
      "userCreated": \.isUserCreated, "userOwned": \.isUserOwned, "userCurated": \.isUserCurated,
      "supportsPhoneCall": \.supportsPhoneCall, "supportsNavigation": \.supportsNavigation,
      "allDay": \.allDay, "likelyJunk": \.isLikelyJunk, "streamable": \.isStreamable,
      "local": \.isLocal, "contentRating": \.contentRating,
      "generalMIDISequence": \.isGeneralMIDISequence, "flashOn": \.isFlashOn,
      "focalLength35mm": \.isFocalLength35mm, "hasAlphaChannel": \.hasAlphaChannel,
      "redEyeOn": \.isRedEyeOn,
    ]
  }

  private var numbers: Paths<NSNumber> {
    [
      "containerOrder": \.containerOrder, "fileSize": \.fileSize, "pageCount": \.pageCount,
      "pageWidth": \.pageWidth, "pageHeight": \.pageHeight, "duration": \.duration,
      "totalBitRate": \.totalBitRate, "videoBitRate": \.videoBitRate,
      "audioBitRate": \.audioBitRate, "deliveryType": \.deliveryType, "rating": \.rating,
      "playCount": \.playCount, "audioSampleRate": \.audioSampleRate,
      "audioChannelCount": \.audioChannelCount, "tempo": \.tempo,
      "audioTrackNumber": \.audioTrackNumber, "pixelHeight": \.pixelHeight,
      "pixelWidth": \.pixelWidth, "pixelCount": \.pixelCount, "bitsPerSample": \.bitsPerSample,
      "focalLength": \.focalLength, "ISOSpeed": \.isoSpeed, "orientation": \.orientation,
      "whiteBalance": \.whiteBalance, "aperture": \.aperture,
      "resolutionWidthDPI": \.resolutionWidthDPI, "resolutionHeightDPI": \.resolutionHeightDPI,
      "exposureMode": \.exposureMode, "exposureTime": \.exposureTime, "maxAperture": \.maxAperture,
      "fNumber": \.fNumber, "altitude": \.altitude, "latitude": \.latitude,
      "longitude": \.longitude, "speed": \.speed, "imageDirection": \.imageDirection,
      "GPSTrack": \.gpsTrack, "GPSDOP": \.gpsdop, "GPSDestLatitude": \.gpsDestLatitude,
      "GPSDestLongitude": \.gpsDestLongitude, "GPSDestBearing": \.gpsDestBearing,
      "GPSDestDistance": \.gpsDestDistance, "GPSDifferental": \.gpsDifferental,
    ]
  }

  private var persons: Paths<[CSPerson]> {
    [
      "authors": \.authors, "primaryRecipients": \.primaryRecipients,
      "additionalRecipients": \.additionalRecipients,
      "hiddenAdditionalRecipients": \.hiddenAdditionalRecipients,
    ]
  }

  private func sheet() -> Sheet {
    let sheet = Sheet()
    sheet.check("text", texts)
    sheet.check(["one", "two"], lists)
    sheet.check(URL(string: "https://example.org/a?b#c"), addresses)
    sheet.check(Data([1, 2]), bytes)
    sheet.check(Date(timeIntervalSinceReferenceDate: 0.1), dates)
    sheet.check(true, flags)
    sheet.check(UTType.jpeg, ["sharedItemContentType": \.sharedItemContentType])
    sheet.check(2.5, numbers)
    sheet.check([Date(timeIntervalSinceReferenceDate: 7)], ["importantDates": \.importantDates])
    sheet.check([CSPerson(displayName: "Ann", handles: ["a@b"], handleIdentifier: "mail")], persons)
    sheet.check(["To": ["a", "b"]] as [String: [Any]]?, ["emailHeaders": \.emailHeaders])
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
