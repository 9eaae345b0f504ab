import Foundation
import Glibc
import Varve
import VarveJSONLines

/// Exports and salvages of damaged files. Errors of the library are expected.
extension DamagedCase {
  /// Exports the version of a realm.
  func export(_ realm: Realm, _ progress: UnsafeMutablePointer<DamageCommands.Progress>) {
    let url = URL(filePath: path + ".jsonl")
    defer { unlink(url.path) }
    do {
      try realm.exportJSONLines(to: url)
      var hasher = Hasher()
      try Data(contentsOf: url).withUnsafeBytes { hasher.combine(bytes: $0) }
      progress.pointee.exportDigest = UInt64(bitPattern: Int64(hasher.finalize()))
      progress.pointee.isExported = 1
    } catch {
      if !(error is Realm.Error) { progress.pointee.isUntyped = 1 }
    }
  }

  /// Salvages the file, which is not open.
  func salvage(_ progress: UnsafeMutablePointer<DamageCommands.Progress>) {
    let target = path + ".salvaged"
    defer { for suffix in ["", "-lock", "-signal"] { unlink(target + suffix) } }
    do {
      let report = try Realm.salvage(from: URL(filePath: path), to: URL(filePath: target))
      progress.pointee.isComplete = report.isComplete ? 1 : 0
      progress.pointee.rescuedCount = report.rescuedCount
      progress.pointee.isSalvaged = 1
    } catch {
      if !(error is Realm.Error) { progress.pointee.isUntyped = 1 }
    }
  }
}

extension DamageBench {
  /// Judges the export and the salvage of a process that ended.
  func judgeTransfers(_ damaged: DamagedCase, _ name: String, _ totals: inout DamageTotals) {
    let found = progress.pointee
    if found.isUntyped != 0 {
      totals.note("untyped")
      say("untyped \(name)")
    }
    if found.isExported != 0 {
      totals.note("exported")
      let isRead = found.isSound != 0 && found.isRefused == 0
      // The wrong values of the others are reported.
      let version = [sound, older].first { $0.live == found.live && $0.frozen == found.frozen }
      if isRead, let version, found.exportDigest != version.exportDigest {
        totals.note("wrong export")
        say("wrong export \(name)")
      }
    }
    guard found.isSalvaged != 0 else { return }
    totals.note("salvaged")
    guard found.isComplete != 0 else { return }
    totals.note("salvaged completely")
    let isOlder =
      damaged.kind?.mayRestoreVersion == true && found.rescuedCount == older.rescuedCount
    if !isOlder, found.rescuedCount != sound.rescuedCount {
      totals.note("wrong salvage")
      say("wrong salvage \(name): \(found.rescuedCount) objects of \(sound.rescuedCount)")
    }
  }
}
