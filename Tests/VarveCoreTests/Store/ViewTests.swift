import Foundation
import Testing
import VarveCore
import VarveStorage

@Suite struct ViewTests {
  @Test func viewNeverMovesBack() throws {
    try withTemporaryStore { store in
      let view = try store.makeView()
      let old = view.snapshot
      let middle = try makeVersion(store, 1)
      #expect(view.pin.advance(to: middle))
      let newest = try makeVersion(store, 2)
      #expect(try view.refresh())
      #expect(view.snapshot.serial == newest.serial)
      for earlier in [old, middle, newest] {
        #expect(view.pin.advance(to: earlier) == false)
        #expect(view.snapshot.serial == newest.serial)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func latestVersionWinsWhenMovesRace() throws {
    try withTemporaryStore { store in
      let view = try store.makeView()
      for round in 0..<100 {
        let first = try makeVersion(store, UInt64(2 * round + 1))
        let second = try makeVersion(store, UInt64(2 * round + 2))
        let ended = DispatchSemaphore(value: 0)
        for snapshot in [first, second] {
          Thread.detachNewThread {
            _ = view.pin.advance(to: snapshot)
            ended.signal()
          }
        }
        ended.wait()
        ended.wait()
        #expect(view.snapshot.serial == second.serial)
      }
    }
  }

  @Test func viewsOfSameVersionShareSnapshot() throws {
    try withTemporaryStore { store in
      let views = try (0..<50).map { _ in try store.makeView() }
      #expect(Set(views.map { $0.snapshot.serial }).count == 1)
      #expect(store.environment.liveSnapshotCount == 1)
      _ = try makeVersion(store, 1)
      for view in views { _ = try view.refresh() }
      store.environment.releaseStaleSnapshot()
      #expect(store.environment.liveSnapshotCount == 1)
    }
  }

  @Test func droppedViewPinsNothing() throws {
    try withTemporaryStore { store in
      do {
        let view = try store.makeView()
        _ = try makeVersion(store, 1)
        #expect(store.environment.liveSnapshotCount == 2)
        withExtendedLifetime(view) {}
      }
      // At most the snapshot that the environment keeps is left.
      store.tidy()
      #expect(store.environment.liveSnapshotCount <= 1)
    }
  }
}
