import Foundation
import TestSupport
import Testing

/// Whether this process may mount a disk that only it sees.
private let canMount =
  Program.output(of: ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]) != nil

/// Disks that are full or may not be written, made with a private mount.
@Suite(.enabled(if: canMount, "mounting a small disk is not permitted here"))
struct `Disks that say no` {
  /// Runs a script with `$cairn`, and `$disk` an empty folder to mount on.
  private static func script(_ text: String, input: Data? = nil) throws -> ProcessResult {
    let disk = Scratch.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    return try Shell.run(
      "unshare", ["-m", "bash", "-c", text], input: input,
      environment: ["cairn": Store.binary, "disk": disk, "CAIRN_STORE": disk + "/store"])
  }

  @Test func `a backup for which the disk has no room leaves nothing behind`() throws {
    let line = #"{"kind":"index","item":"a","attributes":{"textContent":"\#(UUID())"}}"#
    let result = try Self.script(
      """
      mkdir "$disk/small" && mount -t tmpfs -o size=8k none "$disk/small"
      "$cairn" append - > /dev/null
      "$cairn" backup "$disk/small/copy"; echo "status $?"
      ls "$disk/small"; echo "listed $?"
      """, input: Data(line.utf8))
    #expect(result.text == "status 74\nlisted 0\n", "\(result.text) \(result.errors)")
  }

  @Test func `a full disk is 74, what was committed stays and is summarised`() throws {
    var lines = EventLines()
    for number in 0..<20_000 {
      try lines.add([
        "kind": "index", "item": "item-\(number)",
        "attributes": ["title": "number \(number)", "textContent": "\(number) \(UUID())"],
      ])
    }
    let result = try Self.script(
      """
      mount -t tmpfs -o size=8m none "$disk"
      "$cairn" append - --batch 100 --json > /dev/shm/$$.out; status=$?
      echo "status $status"; cat /dev/shm/$$.out; rm -f /dev/shm/$$.out
      "$cairn" checkpoint 2>&1
      mount -o remount,size=64m "$disk"
      "$cairn" stats --json; echo "stats $?"
      "$cairn" replay --verify > /dev/null; echo "verify $?"
      "$cairn" view item-1 > /dev/null; echo "view $?"
      """, input: lines.data)
    let said = result.text.split(separator: "\n").map(String.init)
    #expect(said.contains("status 74"), "\(result.text) \(result.errors)")
    #expect(!result.text.contains("only who may write"), "\(result.text)")
    #expect(said.contains("stats 0") && said.contains("verify 0") && said.contains("view 0"))
    let decoder = JSONDecoder()
    let summary = said.lazy.compactMap {
      try? decoder.decode(AppendResult.self, from: Data($0.utf8))
    }.first
    let stats = said.lazy.compactMap { try? decoder.decode(Stats.self, from: Data($0.utf8)) }.first
    #expect(summary?.accepted == stats?.head && (stats?.head ?? 0) > 0)
    #expect(!result.errors.isEmpty)
  }

  @Test func `a limit on the size of files is like a full disk, and no signal`() throws {
    var lines = EventLines()
    for number in 0..<4_000 {
      try lines.add(["kind": "view", "item": "item-\(number)", "session": "\(UUID())"])
    }
    let result = try Self.script(
      """
      (ulimit -f 256; "$cairn" append - --batch 50 --json; echo "append $?")
      (ulimit -f 64; "$cairn" backup "$disk/copy"; echo "backup $?")
      "$cairn" stats --json; "$cairn" verify --deep > /dev/null; echo "verify $?"
      """, input: lines.data)
    let said = result.text.split(separator: "\n").map(String.init)
    #expect(said.contains("append 74") && said.contains("backup 74"), "\(result.text)")
    let told = result.errors.split(separator: "\n")
    #expect(told.count >= 2 && told.allSatisfy { $0.contains("raise ulimit -f") }, "\(told)")
    #expect(said.contains("verify 0"), "\(result.text) \(result.errors)")
    let decoder = JSONDecoder()
    let summary = said.lazy.compactMap {
      try? decoder.decode(AppendResult.self, from: Data($0.utf8))
    }.first
    let stats = said.lazy.compactMap { try? decoder.decode(Stats.self, from: Data($0.utf8)) }.first
    #expect(summary?.accepted == stats?.head && (stats?.head ?? 0) > 0, "\(result.text)")
  }

  @Test func `an older store on a read-only disk is not told to be rebuilt there`() throws {
    let old = Checkout.root.appending(path: "Migrations/Stores/0.2.2").path
    let result = try Self.script(
      """
      mount -t tmpfs none "$disk" && mkdir "$disk/store" && cd "$disk/store"
      cp "\(old)/log.store" log.mdb; cp "\(old)/view.store" view-1.mdb; echo 1 > CURRENT; cd /
      mount -o remount,ro "$disk"
      "$cairn" log --json 2> /dev/null | wc -l
      "$cairn" items 2>&1; echo "items $?"
      "$cairn" verify 2>&1; echo "verify $?"
      copy="/dev/shm/$$.copy"
      echo "$("$cairn" backup "$copy" 2>&1 > /dev/null | grep -c 'could not be noted') noted"
      rm -rf "$copy"
      """)
    let said = result.text.split(separator: "\n").map(String.init)
    #expect(said.last == "1 noted", "\(result.text)")
    #expect(said.first?.trimmingCharacters(in: .whitespaces) == "60", "\(result.text)")
    #expect(said.contains("items 74") && said.contains("verify 1"), "\(result.text)")
    #expect(result.text.contains("cannot be made anew"), "\(result.text)")
    #expect(result.text.contains("copy the store to a disk that can be written"))
    #expect(!result.text.contains("run: cairn rebuild"), "\(result.text)")
  }

  @Test func `a store on a read-only disk is read, and writing says so in a line`() throws {
    let result = try Self.script(
      """
      mount -t tmpfs none "$disk"
      "$cairn" index a --title "read only" --json > /dev/null; echo "index $?"
      mount -o remount,ro "$disk"
      "$cairn" items --json; echo "items $?"
      "$cairn" search read --json > /dev/null; echo "search $?"
      "$cairn" view a 2> /dev/shm/$$.err; echo "view $?"; wc -l < /dev/shm/$$.err
      rm -f /dev/shm/$$.err
      """)
    let said = result.text.split(separator: "\n").map(String.init)
    #expect(said.contains("index 0") && said.contains("items 0") && said.contains("search 0"))
    #expect(said.contains { $0.hasPrefix("view ") && $0 != "view 0" })
    #expect(said.last?.trimmingCharacters(in: .whitespaces) == "1", "\(result.text)")
  }
}
