import Dispatch
import Foundation
import Synchronization
import Testing
import Varve

/// The order, the queue and the number of an observer's calls.
@Suite struct NotificationReferenceTests {
  @Test func immediatelyFollowingWriteIsChange() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let (spices, row, counts) = (
        EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>(),
        EventRecorder<ObservedEntries>()
      )
      try realm.write {
        realm.delete(realm.objects(Spice.self))
        pantry.counts.removeAll()
      }
      var tokens: [NotificationToken] = []
      // No observer is called while the queue is busy.
      try queue.sync {
        tokens = [
          try realm.objects(Spice.self).observe(on: queue) { spices.note(ObservedChange($0)) },
          try pantry.row.observe(on: queue) { row.note(ObservedChange($0)) },
          try pantry.counts.observe(on: queue) { counts.note(ObservedEntries($0)) },
        ]
        try realm.write {
          pantry.row.append(Spice(value: ["id": 1]))
          pantry.counts["a"] = 1
        }
      }
      let first: [ObservedChange] = [.initial(0), .update(1, [], [0], [])]
      #expect(spices.wait(for: 2) == first && row.wait(for: 2) == first)
      #expect(counts.wait(for: 2) == [.initial([]), .update(["a"], [], ["a"])])
      try realm.write {
        pantry.row.append(Spice(value: ["id": 2]))
        pantry.counts["b"] = 1
      }
      #expect(spices.wait(for: 3) == first + [.update(2, [], [1], [])])
      #expect(row.wait(for: 3) == first + [.update(2, [], [1], [])])
      #expect(counts.wait(for: 3).last == .update(["a", "b"], [], ["b"]))
      for token in tokens { token.invalidate() }
    }
  }

  @Test func initialCallIsAsynchronous() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let events = EventRecorder<ObservedChange>()
      var token: NotificationToken?
      try queue.sync {
        token = try pantry.row.observe(on: queue) { events.note(ObservedChange($0)) }
        #expect(events.all.isEmpty)
      }
      #expect(events.wait(for: 1) == [.initial(4)])
      try realm.write { pantry.row.removeLast() }
      #expect(events.wait(for: 2) == [.initial(4), .update(3, [3])])
      token?.invalidate()
    }
  }

  @Test func unrelatedCommitsAreNotReported() throws {
    try withPantry { realm, pantry, _ in
      let (row, counts) = (EventRecorder<ObservedChange>(), EventRecorder<ObservedEntries>())
      let tokens = [
        try pantry.row.observe { row.note(ObservedChange($0)) },
        try pantry.counts.observe { counts.note(ObservedEntries($0)) },
      ]
      _ = (row.wait(for: 1), counts.wait(for: 1))
      try realm.write { realm.create(Spice.self, value: ["id": 50]) }
      try realm.write {
        pantry.numbers.append(1)
        pantry.counts["x"] = 3
        pantry.row.append(pantry.row[0])
        pantry.row.removeLast()
      }
      // An empty write creates no version and is not reported either.
      try realm.write {}
      try realm.write {
        pantry.row.removeAll()
        pantry.counts["x"] = 4
      }
      #expect(row.wait(for: 2) == [.initial(4), .update(0, [0, 1, 2, 3])])
      #expect(counts.wait(for: 2).last == .update(["x", "y", "z"], [], [], ["x"]))
      #expect(row.all.count == 2 && counts.all.count == 2)
      for token in tokens { token.invalidate() }
    }
  }

  @Test func commitsWhileQueueIsBusyShareCall() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let (row, counts) = (EventRecorder<ObservedChange>(), EventRecorder<ObservedEntries>())
      let tokens = [
        try pantry.row.observe(on: queue) { row.note(ObservedChange($0)) },
        try pantry.counts.observe(on: queue) { counts.note(ObservedEntries($0)) },
      ]
      _ = (row.wait(for: 1), counts.wait(for: 1))
      queue.sync {}
      try queue.sync {
        try realm.write {
          pantry.row.append(pantry.row[1])
          pantry.counts["new"] = 1
        }
        try realm.write {
          pantry.row.remove(at: 0)
          pantry.counts["new"] = 2
          pantry.counts["x"] = nil
        }
        try realm.write { pantry.counts["short"] = 1 }
        try realm.write { pantry.counts["short"] = nil }
      }
      #expect(row.wait(for: 2) == [.initial(4), .update(4, [0], [3])])
      #expect(counts.wait(for: 2).last == .update(["new", "y", "z"], ["x"], ["new"], []))
      queue.sync {}
      #expect(row.all.count == 2 && counts.all.count == 2)
      for token in tokens { token.invalidate() }
    }
  }

  @Test func blockRunsOnItsQueue() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer")
      let key = DispatchSpecificKey<Bool>()
      queue.setSpecific(key: key, value: true)
      let onQueue = EventRecorder<Bool>()
      let note: @Sendable () -> Void = {
        onQueue.note(DispatchQueue.getSpecific(key: key) ?? false)
      }
      let tokens = [
        try pantry.row.observe(on: queue) { _ in note() },
        try pantry.counts.observe(on: queue) { _ in note() },
        try realm.objects(Spice.self).observe(on: queue) { _ in note() },
        try pantry.observe(on: queue) { _ in note() },
      ]
      #expect(onQueue.wait(for: 3) == [true, true, true])
      try realm.write {
        pantry.row.removeLast()
        pantry.counts["x"] = nil
        realm.create(Spice.self, value: ["id": 8])
      }
      #expect(onQueue.wait(for: 7).allSatisfy { $0 })
      for token in tokens { token.invalidate() }
    }
  }

  @Test func callsDoNotOverlapOnConcurrentQueue() throws {
    try withPantry { realm, pantry, _ in
      let queue = DispatchQueue(label: "observer", attributes: .concurrent)
      let (events, overlaps) = (EventRecorder<ObservedChange>(), EventRecorder<Bool>())
      let counter = Counter()
      let token = try pantry.numbers.observe(on: queue) { change in
        if !counter.enter() { overlaps.note(true) }
        usleep(2_000)
        counter.leave()
        events.note(ObservedChange(change))
      }
      let (mapCounter, mapCounts) = (Counter(), EventRecorder<Int>())
      let mapToken = try pantry.counts.observe(on: queue) { change in
        if !mapCounter.enter() { overlaps.note(true) }
        usleep(2_000)
        mapCounter.leave()
        switch change {
        case .initial(let counts), .update(let counts, _, _, _): mapCounts.note(counts.count)
        case .error: break
        }
      }
      let keys = (0..<20).map { "k\($0)" }
      for number in 0..<20 {
        try realm.write {
          pantry.numbers.append(number)
          pantry.counts[keys[number]] = number
        }
        usleep(500)
      }
      let end = Date() + 30
      let total = pantry.counts.count
      while events.all.last?.count != 24 || mapCounts.all.last != total, Date() < end {
        usleep(1_000)
      }
      token.invalidate()
      mapToken.invalidate()
      #expect(mapCounts.all.last == total)
      #expect(overlaps.all.isEmpty && events.all.last?.count == 24)
      // The changes add up to the total, however many commits a call covers.
      let first = events.all.first?.count ?? 0
      #expect(events.all.reduce(first) { $0 + ($1.insertions?.count ?? 0) } == 24)
    }
  }

  @Test func invalidateIsIdempotentOnAnyThread() throws {
    try withPantry { realm, pantry, _ in
      let (events, other) = (EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>())
      let token = try pantry.numbers.observe { events.note(ObservedChange($0)) }
      let kept = try pantry.numbers.observe { other.note(ObservedChange($0)) }
      _ = (events.wait(for: 1), other.wait(for: 1))
      token.invalidate()
      onAnotherThread { token.invalidate() }
      token.invalidate()
      try realm.write { pantry.numbers.append(1) }
      _ = other.wait(for: 2)
      #expect(events.all == [.initial(4)])
      kept.invalidate()
    }
  }

  @Test func blockCapturesAreReleasedWithToken() throws {
    try withPantry { realm, _, _ in
      weak var gone: Pantry?
      let events = EventRecorder<Int>()
      var token: NotificationToken?
      do {
        let pantry = try #require(realm.objects(Pantry.self).first)
        gone = pantry
        token = try pantry.observe { _ in events.note(pantry.numbers.count) }
      }
      #expect(gone != nil)
      try realm.write { realm.objects(Pantry.self).first?.numbers.append(1) }
      #expect(events.wait(for: 1) == [5])
      token?.invalidate()
      token = nil
      let end = Date() + 30
      while gone != nil, Date() < end { usleep(1_000) }
      #expect(gone == nil)
    }
  }

  @Test func deliveredCollectionIsReadWithoutRealm() throws {
    try withPantry { realm, pantry, _ in
      let held = EventRecorder<Results<Spice>>()
      let read = EventRecorder<[Int]>()
      let token = try realm.objects(Spice.self).sorted(by: \.grams).observe { change in
        switch change {
        case .initial(let spices): held.note(spices)
        case .update(let spices, _, _, _):
          held.note(spices)
          read.note(spices.map(\.id))
        case .error: Issue.record("Errors are not reported.")
        }
      }
      _ = held.wait(for: 1)
      try realm.write { pantry.row[0].grams = 99 }
      #expect(read.wait(for: 1) == [[2, 1, 3]])
      try realm.write { realm.delete(realm.objects(Spice.self)) }
      #expect(read.wait(for: 2).last == [])
      // The collection passed to the block is unchanged.
      let spices = held.all[1]
      #expect(spices.isFrozen && spices.map(\.id) == [2, 1, 3] && spices[2].grams == 99)
      token.invalidate()
    }
  }
}

/// Detects overlapping calls.
private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func enter() -> Bool {
    count.add(1, ordering: .sequentiallyConsistent).newValue == 1
  }

  func leave() { count.subtract(1, ordering: .sequentiallyConsistent) }
}
