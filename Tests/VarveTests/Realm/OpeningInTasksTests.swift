import Dispatch
import Foundation
import Testing
import Varve
import VarveStorage
import VarveTestSupport

/// Openings that a task waits for, with their compactions.
@Suite struct OpeningInTasksTests {
  private struct Refusal: Error {}

  /// A closed store, most of whose file is free, with some mebibytes in use; and what compacts it.
  private func emptied() throws -> (TemporaryRealm, Realm.Configuration) {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try grow(realm, versions: 5, bytes: 3 << 20)
    try store.close()
    var configuration = store.configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    return (store, configuration)
  }

  private func size(_ store: TemporaryRealm) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
  }

  private func hasOnlyItsFiles(_ store: TemporaryRealm) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
      .allSatisfy { $0.hasPrefix("test.varve") }
  }

  @Test func aCompactionIsReported() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let before = try size(store)
    let heard = Heard<Realm.CopyProgress>()
    let realm = try await Realm.open(configuration: configuration) { heard.note($0) }
    #expect(heard.all.first?.fractionCompleted == 0 && heard.all.last?.fractionCompleted == 1)
    #expect(heard.all.count >= 4)
    #expect(try size(store) < before / 2)
    #expect(realm.objects(Buoy.self).map(\.id) == [1])
    // It is open: nothing is done.
    _ = try await Realm.open(configuration: configuration) { _ in Issue.record("It is open.") }
  }

  @Test(.timeLimit(.minutes(1)))
  func aTaskThatIsCancelledLeavesTheFileAsItWas() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let before = try size(store)
    let turnstile = Turnstile()
    let opening = Task {
      try await Realm.open(configuration: configuration) {
        if $0.completedBytes > 0 { turnstile.pass() }
      }
    }
    while turnstile.reached < 1 { await Task.yield() }
    #expect(try !hasOnlyItsFiles(store))
    opening.cancel()
    turnstile.open(1)
    await expectCancellation(of: opening)
    #expect(try hasOnlyItsFiles(store) && size(store) == before)
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
  }

  @Test func whatTheClosureThrowsIsThrownAndStopsTheCompaction() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let before = try size(store)
    await expectThrown(Refusal.self) {
      _ = try await Realm.open(configuration: configuration) { _ in throw Refusal() }
    }
    #expect(try hasOnlyItsFiles(store) && size(store) == before)
    #expect(try store.open().objects(Buoy.self).map(\.id) == [1])
  }

  @Test func theCopyOfASeedIsReported() async throws {
    try await withTemporaryRealm { realm, store in
      try grow(realm, versions: 1, bytes: 3 << 20)
      var configuration = store.configuration
      configuration.fileURL = store.directory.appending(path: "new.varve")
      configuration.seedFilePath = store.configuration.fileURL
      await expectThrown(Refusal.self) {
        _ = try await Realm.open(configuration: configuration) { _ in throw Refusal() }
      }
      #expect(!Realm.fileExists(for: configuration))
      let heard = Heard<Double>()
      let new = try await Realm.open(configuration: configuration) {
        heard.note($0.fractionCompleted)
      }
      #expect(heard.all.first == 0 && heard.all.last == 1)
      #expect(new.objects(Buoy.self).map(\.id) == [1])
      try Realm.close(configuration)
    }
  }

  /// One opening stands at the turnstile, and the others wait for it.
  @Test(.timeLimit(.minutes(1)))
  func openingsKeepNoThreadOfThePool() async throws {
    let (store, configuration) = try emptied()
    defer { store.end() }
    let others = try (0..<8 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      try TemporaryRealm()
    }
    defer { for other in others { other.end() } }
    let turnstile = Turnstile()
    let opening = Task {
      try await Realm.open(configuration: configuration) {
        if $0.completedBytes == 0 { turnstile.pass() }
      }
    }
    while turnstile.reached < 1 { await Task.yield() }
    let waiting = others.map { other in
      Task { try await Realm.open(configuration: other.configuration).isEmpty }
    }
    for _ in 0..<1000 { await Task.yield() }
    #expect(await Task.detached { 1 }.value == 1)
    turnstile.open(1)
    #expect(try await opening.value.objects(Buoy.self).count == 1)
    for other in waiting { #expect(try await other.value) }
  }
}
