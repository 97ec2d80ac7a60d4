import Query
import Testing

struct CatalogueTests {
  @Test func `The catalogue has Apple's 190 attributes, each once`() {
    #expect(AttributeCatalogue.all.count == 190)
    let spellings = AttributeCatalogue.all.flatMap(\.spellings)
    #expect(Set(spellings).count == spellings.count)
  }

  @Test(arguments: [
    ("title", Attribute.ValueType.string), ("keywords", .strings), ("pageCount", .number),
    ("allDay", .flag), ("dueDate", .date), ("importantDates", .dates), ("contentURL", .url),
    ("thumbnailData", .data), ("authors", .persons), ("emailHeaders", .headers),
    ("sharedItemContentType", .contentType), ("GPSDateStamp", .date), ("timestamp", .date),
    ("HTMLContentData", .data), ("focalLength35mm", .flag), ("contentRating", .flag),
  ]) func `Attributes have the types of the attribute set`(name: String, type: Attribute.ValueType)
  { #expect(AttributeCatalogue.attribute(named: name)?.type == type) }

  @Test(arguments: [
    ("url", "URL"), ("htmlContentData", "HTMLContentData"), ("isoSpeed", "ISOSpeed"),
    ("exifVersion", "EXIFVersion"), ("exifgpsVersion", "EXIFGPSVersion"), ("gpsTrack", "GPSTrack"),
    ("gpsdop", "GPSDOP"), ("gpsDifferental", "GPSDifferental"), ("isLocal", "local"),
    ("isUserCreated", "userCreated"), ("kMDItemTitle", "title"), ("kMDItemISOSpeed", "ISOSpeed"),
    ("kMDItemAuthors", "authorNames"),
    ("kMDItemContentModificationDate", "contentModificationDate"),
    ("kMDItemIsGeneralMIDISequence", "generalMIDISequence"),
  ]) func `Other spellings name the same attribute`(spelling: String, name: String) {
    #expect(AttributeCatalogue.attribute(named: spelling)?.name == name)
  }

  @Test(arguments: ["Title", "", "kMDItem", "kMDItemNowhere", "com_example_key", "titlé"])
  func `Anything else is a custom key`(name: String) {
    #expect(AttributeCatalogue.attribute(named: name) == nil)
  }

  @Test func `What is searched by default is text and never an identity`() {
    for name in AttributeCatalogue.searchedByDefault + [AttributeCatalogue.bodyText] {
      let type = AttributeCatalogue.attribute(named: name)?.type
      #expect(type == .string || type == .strings)
    }
    let searched = Set(AttributeCatalogue.searchedByDefault)
    #expect(searched.isDisjoint(with: ["identifier", "domainIdentifier", "contentType", "URL"]))
    #expect(!searched.contains(AttributeCatalogue.bodyText))
  }
}
