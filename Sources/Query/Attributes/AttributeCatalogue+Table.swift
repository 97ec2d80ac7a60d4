// The searchable item attribute set of Core Spotlight as of iOS 18.4 and macOS 15.4, by Apple's own
// categories. Names are those of the Objective-C properties, which query strings use.

extension AttributeCatalogue {
  /// Every attribute, category after category.
  package static let all: [Attribute] = names.map { name in
    Attribute(name: name, swiftName: swiftNames[name], isDate: dates.contains(name))
  }

  private static let names = [
    // General
    "displayName", "alternateNames", "path", "contentURL", "thumbnailURL", "darkThumbnailURL",
    "thumbnailData", "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
    "metadataModificationDate", "contentType", "contentTypeTree", "keywords", "title", "version",
    "domainIdentifier", "userCreated", "userOwned", "userCurated", "rankingHint",
    // Actions
    "supportsPhoneCall", "supportsNavigation", "actionIdentifiers", "sharedItemContentType",
    // Containment
    "containerTitle", "containerDisplayName", "containerIdentifier", "containerOrder",
    // Item provider
    "providerDataTypeIdentifiers", "providerFileTypeIdentifiers",
    "providerInPlaceFileTypeIdentifiers",
    // Documents
    "subject", "theme", "contentDescription", "identifier", "audiences", "fileSize", "pageCount",
    "pageWidth", "pageHeight", "securityMethod", "creator", "encodingApplications", "kind",
    "fontNames",
    // Events
    "dueDate", "completionDate", "startDate", "endDate", "importantDates", "allDay",
    // Messaging
    "accountIdentifier", "accountHandles", "HTMLContentData", "textContent", "authors",
    "primaryRecipients", "additionalRecipients", "hiddenAdditionalRecipients", "emailHeaders",
    "mailboxIdentifiers", "authorNames", "recipientNames", "authorEmailAddresses",
    "recipientEmailAddresses", "authorAddresses", "recipientAddresses", "phoneNumbers",
    "emailAddresses", "instantMessageAddresses", "likelyJunk",
    // Media
    "editors", "participants", "projects", "downloadedDate", "contentSources", "comment",
    "copyright", "lastUsedDate", "contentCreationDate", "contentModificationDate", "addedDate",
    "duration", "contactKeywords", "codecs", "mediaTypes", "streamable", "totalBitRate",
    "videoBitRate", "audioBitRate", "deliveryType", "organizations", "role", "languages",
    "rights", "publishers", "contributors", "coverage", "rating", "ratingDescription",
    "playCount", "information", "director", "producer", "genre", "performers", "originalFormat",
    "originalSource", "local", "contentRating", "URL",
    // Music
    "audioSampleRate", "audioChannelCount", "tempo", "keySignature", "timeSignature",
    "audioEncodingApplication", "composer", "lyricist", "album", "artist", "audioTrackNumber",
    "recordingDate", "musicalGenre", "generalMIDISequence", "musicalInstrumentCategory",
    "musicalInstrumentName",
    // Images
    "pixelHeight", "pixelWidth", "pixelCount", "colorSpace", "bitsPerSample", "flashOn",
    "focalLength", "focalLength35mm", "acquisitionMake", "acquisitionModel", "cameraOwner",
    "lensModel", "ISOSpeed", "orientation", "layerNames", "whiteBalance", "aperture",
    "profileName", "resolutionWidthDPI", "resolutionHeightDPI", "exposureMode", "exposureTime",
    "EXIFVersion", "EXIFGPSVersion", "hasAlphaChannel", "redEyeOn", "meteringMode", "maxAperture",
    "fNumber", "exposureProgram", "exposureTimeString",
    // Places
    "headline", "instructions", "thoroughfare", "subThoroughfare", "postalCode", "city",
    "stateOrProvince", "country", "fullyFormattedAddress", "altitude", "latitude", "longitude",
    "speed", "timestamp", "imageDirection", "namedLocation", "GPSTrack", "GPSStatus",
    "GPSMeasureMode", "GPSDOP", "GPSMapDatum", "GPSDestLatitude", "GPSDestLongitude",
    "GPSDestBearing", "GPSDestDistance", "GPSProcessingMethod", "GPSAreaInformation",
    "GPSDateStamp", "GPSDifferental",
    // Apple Intelligence
    "isPriority", "textContentSummary", "transcribedTextContent",
  ]

  /// Attributes that hold a date or a list of dates.
  private static let dates: Set = [
    "metadataModificationDate", "dueDate", "completionDate", "startDate", "endDate",
    "importantDates", "downloadedDate", "lastUsedDate", "contentCreationDate",
    "contentModificationDate", "addedDate", "recordingDate", "timestamp", "GPSDateStamp",
  ]

  /// The Swift property where it is spelled otherwise.
  private static let swiftNames = [
    "userCreated": "isUserCreated", "userOwned": "isUserOwned", "userCurated": "isUserCurated",
    "HTMLContentData": "htmlContentData", "likelyJunk": "isLikelyJunk",
    "streamable": "isStreamable", "local": "isLocal", "URL": "url",
    "generalMIDISequence": "isGeneralMIDISequence", "flashOn": "isFlashOn",
    "focalLength35mm": "isFocalLength35mm", "ISOSpeed": "isoSpeed", "EXIFVersion": "exifVersion",
    "EXIFGPSVersion": "exifgpsVersion", "redEyeOn": "isRedEyeOn", "GPSTrack": "gpsTrack",
    "GPSStatus": "gpsStatus", "GPSMeasureMode": "gpsMeasureMode", "GPSDOP": "gpsdop",
    "GPSMapDatum": "gpsMapDatum", "GPSDestLatitude": "gpsDestLatitude",
    "GPSDestLongitude": "gpsDestLongitude", "GPSDestBearing": "gpsDestBearing",
    "GPSDestDistance": "gpsDestDistance", "GPSProcessingMethod": "gpsProcessingMethod",
    "GPSAreaInformation": "gpsAreaInformation", "GPSDateStamp": "gpsDateStamp",
    "GPSDifferental": "gpsDifferental",
  ]
}
