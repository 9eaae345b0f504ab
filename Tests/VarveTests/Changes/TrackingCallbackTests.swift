import Dispatch
import Foundation
import Observation
import Synchronization
import Testing
import Varve

/// Allowed operations in the `onChange` closure of a tracked read.
@Suite(.timeLimit(.minutes(1))) struct TrackingCallbackTests {
  /// Runs a change and its notifications with each way in which a tracked realm moves.
  private func withEachMove(
    _ body: (Realm, TemporaryRealm, _ move: (@escaping @Sendable () -> Void) throws -> Void) throws
      -> Void
  ) throws {
    try withTrackedRealm { realm, store in
      try body(realm, store) { change in try realm.write { change() } }
    }
    try withTrackedRealm { realm, store in
      try body(realm, store) { change in try store.writeElsewhere { _ in change() } }
    }
    try withTrackedRealm { realm, store in
      try body(realm, store) { change in
        let ended = DispatchSemaphore(value: 0)
        Task {
          try await realm.asyncWrite { change() }
          ended.signal()
        }
        ended.wait()
      }
    }
    try withTrackedRealm { realm, store in
      try body(realm, store) { change in
        try realm.beginWrite()
        change()
        try realm.commitWrite()
      }
    }
  }

  @Test func onChangeCanWrite() throws {
    try withEachMove { realm, _, move in
      let ewe = try realm.ewe(1)
      let failures = EventRecorder<String>()
      let recorder = TrackingRecorder()
      _ = recorder.track(
        {
          do {
            try realm.write { ewe.age += 10 }
          } catch {
            failures.note("\(error)")
          }
          return "\(ewe.age)"
        }, { ewe.name })
      try move { ewe.name = "Molly" }
      #expect(recorder.wait(for: 1) == ["13"])
      #expect(failures.all.isEmpty)
    }
  }

  @Test func onChangeCanBeginWrite() throws {
    try withEachMove { realm, _, move in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track(
        {
          do {
            try realm.beginWrite()
            ewe.age += 10
            try realm.commitWrite()
          } catch {
            return "\(error)"
          }
          return "\(ewe.age)"
        }, { ewe.name })
      try move { ewe.name = "Molly" }
      #expect(recorder.wait(for: 1) == ["13"])
    }
  }

  @Test func onChangeCanWaitForAsyncWrite() throws {
    try withEachMove { realm, _, move in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track(
        {
          let ended = DispatchSemaphore(value: 0)
          Task.detached {
            try await realm.asyncWrite { ewe.age += 10 }
            ended.signal()
          }
          ended.wait()
          return "\(ewe.age)"
        }, { ewe.name })
      try move { ewe.name = "Molly" }
      #expect(recorder.wait(for: 1) == ["13"])
    }
  }

  @Test func onChangeCanRefresh() throws {
    try withEachMove { realm, _, move in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track(
        {
          let before = ewe.name
          do {
            try realm.refresh()
          } catch {
            return "\(error)"
          }
          return before + " " + ewe.name
        }, { ewe.name })
      try move { ewe.name = "Molly" }
      #expect(recorder.wait(for: 1) == ["Dolly Molly"])
    }
  }

  @Test func onChangeCanTrackAgain() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let events = EventRecorder<String>()
      @Sendable func track() {
        withObservationTracking {
          events.note(ewe.name)
        } onChange: {
          track()
        }
      }
      track()
      for name in ["a", "b", "c"] {
        try store.writeElsewhere { try $0.ewe(1).name = name }
        // When it is tracked again before the move, it is notified again after the move.
        let end = Date() + 30
        while events.all.last != name, Date() < end { usleep(100) }
        #expect(events.all.last == name)
      }
    }
  }

  @Test func scopeEndingAfterMoveIsNotified() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      let name = recorder.track {
        let name = ewe.name
        onAnotherThread {
          try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
          try realm.refresh()
        }
        return name
      }
      #expect(name == "Dolly")
      #expect(ewe.name == "Molly")
      recorder.wait(for: 1)
    }
  }

  @Test func readJustBeforeMoveIsNotified() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let (name, age, weight) = (TrackingRecorder(), TrackingRecorder(), TrackingRecorder())
      _ = name.track(
        { "\(age.track { ewe.age }) \(weight.track { ewe.weight })" }, { ewe.name })
      try realm.write {
        ewe.name = "Molly"
        ewe.age = 4
      }
      #expect(name.all == ["3 0.0"])
      #expect((age.count, weight.count) == (1, 0))
    }
  }

  @Test func observerOfSameRealmIsCalledAfterMove() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let (recorder, events) = (TrackingRecorder(), EventRecorder<String>())
      let token = try realm.objects(Ewe.self).observe { _ in events.note(ewe.name) }
      #expect(events.wait(for: 1) == ["Dolly"])
      _ = recorder.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      #expect(events.wait(for: 2) == ["Dolly", "Molly"])
      recorder.wait(for: 1)
      token.invalidate()
    }
  }
}
