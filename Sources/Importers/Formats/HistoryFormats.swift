/// Every format that can be imported; to add one is to add its file and a line here.
package enum HistoryFormats {
  /// In the order in which a file is asked what it is: what is surest of itself comes first.
  package static let all: [any HistoryFormat.Type] = [
    // Browsers.
    Chromium.self, Firefox.self, Safari.self, Epiphany.self, Qutebrowser.self, Falkon.self,
    TakeoutChrome.self, SafariExport.self, TakeoutActivity.self, TakeoutPages.self,
    BrowserExport.self,
    // Bookmarks and articles.
    Netscape.self, OPML.self, AtomFeed.self, ChromiumBookmarks.self, FirefoxJSON.self,
    Pinboard.self, Wallabag.self,
    PocketHTML.self, PocketCSV.self, RaindropCSV.self, InstapaperCSV.self,
    // Commands.
    Atuin.self, Nushell.self, McFly.self, ZshHistdb.self, Xonsh.self, XonshSession.self,
    IPython.self, Fish.self, Zsh.self, Bash.self, PowerShell.self, NushellText.self,
    // The desktop.
    ActivityWatchDatabase.self, ActivityWatchRust.self, ActivityWatch.self,
    KActivities.self, Zeitgeist.self, XBEL.self,
    WindowsTimeline.self, KnowledgeC.self, Quarantine.self, VSCode.self, Viminfo.self, Shada.self,
    Recentf.self, Zoxide.self, ZJump.self, Autojump.self,
    // Music, films, books, days.
    Spotify.self, ListenBrainz.self, ScrobblerLog.self, Netflix.self, NetflixDays.self, Kindle.self,
    KOReader.self, Calendar.self,
    // Systems.
    Git.self, AccessLog.self, Apt.self, W3CLog.self, CloudTrail.self, XAPI.self, Outbox.self,
    Utmp.self,
  ]

  package static func named(_ name: String) -> (any HistoryFormat.Type)? {
    all.first { $0.name == name }
  }

  package static func format(of file: InputFile) -> (any HistoryFormat.Type)? {
    Folder.isBesideFile(file.name) ? nil : all.first { $0.recognises(file) }
  }
}
