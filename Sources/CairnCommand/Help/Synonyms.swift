/// What people type first for commands and options that have another name here.
enum Synonyms {
  /// What there is for a word that is no command; a word for taking something away is never
  /// answered with one command alone.
  static func command(_ word: String) -> String? {
    if word.contains("://") {
      return "cairn search URL finds a page, cairn import web URL takes it in"
    }
    return commands.first { $0.words.contains(word) }?.there
  }

  private static let commands: [(words: Set<String>, there: String)] = [
    (
      ["forget", "remove", "rm", "del", "erase", "destroy", "clear", "wipe", "redact"],
      "cairn delete takes items out and keeps their history, cairn purge erases it"
    ),
    (["open", "go", "launch"], "cairn find --open opens the item that is chosen"),
    (
      ["rename", "tag", "edit", "set", "modify", "mv", "title"],
      "cairn update ITEM changes what is known of one"
    ),
    (["get", "cat", "info", "describe", "details"], "cairn show ITEM shows one"),
    (["grep", "query", "lookup", "ask"], "cairn search TEXT finds items by their words"),
    (["sql", "where"], "cairn items --filter EXPRESSION takes conditions: cairn help filters"),
    (["count", "wc"], "cairn items --count counts items, cairn stats events"),
    (
      ["recent", "latest", "tail", "follow"],
      "cairn top --by recent shows items, cairn log --follow events"
    ),
    (["last", "head"], "cairn log -n 5 shows the last events"),
    (["today", "yesterday", "week"], "cairn log --since today shows what happened"),
    (["blame", "life", "events"], "cairn log ITEM shows what happened to one"),
    (["favorites", "favourites", "popular", "rank"], "cairn top ranks items by their use"),
    (["graph", "chart", "activity"], "cairn timeline counts by hour, day, week or month"),
    (["audit"], "cairn verify checks everything, cairn prove and cairn check give evidence"),
    (["fsck", "repair", "fix", "health"], "cairn doctor says what is wrong, and what to do"),
    (["upgrade"], "cairn migrate brings an older store up to date"),
    (
      ["save", "record", "store", "put", "note", "remember", "new", "create", "insert"],
      "cairn index ITEM --title TEXT puts one in"
    ),
    (["rollback", "reset", "checkout"], "cairn undo and cairn revert --to POINT go back"),
    (
      ["ui", "gui", "web", "server", "dashboard", "start", "daemon", "api"],
      "cairn serve answers in a browser"
    ),
    (["load", "ingest", "sync"], "cairn import takes files in, cairn watch goes on with it"),
    (["dump", "save-as"], "cairn export writes every event"),
    (["clone", "copy", "cp"], "cairn backup DIR makes a copy, cairn restore a store of it"),
    (
      ["prune", "gc", "vacuum", "compact", "clean", "cleanup", "expire", "optimize"],
      "cairn retention erases what is old, cairn purge what is named, and room is used again"
    ),
    (["size", "du", "usage"], "cairn stats --sizes shows what is on disk"),
    (["visit", "touch", "see"], "cairn view ITEM records that it was looked at"),
    (["redo"], "cairn undo takes back what an undo did, too"),
    (
      ["undelete", "unremove", "recover"], "cairn undo and cairn revert --to POINT bring items back"
    ),
    (["config", "configure", "settings", "path"], "--store or $CAIRN_STORE names the store"),
    (["completion", "completions"], "cairn --generate-completion-script bash (or zsh, fish)"),
    (["man", "manual", "docs"], "cairn help COMMAND, or man cairn-COMMAND"),
  ]

  /// The command among some that is meant by another name; other groups call theirs so.
  static func command(_ word: String, among known: [String]) -> String? {
    let alike = [
      ["create", "add", "new", "make"], ["list", "ls", "all", "show", "get", "cat", "info"],
    ]
    return alike.first { $0.contains(word) }?.first { known.contains($0) }
  }

  /// The option of a command that is meant by another name.
  static func option(_ word: String, among known: [String]) -> String? {
    options[word].flatMap { known.contains($0) ? $0 : nil }
  }

  private static let options = [
    "--tag": "--keyword", "--tags": "--keyword", "--name": "--title", "--max": "--limit",
    "--count": "--limit", "--number": "--limit", "--top": "--limit", "--order": "--sort",
    "--last": "--limit", "--head": "--limit", "--tail": "--limit", "-f": "--follow",
    "--where": "--filter", "--from": "--since", "--after": "--since", "--to": "--until",
    "--before": "--until", "--port": "--listen", "--host": "--listen", "--bind": "--listen",
    "--user": "--actor", "--person": "--actor", "--email": "--mentioning", "--type": "--kind",
    "--text": "--mentioning", "--db": "--store", "--who": "--actor", "--category": "--domain",
    "--older-than": "--before", "--site": "--domain", "--folder": "--domain", "--url": "--item",
    "--older": "--before", "--months": "--days", "--years": "--days", "--at": "--as-of",
    "--order-by": "--sort", "--max-age": "--days", "--keep": "--days", "--date": "--since",
    "--day": "--since", "--asc": "--oldest-first", "--desc": "--reverse", "--format": "--json",
  ]

  /// What to do instead of an option that no command has.
  static func advice(_ word: String) -> String? {
    switch word {
    case "-o", "--output", "--out": "it writes to standard output: > FILE"
    case "--today", "--yesterday": "a day is named by --since and --until"
    case "--week", "--month", "--days": "cairn timeline --by day, week or month counts by these"
    case "--csv": "cairn export --format csv writes a table"
    case "--fix", "--repair": "cairn doctor says what is wrong, and what to do"
    case "--mentioning": "cairn purge --mentioning TEXT --dry-run --list shows where a text stands"
    default: nil
    }
  }
}
