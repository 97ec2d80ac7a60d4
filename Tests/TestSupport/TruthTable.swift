/// The truth table of the specification: queries, and which of its four items they find.
package enum TruthTable {
  package static let rows: [(String, String)] = [
    (#"title == "Lisbon Tram 28""#, "i1"), (#"title == "Tram""#, ""),
    (#"title == "Tram"w"#, "i1 i2"), (#"title == "tram"w"#, ""), (#"title == "tram"wc"#, "i1 i2"),
    (#"title == "tram*"c"#, "i3"), (#"title == "tram*"cw"#, "i1 i2 i3"),
    (#"title == "*Planner""#, "i2"), (#"title == "*ram*""#, "i1 i2 i3 i4"),
    (#"authorNames == "Zoe Bar"c"#, ""), (#"authorNames == "Zoe Bar"cd"#, "i1"),
    (#"keywords == "portugal""#, "i1"), ("InRange(pageCount, 5, 12)", "i1 i3"),
    (#"pageCount > 12 && !(title == "*park")"#, "i2"),
    (#"title == "Tram"w || pageCount <= 5"#, "i1 i2 i3 i4"),
    (#"title == "NSTram" || title == "MyTramPlanner" && pageCount > 100"#, "i4"),
    (#"(title == "NSTram" || title == "MyTramPlanner") && pageCount > 100"#, ""),
    (#"** == "uphill"cdw"#, "i1"), (#"* == "uphill"cdw"#, ""), (#"** == "tram yellow"cdwt"#, "i1"),
    (#"** == "tram yellow"cdw"#, ""), ("contentModificationDate == $time.today", "i1"),
    ("contentModificationDate >= $time.yesterday", "i1 i2"),
    ("InRange(contentModificationDate, $time.today(-20), $time.today)", "i1 i2 i3"),
    ("contentModificationDate < $time.this_year", "i4"),
    ("contentModificationDate >= 737424000", "i1"), ("pageCount == 12", "i1"),
    (#"title == "Lisbon*" && keywords != "sport""#, "i1"), ("authorNames == *", "i1"),
  ]
}
