// The searchable item attribute set of Core Spotlight as of iOS 18.4 and macOS 15.4, by Apple's own
// categories. Names are those of the Objective-C properties, which query strings use.

extension AttributeCatalogue {
  /// Every attribute, category after category.
  package static let all: [Attribute] =
    general
    + actions
    + containment
    + itemProvider
    + documents
    + events
    + messaging
    + media
    + music
    + images
    + places
    + appleIntelligence

  private static let general: [Attribute] = [
    Attribute("displayName", .string),
    Attribute("alternateNames", .strings),
    Attribute("path", .string),
    Attribute("contentURL", .url),
    Attribute("thumbnailURL", .url),
    Attribute("darkThumbnailURL", .url),
    Attribute("thumbnailData", .data),
    Attribute("relatedUniqueIdentifier", .string),
    Attribute("weakRelatedUniqueIdentifier", .string),
    Attribute("metadataModificationDate", .date),
    Attribute("contentType", .string),
    Attribute("contentTypeTree", .strings),
    Attribute("keywords", .strings),
    Attribute("title", .string),
    Attribute("version", .string),
    Attribute("domainIdentifier", .string),
    Attribute("userCreated", .flag, swiftName: "isUserCreated"),
    Attribute("userOwned", .flag, swiftName: "isUserOwned"),
    Attribute("userCurated", .flag, swiftName: "isUserCurated"),
    Attribute("rankingHint", .number),
  ]

  private static let actions: [Attribute] = [
    Attribute("supportsPhoneCall", .flag),
    Attribute("supportsNavigation", .flag),
    Attribute("actionIdentifiers", .strings),
    Attribute("sharedItemContentType", .contentType),
  ]

  private static let containment: [Attribute] = [
    Attribute("containerTitle", .string),
    Attribute("containerDisplayName", .string),
    Attribute("containerIdentifier", .string),
    Attribute("containerOrder", .number),
  ]

  private static let itemProvider: [Attribute] = [
    Attribute("providerDataTypeIdentifiers", .strings),
    Attribute("providerFileTypeIdentifiers", .strings),
    Attribute("providerInPlaceFileTypeIdentifiers", .strings),
  ]

  private static let documents: [Attribute] = [
    Attribute("subject", .string),
    Attribute("theme", .string),
    Attribute("contentDescription", .string),
    Attribute("identifier", .string),
    Attribute("audiences", .strings),
    Attribute("fileSize", .number),
    Attribute("pageCount", .number),
    Attribute("pageWidth", .number),
    Attribute("pageHeight", .number),
    Attribute("securityMethod", .string),
    Attribute("creator", .string),
    Attribute("encodingApplications", .strings),
    Attribute("kind", .string),
    Attribute("fontNames", .strings),
  ]

  private static let events: [Attribute] = [
    Attribute("dueDate", .date),
    Attribute("completionDate", .date),
    Attribute("startDate", .date),
    Attribute("endDate", .date),
    Attribute("importantDates", .dates),
    Attribute("allDay", .flag),
  ]

  private static let messaging: [Attribute] = [
    Attribute("accountIdentifier", .string),
    Attribute("accountHandles", .strings),
    Attribute("HTMLContentData", .data, swiftName: "htmlContentData"),
    Attribute("textContent", .string),
    Attribute("authors", .persons),
    Attribute("primaryRecipients", .persons),
    Attribute("additionalRecipients", .persons),
    Attribute("hiddenAdditionalRecipients", .persons),
    Attribute("emailHeaders", .headers),
    Attribute("mailboxIdentifiers", .strings),
    Attribute("authorNames", .strings),
    Attribute("recipientNames", .strings),
    Attribute("authorEmailAddresses", .strings),
    Attribute("recipientEmailAddresses", .strings),
    Attribute("authorAddresses", .strings),
    Attribute("recipientAddresses", .strings),
    Attribute("phoneNumbers", .strings),
    Attribute("emailAddresses", .strings),
    Attribute("instantMessageAddresses", .strings),
    Attribute("likelyJunk", .flag, swiftName: "isLikelyJunk"),
  ]

  private static let media: [Attribute] = [
    Attribute("editors", .strings),
    Attribute("participants", .strings),
    Attribute("projects", .strings),
    Attribute("downloadedDate", .date),
    Attribute("contentSources", .strings),
    Attribute("comment", .string),
    Attribute("copyright", .string),
    Attribute("lastUsedDate", .date),
    Attribute("contentCreationDate", .date),
    Attribute("contentModificationDate", .date),
    Attribute("addedDate", .date),
    Attribute("duration", .number),
    Attribute("contactKeywords", .strings),
    Attribute("codecs", .strings),
    Attribute("mediaTypes", .strings),
    Attribute("streamable", .flag, swiftName: "isStreamable"),
    Attribute("totalBitRate", .number),
    Attribute("videoBitRate", .number),
    Attribute("audioBitRate", .number),
    Attribute("deliveryType", .number),
    Attribute("organizations", .strings),
    Attribute("role", .string),
    Attribute("languages", .strings),
    Attribute("rights", .string),
    Attribute("publishers", .strings),
    Attribute("contributors", .strings),
    Attribute("coverage", .strings),
    Attribute("rating", .number),
    Attribute("ratingDescription", .string),
    Attribute("playCount", .number),
    Attribute("information", .string),
    Attribute("director", .string),
    Attribute("producer", .string),
    Attribute("genre", .string),
    Attribute("performers", .strings),
    Attribute("originalFormat", .string),
    Attribute("originalSource", .string),
    Attribute("local", .flag, swiftName: "isLocal"),
    Attribute("contentRating", .flag),
    Attribute("URL", .url, swiftName: "url"),
  ]

