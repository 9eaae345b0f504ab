import CVarve
import Glibc
import Testing
import VarveStorage

@Suite struct MovingSnapshotTests {
  @Test func readersSeeConsistentVersionsWhilePagesAreReused() throws {
    try withStore(mapSize: 16 << 20) { environment, _ in
      let first = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        try fill(transaction, 0)
      }
      let moving = MovingSnapshot(first)
      let isDone = Counter()
      let wrong = Counter()
      let failures = Counter()
      onThreads(4) { number in
        if number == 0 {
          for version in 1...UInt64(400) {
            do {
              _ = moving.advance(to: try environment.write { try fill($0, version) })
            } catch {
              failures.add()
            }
          }
          isDone.add()
          return
        }
        while isDone.value == 0 {
          if number == 1 {
            // Retains a snapshot beyond the hazard pointer's announcement.
            let snapshot = moving.retained()
            if !isWhole(snapshot) { wrong.add() }
            continue
          }
          let snapshot = moving.enter()
          if !snapshot._withUnsafeGuaranteedRef({ isWhole($0) }) { wrong.add() }
          moving.exit()
        }
      }
      #expect(wrong.value == 0)
      #expect(failures.value == 0)
      HazardDomain.resolve()
    }
  }

  @Test func announcedSnapshotEndsWithAnnouncement() throws {
    try withStore { environment, _ in
      let moving = MovingSnapshot(try environment.snapshot())
      let announced = moving.enter()
      let serial = announced._withUnsafeGuaranteedRef { $0.serial }
      // On another thread: announcements do not nest.
      onThreads(1) { _ in
        do {
          _ = moving.advance(to: try environment.write { try $0.put(.catalog, key: "a", "b") })
        } catch {
          Issue.record(error)
        }
      }
      #expect(environment.liveSnapshotCount == 2)
      #expect(announced._withUnsafeGuaranteedRef { $0.serial } == serial)
      moving.exit()
      #expect(environment.liveSnapshotCount == 1)
    }
  }

  @Test func commitAndItsMovesInterruptOnce() throws {
    try withStore { environment, _ in
      let first = try environment.snapshot()
      let moving = (0..<20).map { _ in MovingSnapshot(first) }
      let transaction = try environment.beginWrite(timeout: .seconds(10))
      try transaction.put(.catalog, key: "a", "b")
      let before = varve_heavy_barrier_count()
      let version = try transaction.commitVersion()
      let snapshot = version.snapshot
      var replaced = RetiredReferences()
      replaced.add(version.replaced)
      for one in moving { replaced.add(one.advanced(to: snapshot)) }
      replaced.retire()
      #expect(varve_heavy_barrier_count() - before == 1)
      #expect(moving.allSatisfy { $0.retained().serial == snapshot.serial })
      // A late move replaces nothing.
      for one in moving { one.advanced(to: first).retire() }
      #expect(varve_heavy_barrier_count() - before == 1)
      #expect(try environment.snapshot().serial == snapshot.serial)
    }
  }

  @Test func commitWithoutMoveReleasesPreviousVersion() throws {
    try withStore { environment, _ in
      do {
        let transaction = try environment.beginWrite(timeout: .seconds(10))
        try transaction.put(.catalog, key: "a", "b")
        _ = try transaction.commit()
      }
      #expect(environment.liveSnapshotCount == 1)
    }
  }

  @Test func stationaryReaderCostsOthersNothing() throws {
    try withStore { environment, _ in
      let moving = MovingSnapshot(try environment.snapshot())
      // Keeps the version in which the reader stays.
      let staying = MovingSnapshot(try environment.snapshot())
      let entered = Counter()
      let done = Counter()
      onThreads(2) { number in
        guard number == 0 else {
          let snapshot = moving.enter()
          entered.add()
          while done.value == 0 { sched_yield() }
          #expect(snapshot._withUnsafeGuaranteedRef { $0.transactionID } > 0)
          return moving.exit()
        }
        while entered.value == 0 { sched_yield() }
        do {
          _ = moving.advance(to: try environment.write { try $0.put(.catalog, key: "a", "b") })
        } catch {
          Issue.record(error)
        }
        #expect(HazardDomain.pendingCount > 0)
        let before = varve_heavy_barrier_count()
        for _ in 0..<1000 {
          for other in [moving, staying] {
            _ = other.enter()
            other.exit()
          }
        }
        #expect(varve_heavy_barrier_count() - before < 100)
        done.add()
      }
      HazardDomain.resolve()
      #expect(HazardDomain.pendingCount == 0)
    }
  }

  /// Several views have one version and leave it one after the other, while threads read it through
  /// all of them.
  @Test func sharedSnapshotLivesUntilLastViewIsRead() throws {
    try withStore(mapSize: 16 << 20) { environment, _ in
      let first = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        try fill(transaction, 0)
      }
      let views = (0..<6).map { _ in MovingSnapshot(first) }
      let isDone = Counter()
      let wrong = Counter()
      onThreads(4) { number in
        if number == 0 {
          for version in 1...UInt64(300) {
            do {
              let snapshot = try environment.write { try fill($0, version) }
              for view in views { _ = view.advance(to: snapshot) }
            } catch {
              Issue.record(error)
            }
          }
          return isDone.add()
        }
        while isDone.value == 0 {
          for view in views {
            let snapshot = view.enter()
            if !snapshot._withUnsafeGuaranteedRef({ isWhole($0) }) { wrong.add() }
            view.exit()
          }
        }
      }
      #expect(wrong.value == 0)
      HazardDomain.resolve()
      #expect(HazardDomain.pendingCount == 0)
      #expect(environment.liveSnapshotCount == 2)
    }
  }

  @Test func hazardSlotsOfEndedThreadsAreReused() {
    onThreads(4) { _ in varve_slot_announce(varve_slot_current(), nil) }
    let before = varve_slot_count()
    for _ in 0..<20 { onThreads(1) { _ in varve_slot_announce(varve_slot_current(), nil) } }
    // Other tests run at the same time and use some slots.
    #expect(varve_slot_count() < before + 20)
  }
}

private func fill(_ transaction: WriteTransaction, _ version: UInt64) throws {
  for id in UInt64(0)..<40 {
    try withUnsafeBytes(of: (version, version, version, version)) {
      try transaction.put(dogs, id: id, $0)
    }
  }
}

/// Whether all rows have the same version.
private func isWhole(_ snapshot: Snapshot) -> Bool {
  var cursor = snapshot.cursor(dogs)
  var version: UInt64?
  var count = 0
  while cursor.next() {
    let found = cursor.value.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    if version == nil { version = found }
    if version != found { return false }
    count += 1
  }
  return count == 40
}
