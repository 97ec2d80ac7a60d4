import Cairn

/// Pages of the help that are about no single command: `cairn help times`.
enum HelpPage: String, CaseIterable {
  case filters, times, points, schemas

  /// The page, without a newline at its end.
  var text: String {
    switch self {
    case .filters: Self.filtersText + "\n" + Self.attributeTable
    case .times: Self.timesText
    case .points: Self.pointsText
    case .schemas: Self.schemasText
    }
  }

  private static let filtersText = """
    FILTERS: --filter EXPRESSION of items, search, find and purge

    A filter is Core Spotlight's query language. It looks at items' attributes:

      ATTRIBUTE == "text"      equal; also != and, for numbers and times, < <= > >=
      ATTRIBUTE == *           the item has the attribute at all
      InRange(ATTRIBUTE, a, b) from a to b, both included
      A && B   A || B   !(A)   and, or, not; && binds tighter; parentheses group

    Text stands in double or single quotes; * in it stands for anything; \\ before
    ", ' and * takes them as they are. Letters right after the closing quote change
    how text is compared:

      c  letter case does not count      w  at the words' edges, not the whole value
      d  accents do not count            t  every word of it, in any order

    Of a list one element is enough. * for an attribute means the usual texts
    (title, keywords, contentDescription, authorNames and the like), ** these and
    textContent. Times, in UTC, are $time.yesterday and $time.last_week; $time.now,
    $time.today, $time.this_week, $time.this_month and $time.this_year, these also
    with a number in parentheses, of seconds for now: that many later (-1: before);
    and $time.iso(2024-05-15T10:30:00Z). A bare number is seconds since 2001, as
    on Apple's systems, and a text in quotes is no time and no number. Without the
    quotes of your shell:

        title == "Harbour survey"                    this very title
        title == "harbour*"c                         begins with it
        title == "*survey"                           ends with it
        title == "*our*"                             has it in it
        title == "survey"cw                          has the word
        title == "survey harbour"cwt                 has both words
        authorNames == "zoe bar"cd                   Zoë Bär, too
        ** == "tide*"cdwt                            somewhere in the item's texts
        keywords == "tide"                           one keyword of several
        keywords != "sport"                          has no such keyword, or none
        rating == *                                  has a rating
        !(rating == *)                               has none
        pageCount > 300                              numbers compare
        archived == true                             true and yes are 1
        InRange(pageCount, 10, 400)                  between, both included
        contentType == "public.html"                 one type
        domainIdentifier == "work.*"                 below a domain
        contentModificationDate >= $time.today(-7)   changed within a week
        contentCreationDate < $time.this_year        older than this year
        contentModificationDate == $time.iso(2024-05-15T10:30:00Z)   at that second
        title == "H*" && (rating >= 3 || keywords == "tide")   combined
        projectCode == "X-7"                         an attribute of your own

    Attributes that Core Spotlight knows, with their types; items may have others:

    """

  private static var attributeTable: String {
    let attributes = FilterSyntax.attributes
    let types = Set(attributes.map(\.type)).sorted()
    return types.map { type in
      let names = attributes.filter { $0.type == type }.map(\.name)
      return "  \(type):" + wrapped(names)
    }.joined(separator: "\n")
  }

  private static func wrapped(_ words: [String]) -> String {
    let columns = 80
    var text = ""
    var used = columns
    for word in words {
      if used + 1 + word.utf8.count > columns {
        text += "\n   "
        used = 3
      }
      text += " " + word
      used += 1 + word.utf8.count
    }
    return text
  }

  private static let timesText = """
    TIMES: --since, --until, --before, --time, --now, --expires and --as-of

      2026-11-20T10:00:00Z        RFC 3339, with any offset, also after a blank
      2026  2026-11  2026-11-20   a year, a month, a day, in the local zone; of
                                  --as-of four digits alone are an event's number:
                                  write 2026-01
      2026-11-20T10:00            a minute; a blank may stand for the T
      1763881200                  Unix seconds; milliseconds are refused
      now  today  yesterday  tomorrow
      monday  last monday         the last one there was; with `last` not today
      yesterday 14:30  10:15  3pm a day and a clock; without a day it is today
      this week  last month       also year; a week begins on Monday
      2h  90d  1h30m  -90d        that long ago: s, m (minutes), h, d, w,
                                  mo (months), y; 3M is refused
      3 days ago  in 2 weeks      the same in words

    What names a day, a month or a minute means its beginning as a beginning
    (--since, --before) and its end as an end (--until, --as-of). A distance in
    --expires counts from now on. A day of a distance has 24 hours; months and years
    are the calendar's.

    The local zone is $TZ, else the system's; --utc reads and shows times in UTC.
    Times are shown with their offset; --json always gives UTC.
    """

  private static let pointsText = """
    POINTS: what --as-of and diff understand

      1234        right after the event of this number; 0 is the empty store
      head        the present; head~3 is three events before it
      before      the snapshot of that name (cairn snapshot create before)
      2026-11-20  after all events recorded by then; every form of: cairn help times

    Digits alone are always a sequence number: write 2026-01 for the time. A day, a
    month or a minute means its end, or now while it lasts. A point beyond the last
    event, a time in the future and an unknown name are refused with exit code 1.
    """
}
