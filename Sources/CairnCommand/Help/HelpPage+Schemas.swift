extension HelpPage {
  static let schemasText = """
    SCHEMAS: cairn schema set FILE, and diff, check, show, history, undo

    A schema says what the attributes of items are. FILE is JSON:

      {"cairnSchema": 1,
       "domains": {"films": {"unknown": "refuse", "attributes": {
          "title":    {"type": "text", "required": true},
          "ex_year":  {"type": "integer", "aliases": ["ex_yr"]},
          "ex_genre": {"type": "keyword", "multi": true, "searchable": true}}}},
       "upcasters": [{"domain": "films", "op": "rename",
                      "from": "ex_kind", "to": "ex_genre"}]}

    A domain counts with everything below it; "" is every item.

      unknown      what nothing declares: keep (the default), refuse, ignore
      invalid      an event that breaks a rule: refuse (the default), keep
      type         text, keyword, integer, decimal, time, boolean, place ("LAT,LON")
      multi        several values       required    must be there
      default      shown without value  maxLength   characters of one value
      aliases      older names          searchable  found; weight, language
      sortable     for search and items: --sort KEY[:desc]
      facet        for them: --facet KEY[:N] counts, --group-by KEY[:N] groups

    Steps read older events as newer ones; the log keeps what was written. The list
    only grows:

      rename from to · split from to at · join from to with · map key values else
      convert key to · default key value · drop key · move to (a domain)

    cairn schema set FILE --dry-run says what will be built anew and which items
    break the file; cairn schema undo returns to the schema before. --as-of shows
    the past by today's schema.
    """
}
