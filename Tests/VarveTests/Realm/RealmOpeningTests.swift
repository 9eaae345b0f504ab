import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct RealmOpeningTests {
  @Test func defaultConfigurationIsOpened() throws {
    let before = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = before }
    let store = try TemporaryRealm()
    defer { store.end() }
    Realm.Configuration.defaultConfiguration = store.configuration
    let realm = try Realm()
    try realm.write { realm.add(Buoy(1)) }
    #expect(try Realm(configuration: store.configuration).objects(Buoy.self).count == 1)
    #expect(try Realm().objects(Buoy.self).count == 1)
    #expect(realm.configuration.fileURL == store.configuration.fileURL)
  }

  @Test func fileURLOpensWithDefaultConfiguration() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let url = try #require(store.configuration.fileURL)
    let realm = try Realm(fileURL: url)
    defer { try? Realm.close(realm.configuration) }
    #expect(Realm.fileExists(for: store.configuration))
    #expect(realm.configuration.durability == Realm.Configuration.defaultConfiguration.durability)
  }

  @Test func openingsShareStoreAndConflictingConfigurationThrows() throws {
    try withTemporaryRealm { realm, store in
      #expect(try store.open() == realm)
      for change: (inout Realm.Configuration) -> Void in [
        { $0.readOnly = true }, { $0.durability = .full },
      ] {
        var other = store.configuration
        change(&other)
        let error = thrownError { try Realm(configuration: other) }
        #expect(error?.code == .alreadyOpen && error?.path == store.path)
      }
      try realm.write { realm.add(Buoy(1)) }
      #expect(try store.open().objects(Buoy.self).count == 1)
    }
  }

  @Test func storeIsOpenedAsynchronously() async throws {
    let store = try TemporaryRealm { $0.objectTypes = [Buoy.self] }
    defer { store.end() }
    let realm = try await Realm.open(configuration: store.configuration)
    try await realm.asyncWrite { realm.add(Buoy(1)) }
    // The store is open now.
    let again = try await Realm.open(configuration: store.configuration)
    #expect(again.objects(Buoy.self).count == 1)
  }

  @Test func openingDoesNotBlockActor() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let gate = OpeningGate()
    let configuration = gate.holding(store.configuration)
    let watch = Watch()
    let opening = Task { try await watch.open(configuration) }
    while !gate.isReached { await Task.yield() }
    // The opening waits in the closure.
    #expect(await !watch.isOpen)
    gate.open()
    try await opening.value
    #expect(await watch.isOpen)
    await watch.close()
  }

  private actor Watch {
    private var realm: Realm?
    var isOpen: Bool { realm != nil }

    func open(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
    }

    func close() { realm = nil }
  }

  @Test func openingCancelledBeforeStartCreatesNoFile() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let configuration = store.configuration
    let task = Task {
      // The task is cancelled before it opens, so no file is created.
      while !Task.isCancelled { await Task.yield() }
      return try await Realm.open(configuration: configuration)
    }
    task.cancel()
    await expectCancellation(of: task)
    #expect(!Realm.fileExists(for: configuration))
  }

  @Test(.timeLimit(.minutes(1)))
  func openStoreIsFoundWhileAnotherOpens() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    try await withTemporaryRealm { realm, other in
      let gate = OpeningGate()
      let configuration = gate.holding(store.configuration)
      let opening = Task { try await Realm.open(configuration: configuration) }
      while !gate.isReached { await Task.yield() }
      // A configuration without a cached reference to its store.
      let found = other.configuration.changed { $0.idleLimit = .seconds(7) }
      #expect(try Realm(configuration: found) == realm)
      gate.open()
      _ = try await opening.value
    }
  }

  @Test func asyncOpenCallsBackOnItsQueue() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let queue = DispatchQueue(label: "test")
    let events = EventRecorder<String>()
    Realm.asyncOpen(configuration: store.configuration, callbackQueue: queue) { result in
      dispatchPrecondition(condition: .onQueue(queue))
      events.note((try? result.get().isEmpty) == true ? "opened" : "failed")
    }
    #expect(events.wait(for: 1) == ["opened"])
    var missing = store.configuration
    missing.fileURL = URL(filePath: "/tmp/no-such-place/a.varve")
    Realm.asyncOpen(configuration: missing, callbackQueue: queue) { result in
      let code = errorCode { try result.get() }
      events.note(code?.description ?? "none")
    }
    #expect(events.wait(for: 2).last == "fileNotFound")
  }

  @Test func cancelledAsyncOpenCallsBackWithError() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let gate = OpeningGate()
    let configuration = gate.holding(store.configuration)
    let events = EventRecorder<Bool>()
    let queue = DispatchQueue(label: "test")
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
      if case .failure(let error) = result { events.note(error is CancellationError) }
    }
    while !gate.isReached { usleep(500) }
    task.cancel()
    gate.open()
    #expect(events.wait(for: 1) == [true])
    #expect(try Realm.deleteFiles(for: store.configuration))
  }

  @Test func encryptionKeyThrowsBeforeAnyFileIsTouched() throws {
    let store = try TemporaryRealm { $0.encryptionKey = Data(count: 64) }
    defer { store.remove() }
    let error = thrownError { try store.open() }
    #expect(error?.code == .invalidInput && error?.path == store.path)
    #expect(error?.message == "Files cannot be encrypted: the encryption key must be nil.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path).isEmpty)
  }

  @Test func linkedClassesAreIncluded() throws {
    let store = try TemporaryRealm { $0.objectTypes = [Buoy.self] }
    defer { store.end() }
    let realm = try store.open()
    #expect(!realm.isInWriteTransaction && realm.isEmpty)
    #expect(realm.configuration.objectTypes?.count == 1)
  }

  @Test func failedOpeningLeavesFileClosed() throws {
    let store = try TemporaryRealm { $0.objectTypes = [Opening1.Parcel.self] }
    defer { store.end() }
    _ = try store.open()
    try Realm.close(store.configuration)
    var other = store.configuration
    other.objectTypes = [Opening2.Parcel.self]
    expectError(.schemaMismatch) { try Realm(configuration: other) }
    expectError(.schemaMismatch) { try Realm.performMigration(for: other) }
    other.durability = .full
    expectError(.schemaMismatch) { try Realm(configuration: other) }
    other.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: other).isEmpty)
    try Realm.close(other)
    // A migration block that throws.
    var later = store.configuration
    later.schemaVersion = 1
    later.objectTypes = [Opening2.Parcel.self]
    struct Refusal: Error {}
    later.migrationBlock = { _, _ in throw Refusal() }
    #expect(throws: Refusal.self) { try Realm(configuration: later) }
    #expect(try Realm.deleteFiles(for: later))
    // A realm that is already open keeps the file open.
    let realm = try store.open()
    try realm.write { _ = realm.create(Opening1.Parcel.self) }
    expectError(.schemaMismatch) {
      try Realm(configuration: other.changed { $0.durability = .none })
    }
    expectError(.alreadyOpen) { try Realm.deleteFiles(for: store.configuration) }
    try realm.write {}
  }

  @Test func otherSchemaVersionThrowsWhileFileIsOpen() throws {
    let store = try TemporaryRealm { $0.objectTypes = [Opening1.Parcel.self] }
    defer { store.remove() }
    let realm = try store.open()
    var later = store.configuration
    later.schemaVersion = 1
    let error = thrownError { try Realm(configuration: later) }
    #expect(error?.code == .alreadyOpen && error?.value == "0")
    let inside = later
    try realm.write { expectError(.alreadyOpen) { try Realm(configuration: inside) } }
    try Realm.close(store.configuration)
    let dynamic = store.configuration.changed { $0.isDynamic = true }
    try Realm(configuration: dynamic).write {
      expectError(.alreadyInWriteTransaction) { try Realm(configuration: inside) }
    }
    try Realm.close(dynamic)
    #expect(try Realm(configuration: later).schema.objectSchema.count == 1)
    #expect(try schemaVersionAtURL(try #require(later.fileURL)) == 1)
    try Realm.close(later)
  }

  @Test func storeIsReleasedWithItsLastOwner() throws {
    let store = try TemporaryRealm { $0.objectTypes = [Opening1.Parcel.self] }
    defer { store.end() }
    weak var held: Store?
    do {
      let configuration = try store.open().configuration
      let realm = try Realm(configuration: configuration)
      held = try configuration.store()
      #expect(held != nil)
      // Reopening creates another store instance.
      try Realm.close(configuration)
      #expect(try configuration.store() !== held)
      expectError(.closed) { try realm.refresh() }
    }
    // The maintenance thread may be using the store at the moment.
    for _ in 0..<1000 where held != nil { usleep(10_000) }
    #expect(held == nil)
  }

  @Test func mismatchedFileIsDeletedOnRequest() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    var changed = store.configuration
    changed.objectTypes = [Changed.Buoy.self]
    changed.deleteRealmIfMigrationNeeded = true
    do {
      let realm = try store.open()
      try realm.write { realm.add(Buoy(1)) }
      // This process has the file open.
      expectError(.schemaMismatch) { try Realm(configuration: changed) }
      try store.close()
    }
    let process = pinningProcess(store)
    expectError(.schemaMismatch) { try Realm(configuration: changed) }
    process.go()
    process.wait()
    let new = try Realm(configuration: changed)
    #expect(new.objects(Changed.Buoy.self).isEmpty)
    try new.write { new.create(Changed.Buoy.self, value: ["id": 1, "name": 2]) }
    try Realm.close(changed)
    changed.deleteRealmIfMigrationNeeded = false
    #expect(try Realm(configuration: changed).objects(Changed.Buoy.self).first?.name == 2)
    try Realm.close(changed)
  }
}

private enum Opening1 {
  @Model final class Parcel: Object { @Persisted var weight: Int }
}

private enum Opening2 {
  @Model final class Parcel: Object { @Persisted var weight: String }
}

extension Realm.Configuration {
  /// A modified copy.
  fileprivate func changed(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}
