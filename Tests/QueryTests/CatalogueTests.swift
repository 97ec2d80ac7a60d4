import Query
import Testing

struct CatalogueTests {
  @Test func `The catalogue has Apple's 190 attributes, each once`() {
    #expect(AttributeCatalogue.all.count == 190)
    let spellings = AttributeCatalogue.all.flatMap(\.spellings)
    #expect(Set(spellings).count == spellings.count)
  }

  @Test(arguments: [
    ("title", false), ("pageCount", false), ("allDay", false), ("dueDate", true),
    ("importantDates", true), ("GPSDateStamp", true), ("gpsDateStamp", true), ("timestamp", true),
    ("kMDItemContentModificationDate", true), ("contentRating", false),
  ]) func `Attributes that hold dates are known`(name: String, isDate: Bool) {
    #expect(AttributeCatalogue.attribute(named: name)?.isDate == isDate)
  }

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
      #expect(AttributeCatalogue.attribute(named: name)?.isDate == false)
    }
    let searched = Set(AttributeCatalogue.searchedByDefault)
    #expect(searched.isDisjoint(with: ["identifier", "domainIdentifier", "contentType", "URL"]))
    #expect(!searched.contains(AttributeCatalogue.bodyText))
  }
}
