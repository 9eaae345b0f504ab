import Dispatch
import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

/// Owns a token that its own callback releases.
final class TokenHolder: Sendable {
  let token = Lock<NotificationToken?>(nil)
}

/// The effects of invalidating or releasing a token.
@Suite struct NotificationTokenTests {
  @Test func releasedTokenStopsNotifications() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let other = EventRecorder<ObservedChange>()
      var token: NotificationToken? = try realm.objects(Ewe.self).observe {
        events.note(ObservedChange($0))
      }
      let kept = try realm.objects(Ewe.self).observe { other.note(ObservedChange($0)) }
      _ = (events.wait(for: 1), other.wait(for: 1))
      token = nil
      try realm.write { realm.add(Ewe(1)) }
      _ = other.wait(for: 2)
      #expect(events.all == [.initial(0)])
      #expect(token == nil)
      kept.invalidate()
      kept.invalidate()
    }
  }

  /// An object retained by a callback, to observe its deallocation.
  private final class Captured: Sendable {}

  @Test func callbackCanReleaseItsToken() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let other = EventRecorder<ObservedChange>()
      let holder = TokenHolder()
      let queue = DispatchQueue(label: "observer")
      try queue.sync {
        // The holder has the only reference to the token.
        let token = try realm.objects(Ewe.self).observe(on: queue) { change in
          events.note(ObservedChange(change))
          if case .update = change { holder.token.withLock { $0 = nil } }
        }
        holder.token.withLock { $0 = token }
      }
      let kept = try realm.objects(Ewe.self).observe(on: queue) { other.note(ObservedChange($0)) }
      _ = (events.wait(for: 1), other.wait(for: 1))
      for id in 1...3 {
        try realm.write { realm.add(Ewe(id)) }
        _ = other.wait(for: id + 1)
      }
      queue.sync {}
      #expect(events.all == [.initial(0), .update(1, [], [0], [])])
      kept.invalidate()
    }
  }

  @Test func tokenEndsWithItsLastReference() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let holder = TokenHolder()
      let token = try realm.objects(Ewe.self).observe { change in
        events.note(ObservedChange(change))
        holder.token.withLock { $0 = nil }
      }
      holder.token.withLock { $0 = token }
      _ = events.wait(for: 1)
      try realm.write { realm.add(Ewe(1)) }
      #expect(events.wait(for: 2).count == 2)
      token.invalidate()
    }
  }

  @Test func invalidatedTokenReleasesCallbackCaptures() throws {
    try withTemporaryRealm { realm, _ in
      weak var weakCaptured: Captured?
      let events = EventRecorder<ObservedChange>()
      let queue = DispatchQueue(label: "observer")
      let token: NotificationToken
      do {
        let captured = Captured()
        weakCaptured = captured
        token = try realm.objects(Ewe.self).observe(on: queue) { change in
          withExtendedLifetime(captured) { events.note(ObservedChange(change)) }
        }
      }
      _ = events.wait(for: 1)
      queue.sync {}
      #expect(weakCaptured != nil)
      token.invalidate()
      #expect(weakCaptured == nil)
    }
  }

  @Test func deletedObjectReleasesItsCallback() throws {
    try withTemporaryRealm { realm, _ in
      weak var weakCaptured: Captured?
      let events = EventRecorder<Bool>()
      let queue = DispatchQueue(label: "observer")
      let ewe = Ewe(1)
      try realm.write { realm.add(ewe) }
      let token: NotificationToken
      do {
        let captured = Captured()
        weakCaptured = captured
        token = try ewe.observe(on: queue) { change in
          withExtendedLifetime(captured) {
            if case .deleted = change { events.note(true) }
          }
        }
      }
      try realm.write { realm.delete(ewe) }
      _ = events.wait(for: 1)
      queue.sync {}
      #expect(weakCaptured == nil)
      token.invalidate()
    }
  }

  @Test func callbackCanInvalidateItsToken() throws {
    try withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let other = EventRecorder<ObservedChange>()
      let holder = TokenHolder()
      let token = try realm.objects(Ewe.self).observe { change in
        events.note(ObservedChange(change))
        if case .update = change { holder.token.withLock { $0 }?.invalidate() }
      }
      holder.token.withLock { $0 = token }
      let kept = try realm.objects(Ewe.self).observe { other.note(ObservedChange($0)) }
      _ = (events.wait(for: 1), other.wait(for: 1))
      for id in 1...3 {
        try realm.write { realm.add(Ewe(id)) }
        _ = other.wait(for: id + 1)
      }
      #expect(events.all == [.initial(0), .update(1, [], [0], [])])
      kept.invalidate()
    }
  }
}