  private static let music: [Attribute] = [
    Attribute("audioSampleRate", .number),
    Attribute("audioChannelCount", .number),
    Attribute("tempo", .number),
    Attribute("keySignature", .string),
    Attribute("timeSignature", .string),
    Attribute("audioEncodingApplication", .string),
    Attribute("composer", .string),
    Attribute("lyricist", .string),
    Attribute("album", .string),
    Attribute("artist", .string),
    Attribute("audioTrackNumber", .number),
    Attribute("recordingDate", .date),
    Attribute("musicalGenre", .string),
    Attribute("generalMIDISequence", .flag, swiftName: "isGeneralMIDISequence"),
    Attribute("musicalInstrumentCategory", .string),
    Attribute("musicalInstrumentName", .string),
  ]

  private static let images: [Attribute] = [
    Attribute("pixelHeight", .number),
    Attribute("pixelWidth", .number),
    Attribute("pixelCount", .number),
    Attribute("colorSpace", .string),
    Attribute("bitsPerSample", .number),
    Attribute("flashOn", .flag, swiftName: "isFlashOn"),
    Attribute("focalLength", .number),
    Attribute("focalLength35mm", .flag, swiftName: "isFocalLength35mm"),
    Attribute("acquisitionMake", .string),
    Attribute("acquisitionModel", .string),
    Attribute("cameraOwner", .string),
    Attribute("lensModel", .string),
    Attribute("ISOSpeed", .number, swiftName: "isoSpeed"),
    Attribute("orientation", .number),
    Attribute("layerNames", .strings),
    Attribute("whiteBalance", .number),
    Attribute("aperture", .number),
    Attribute("profileName", .string),
    Attribute("resolutionWidthDPI", .number),
    Attribute("resolutionHeightDPI", .number),
    Attribute("exposureMode", .number),
    Attribute("exposureTime", .number),
    Attribute("EXIFVersion", .string, swiftName: "exifVersion"),
    Attribute("EXIFGPSVersion", .string, swiftName: "exifgpsVersion"),
    Attribute("hasAlphaChannel", .flag),
    Attribute("redEyeOn", .flag, swiftName: "isRedEyeOn"),
    Attribute("meteringMode", .string),
    Attribute("maxAperture", .number),
    Attribute("fNumber", .number),
    Attribute("exposureProgram", .string),
    Attribute("exposureTimeString", .string),
  ]

  private static let places: [Attribute] = [
    Attribute("headline", .string),
    Attribute("instructions", .string),
    Attribute("thoroughfare", .string),
    Attribute("subThoroughfare", .string),
    Attribute("postalCode", .string),
    Attribute("city", .string),
    Attribute("stateOrProvince", .string),
    Attribute("country", .string),
    Attribute("fullyFormattedAddress", .string),
    Attribute("altitude", .number),
    Attribute("latitude", .number),
    Attribute("longitude", .number),
    Attribute("speed", .number),
    Attribute("timestamp", .date),
    Attribute("imageDirection", .number),
    Attribute("namedLocation", .string),
    Attribute("GPSTrack", .number, swiftName: "gpsTrack"),
    Attribute("GPSStatus", .string, swiftName: "gpsStatus"),
    Attribute("GPSMeasureMode", .string, swiftName: "gpsMeasureMode"),
    Attribute("GPSDOP", .number, swiftName: "gpsdop"),
    Attribute("GPSMapDatum", .string, swiftName: "gpsMapDatum"),
    Attribute("GPSDestLatitude", .number, swiftName: "gpsDestLatitude"),
    Attribute("GPSDestLongitude", .number, swiftName: "gpsDestLongitude"),
    Attribute("GPSDestBearing", .number, swiftName: "gpsDestBearing"),
    Attribute("GPSDestDistance", .number, swiftName: "gpsDestDistance"),
    Attribute("GPSProcessingMethod", .string, swiftName: "gpsProcessingMethod"),
    Attribute("GPSAreaInformation", .string, swiftName: "gpsAreaInformation"),
    Attribute("GPSDateStamp", .date, swiftName: "gpsDateStamp"),
    Attribute("GPSDifferental", .number, swiftName: "gpsDifferental"),
  ]

  private static let appleIntelligence: [Attribute] = [
    Attribute("isPriority", .number),
    Attribute("textContentSummary", .string),
    Attribute("transcribedTextContent", .string),
  ]
}
