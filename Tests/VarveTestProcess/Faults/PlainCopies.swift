import Foundation
import Glibc
import Varve

/// The use of files that were copied, as plain files, while processes wrote to the store.
enum PlainCopies {
  private struct Unsound: Error {}

  /// Answers each line, the path of a copy, with a line:
  ///
  /// - `sound`: the copy is a version of the store, and can be written.
  /// - `mixed`: the pages are sound, but of several versions.
  /// - `unsound`: the check says so; all was read, and a write was refused or succeeded.
  /// - `refused` with the code of a `Realm.Error`, or `other` with another error.
  static func check() {
    while let path = readLine() {
      // A check that hangs ends this process, as a crash does.
      alarm(60)
      say(outcome(FaultWorkload.configuration(path)))
      alarm(0)
    }
  }

  private static func outcome(_ configuration: Realm.Configuration) -> String {
    do {
      _ = try FaultCheck.closing(configuration) { try use(configuration) }
      return "sound"
    } catch let fault as FaultCheck.Fault {
      return "mixed \(fault)"
    } catch let error as Realm.Error {
      return "refused \(error.code)"
    } catch is Unsound {
      return "unsound"
    } catch {
      return "other \(error)"
    }
  }

  private static func use(_ configuration: Realm.Configuration) throws -> Int {
    let realm = try Realm(configuration: configuration)
    guard try realm.check().isSound else {
      _ = FaultContent(realm)
      var workload = FaultWorkload(seed: 2, after: 1)
      for _ in 0..<3 { try workload.runTransaction(realm) }
      throw Unsound()
    }
    var check = FaultCheck()
    try check.run(realm)
    var workload = FaultWorkload(seed: 1, after: check.number)
    for _ in 0..<3 { try workload.runTransaction(realm) }
    try check.run(realm)
    return check.number
  }
}
