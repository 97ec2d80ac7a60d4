import Files

/// Where programs keep their histories.
package enum HistoryPlaces {
  /// One file or folder that is there, and what it holds.
  package struct Found: Sendable {
    package var path: String
    package var format: any HistoryFormat.Type
    /// The machine that it is from and what `~` was there; nil for what the import was told.
    package var host: String?
    package var home: String?

    package init(path: String, format: any HistoryFormat.Type) {
      self.path = path
      self.format = format
    }
  }

  private struct Place {
    var format: any HistoryFormat.Type
    /// Below the home; `*` stands for one component or a part of it.
    var paths: [String]
  }

  private static let chromiumFolders: [String] =
    [
      ".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable",
      ".config/chromium", ".config/microsoft-edge", ".config/microsoft-edge-beta",
      ".config/microsoft-edge-dev", ".config/BraveSoftware/Brave-Browser",
      ".config/BraveSoftware/Brave-Browser-Beta", ".config/vivaldi", ".config/vivaldi-snapshot",
      ".var/app/org.chromium.Chromium/config/chromium",
      ".var/app/com.google.Chrome/config/google-chrome",
      ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
      ".var/app/com.microsoft.Edge/config/microsoft-edge",
      ".var/app/com.vivaldi.Vivaldi/config/vivaldi",
      "snap/brave/current/.config/BraveSoftware/Brave-Browser",
      "snap/chromium/common/chromium", "Library/Application Support/Google/Chrome",
      "Library/Application Support/Chromium", "Library/Application Support/Microsoft Edge",
      "Library/Application Support/BraveSoftware/Brave-Browser",
      "Library/Application Support/Vivaldi", "Library/Application Support/Arc/User Data",
      "AppData/Local/Google/Chrome/User Data", "AppData/Local/Chromium/User Data",
      "AppData/Local/Microsoft/Edge/User Data", "AppData/Local/Vivaldi/User Data",
      "AppData/Local/BraveSoftware/Brave-Browser/User Data",
    ].flatMap { [$0 + "/Default", $0 + "/Profile *"] } + operaFolders

  /// Older versions keep no folder of a profile.
  private static let operaFolders: [String] = [
    ".config/opera", "Library/Application Support/com.operasoftware.Opera",
    "AppData/Roaming/Opera Software/Opera Stable",
    "AppData/Roaming/Opera Software/Opera GX Stable",
  ].flatMap { [$0, $0 + "/Default"] }

  private static let places: [Place] = [
    Place(format: Chromium.self, paths: chromiumFolders.map { $0 + "/History" }),
    Place(
      format: ChromiumBookmarks.self,
      // Those of who is signed in may stand in a file of their own.
      paths: chromiumFolders.flatMap { [$0 + "/Bookmarks", $0 + "/AccountBookmarks"] }),
    Place(
      format: Firefox.self,
      paths: [
        ".mozilla/firefox/*", ".config/mozilla/firefox/*", ".librewolf/*",
        ".config/librewolf/librewolf/*", ".waterfox/*",
        ".floorp/*", ".zen/*", ".config/zen/*",
        ".var/app/io.gitlab.librewolf-community/.librewolf/*",
        ".var/app/app.zen_browser.zen/.zen/*",
        ".var/app/org.mozilla.firefox/.mozilla/firefox/*",
        ".var/app/org.mozilla.firefox/config/mozilla/firefox/*",
        "snap/firefox/common/.mozilla/firefox/*",
        "Library/Application Support/Firefox/Profiles/*",
        "Library/Application Support/zen/Profiles/*",
        "Library/Application Support/librewolf/Profiles/*",
        "AppData/Roaming/Mozilla/Firefox/Profiles/*", "AppData/Roaming/zen/Profiles/*",
        "AppData/Roaming/librewolf/Profiles/*", "AppData/Roaming/Floorp/Profiles/*",
      ].map { $0 + "/places.sqlite" }),
    Place(
      format: Safari.self,
      paths: [
        "Library/Safari/History.db",
        "Library/Containers/com.apple.Safari/Data/Library/Safari/Profiles/*/History.db",
      ]),
    Place(
      format: Epiphany.self,
      paths: [
        ".local/share/epiphany/ephy-history.db",
        ".var/app/org.gnome.Epiphany/data/epiphany/ephy-history.db",
      ]),
    Place(
      format: Qutebrowser.self,
      paths: [
        ".local/share/qutebrowser/history.sqlite",
        ".var/app/org.qutebrowser.qutebrowser/data/qutebrowser/history.sqlite",
        "Library/Application Support/qutebrowser/history.sqlite",
      ]),
    Place(
      format: Falkon.self,
      paths: [".config/falkon", ".var/app/org.kde.falkon/config/falkon"].map {
        $0 + "/profiles/*/browsedata.db"
      }),
    // Shells do not export where who keeps a tidy home has them write.
    Place(
      format: Bash.self,
      paths: [".bash_history", ".local/state/bash/history", ".local/share/bash/history"]),
    Place(
      format: Zsh.self,
      paths: [
        ".zsh_history", ".zhistory", ".histfile", ".config/zsh/.zsh_history",
        ".config/zsh/.zhistory", ".config/zsh/.histfile", ".local/state/zsh/history",
        ".local/share/zsh/history", ".cache/zsh/history",
      ]),
    Place(format: Fish.self, paths: [".local/share/fish/*_history", ".config/fish/*_history"]),
    Place(format: Atuin.self, paths: [".local/share/atuin/history.db"]),
    Place(
      format: Nushell.self,
      paths: [
        ".config/nushell/history.sqlite3", "Library/Application Support/nushell/history.sqlite3",
        "AppData/Roaming/nushell/history.sqlite3",
      ]),
    Place(
      format: NushellText.self,
      paths: [
        ".config/nushell/history.txt", "Library/Application Support/nushell/history.txt",
        "AppData/Roaming/nushell/history.txt",
      ]),
    Place(
      format: PowerShell.self,
      // Editors write one of their own, such as `Visual Studio Code Host_history.txt`.
      paths: [".local/share/powershell", "AppData/Roaming/Microsoft/Windows/PowerShell"].map {
        $0 + "/PSReadLine/*Host_history.txt"
      }),
    Place(format: ZshHistdb.self, paths: [".histdb/zsh-history.db"]),
    Place(format: Xonsh.self, paths: [".local/share/xonsh/xonsh-history.sqlite"]),
    Place(
      format: XonshSession.self,
      paths: ["", "history_json/"].map { ".local/share/xonsh/\($0)xonsh-*.json" }),
    Place(
      format: McFly.self,
      paths: [
        ".local/share/mcfly/history.db", ".mcfly/history.db",
        "Library/Application Support/McFly/history.db",
      ]),
    Place(format: IPython.self, paths: [".ipython/profile_*/history.sqlite"]),
    Place(format: XBEL.self, paths: [".local/share/recently-used.xbel"]),
    Place(format: KActivities.self, paths: [".local/share/kactivitymanagerd/resources/database"]),
    Place(format: Zeitgeist.self, paths: [".local/share/zeitgeist/activity.sqlite"]),
    Place(
      format: ActivityWatchDatabase.self,
      paths: [
        ".local/share/activitywatch/aw-server/*.db",
        "Library/Application Support/activitywatch/aw-server/*.db",
        "AppData/Local/activitywatch/activitywatch/aw-server/*.db",
      ]),
    Place(
      format: ActivityWatchRust.self,
      paths: [
        ".local/share", "Library/Application Support", "AppData/Local/activitywatch",
      ].map { $0 + "/activitywatch/aw-server-rust/sqlite.db" }),
    Place(
      format: Zoxide.self,
      paths: [
        ".local/share/zoxide/db.zo", "Library/Application Support/zoxide/db.zo",
        "AppData/Local/zoxide/db.zo",
      ]),
    Place(
      format: Autojump.self,
      paths: [".local/share/autojump/autojump.txt", "Library/autojump/autojump.txt"]),
    // The last one is that of z for fish.
    Place(format: ZJump.self, paths: [".z", ".fasd", ".zlua", ".local/share/z/data"]),
    Place(format: Viminfo.self, paths: [".viminfo"]),
    Place(
      format: Shada.self,
      // Versions before 0.8 kept it in the other one.
      paths: [".local/state/nvim", ".local/share/nvim", "AppData/Local/nvim-data"].map {
        $0 + "/shada/main.shada"
      }),
    Place(
      format: Recentf.self,
      // Spacemacs and Doom keep it with what else they cache.
      paths: [".emacs.d", ".config/emacs"].flatMap { folder in
        ["", ".cache/", ".local/cache/"].map { "\(folder)/\($0)recentf" }
      }),
    Place(
      format: VSCode.self,
      paths: [
        ".config/Code/User/History", ".config/VSCodium/User/History",
        ".config/Code - OSS/User/History", ".config/Code - Insiders/User/History",
        ".config/Cursor/User/History", ".vscode-server/data/User/History",
        ".var/app/com.visualstudio.code/config/Code/User/History",
        ".var/app/com.vscodium.codium/config/VSCodium/User/History",
        "Library/Application Support/Code/User/History", "AppData/Roaming/Code/User/History",
        "Library/Application Support/Cursor/User/History", "AppData/Roaming/Cursor/User/History",
      ]),
    Place(
      format: WindowsTimeline.self,
      paths: ["AppData/Local/ConnectedDevicesPlatform/*/ActivitiesCache.db"]),
    Place(format: KnowledgeC.self, paths: ["Library/Application Support/Knowledge/knowledgeC.db"]),
    Place(
      format: Quarantine.self,
      paths: ["Library/Preferences/com.apple.LaunchServices.QuarantineEventsV2"]),
    // The others are those of a device that is plugged in.
    Place(
      format: KOReader.self,
      paths: [".config/koreader", "koreader", ".adds/koreader"].map {
        $0 + "/settings/statistics.sqlite3"
      }),
    Place(format: Kindle.self, paths: ["documents/My Clippings.txt"]),
  ]

  private static let system: [Place] = [
    Place(format: Apt.self, paths: ["var/log/apt/history.log*"]),
    // Beside them `wtmp.db` may stand, which is another program's (wtmpdb).
    Place(
      format: Utmp.self,
      paths: ["var/log/wtmp", "var/log/wtmp-*"] + (0...9).map { "var/log/wtmp.\($0)*" }),
  ]

  /// What is there of a home and of the machine.
  /// - Parameters:
  ///   - home: The home that is looked through.
  ///   - root: Where `var/log` lies; nil for none.
  ///   - shellHistory: What `$HISTFILE` names.
  ///   - moved: Folders that variables name instead of those that programs have in a home.
  /// - Returns: Each file that holds something once, in the order of the list.
  package static func find(
    home: String, root: String?, shellHistory: String? = nil,
    moved: [(from: String, to: String)] = []
  ) -> [Found] {
    var found: [Found] = []
    var seen: Set<String> = []
    func add(_ path: String, _ format: any HistoryFormat.Type) {
      // What two paths lead to is not two programs', whose counts add up.
      guard seen.insert(RealPath.of(path) ?? path).inserted, !Folder.isEmptyFile(path),
        format.readsFolders || FileStatus(path)?.isFile == true
      else { return }
      found.append(Found(path: path, format: format))
    }
    func addAll(_ places: [Place], in folder: String) {
      for place in places {
        for path in place.paths.flatMap({ matches($0, in: folder, moved: moved) }) {
          let isBash = place.format == Zsh.self && !isOfZsh(path, home: home)
          add(path, isBash ? Bash.self : place.format)
        }
      }
    }
    addAll(places, in: home)
    if let root { addAll(system, in: root) }
    if let path = shellHistory, Folder.isReadable(path) {
      add(path, isOfZsh(path, home: home) ? Zsh.self : Bash.self)
    }
    return found
  }

  /// Whether the history of a shell is one of zsh: by its name, by its folder, as in
  /// `~/.cache/zsh/history`, or by its first line.
  private static func isOfZsh(_ path: String, home: String) -> Bool {
    let names = path.split(separator: "/").suffix(2)
    let isNamed = names.last.map { $0.contains("zsh") || $0.contains("zhist") } ?? false
    if isNamed || names.count == 2 && names.first == "zsh" { return true }
    let options = ImportOptions(host: LocalMachine.shortName, home: home, scratch: "")
    // What cannot be opened is told of where it is read.
    return (try? InputFile(path, options: options)).map { Zsh.recognises($0) } ?? false
  }

  /// What a folder holds, without what lies below its folders.
  package struct Content: Sendable {
    /// Histories by their content.
    package var found: [Found] = []
    /// Saved pages of the web, which are another import's.
    package var pages: [String] = []
  }

  /// The folder itself and its files, as far as they are a history by their content.
  ///
  /// With `archives` also the zip archives, and Google's tar archives and unpacked ones, that hold
  /// one: each is read as far as it takes to know. So are databases that cannot be opened, and
  /// Google's archives that are damaged: reading them says so.
  package static func look(in folder: String, archives: Bool, options: ImportOptions) -> Content {
    var content = Content()
    // A folder that cannot be opened holds nothing either, which is said where it was named.
    if let file = try? InputFile(folder, options: options) {
      if let format = HistoryFormats.format(of: file) {
        content.found.append(Found(path: folder, format: format))
      } else if archives, Archive.isOffered(file), Archive.holdsHistory(file, options) {
        content.found.append(Found(path: folder, format: ArchivedHistories.self))
        return content
      }
    }
    for path in Folder.byAge(folder) {
      // What cannot be opened is no history that could be offered.
      guard Folder.isReadable(path), !Folder.isEmptyFile(path),
        let file = try? InputFile(path, options: options)
      else { continue }
      let folderFormat = file.isFolder ? HistoryFormats.format(of: file) : nil
      if archives, folderFormat == nil, Archive.isOffered(file) {
        guard Archive.holdsHistory(file, options) else { continue }
        content.found.append(Found(path: path, format: ArchivedHistories.self))
      } else if let format = folderFormat ?? HistoryFormats.format(of: file) {
        content.found.append(Found(path: path, format: format))
      } else if archives, DamagedDatabase.recognises(file) {
        content.found.append(Found(path: path, format: DamagedDatabase.self))
      } else if !file.isFolder, isPage(path) {
        content.pages.append(path)
      }
    }
    return content
  }

  /// Whether a file is a saved page, by its name.
  package static func isPage(_ name: String) -> Bool {
    let endings = [".html", ".htm", ".xhtml", ".mhtml", ".mht", ".warc", ".warc.gz", ".har"]
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  /// Paths below a folder that match a pattern.
  private static func matches(
    _ pattern: String, in folder: String, moved: [(from: String, to: String)]
  ) -> [String] {
    matches(pattern, in: folder)
      + moved.filter { pattern.hasPrefix($0.from + "/") }.flatMap {
        matches(String(pattern.dropFirst($0.from.utf8.count)), in: $0.to)
      }
  }

  private static func matches(_ pattern: String, in folder: String) -> [String] {
    var paths = [folder == "/" ? "" : folder]
    for part in pattern.split(separator: "/") {
      paths = paths.flatMap { path -> [String] in
        guard part.contains("*") else { return [path + "/" + part] }
        return Folder.names(path + "/").filter { Wildcard.matches(String(part), $0) }.map {
          path + "/" + $0
        }
      }
    }
    return paths.filter { Folder.isReadable($0) }
  }
}
