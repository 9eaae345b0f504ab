import Foundation
import Testing
import Varve

/// The examples of DamagedFiles.md.
@Suite struct DamagedFilesTests {
  @Test func soundStoreIsCheckedAndSalvaged() async throws {
    let store = try TemporaryRealm()
    let configuration = store.configuration
    try await check(configuration)
    try Realm.close(configuration)
    let damagedFile = try #require(configuration.fileURL)
    try await salvage(damagedFile, damagedFile.appendingPathExtension("new"))
    store.remove()
  }

  private func check(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration)
    try await realm.write { realm.add(Leaf(value: ["id": 1])) }
    let report = try await realm.check { progress in
      print("\(Int(100 * progress.fractionCompleted)) %")
    }
    if !report.isSound { print(report) }
    #expect(report.isSound)
  }

  private func salvage(_ damagedFile: URL, _ newFile: URL) async throws {
    let report = try await Realm.salvage(from: damagedFile, to: newFile)
    if !report.isComplete { print(report) }
    #expect(report.isComplete && report.rescuedCount == 1)
    try FileManager.default.removeItem(at: newFile)
  }
}
