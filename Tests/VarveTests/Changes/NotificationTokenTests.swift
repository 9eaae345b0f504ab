import Dispatch
import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Owns a token that its own callback releases.
final class TokenHolder: Sendable {
  let token = Monitor<NotificationToken?>(nil)
}

/// The effects of invalidating or releasing a token.
@Suite struct NotificationTokenTests {
  @Test func releasedTokenStopsNotifications() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<HeardChange>()
      let other = Heard<HeardChange>()
      var token: NotificationToken? = try realm.objects(Ewe.self).observe {
        heard.note(HeardChange($0))
      }
      let kept = try realm.objects(Ewe.self).observe { other.note(HeardChange($0)) }
      _ = (heard.wait(for: 1), other.wait(for: 1))
      token = nil
      try realm.write { realm.add(Ewe(1)) }
      _ = other.wait(for: 2)
      #expect(heard.all == [.initial(0)])
      #expect(token == nil)
      kept.invalidate()
      kept.invalidate()
    }
  }

  /// An object retained by a callback, to observe its deallocation.
  private final class Captured: Sendable {}

  @Test func callbackCanReleaseItsToken() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<HeardChange>()
      let other = Heard<HeardChange>()
      let holder = TokenHolder()
      let queue = DispatchQueue(label: "observer")
      try queue.sync {
        // The holder has the only reference to the token.
        let token = try realm.objects(Ewe.self).observe(on: queue) { change in
          heard.note(HeardChange(change))
          if case .update = change { holder.token.withLock { $0 = nil } }
        }
        holder.token.withLock { $0 = token }
      }
      let kept = try realm.objects(Ewe.self).observe(on: queue) { other.note(HeardChange($0)) }
      _ = (heard.wait(for: 1), other.wait(for: 1))
      for id in 1...3 {
        try realm.write { realm.add(Ewe(id)) }
        _ = other.wait(for: id + 1)
      }
      queue.sync {}
      #expect(heard.all == [.initial(0), .update(1, [], [0], [])])
      kept.invalidate()
    }
  }

  @Test func tokenEndsWithItsLastReference() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<HeardChange>()
      let holder = TokenHolder()
      let token = try realm.objects(Ewe.self).observe { change in
        heard.note(HeardChange(change))
        holder.token.withLock { $0 = nil }
      }
      holder.token.withLock { $0 = token }
      _ = heard.wait(for: 1)
      try realm.write { realm.add(Ewe(1)) }
      #expect(heard.wait(for: 2).count == 2)
      token.invalidate()
    }
  }

  @Test func invalidatedTokenReleasesCallbackCaptures() throws {
    try withTemporaryRealm { realm, _ in
      weak var weakCaptured: Captured?
      let heard = Heard<HeardChange>()
      let queue = DispatchQueue(label: "observer")
      let token: NotificationToken
      do {
        let captured = Captured()
        weakCaptured = captured
        token = try realm.objects(Ewe.self).observe(on: queue) { change in
          withExtendedLifetime(captured) { heard.note(HeardChange(change)) }
        }
      }
      _ = heard.wait(for: 1)
      queue.sync {}
      #expect(weakCaptured != nil)
      token.invalidate()
      #expect(weakCaptured == nil)
    }
  }

  @Test func deletedObjectReleasesItsCallback() throws {
    try withTemporaryRealm { realm, _ in
      weak var weakCaptured: Captured?
      let heard = Heard<Bool>()
      let queue = DispatchQueue(label: "observer")
      let ewe = Ewe(1)
      try realm.write { realm.add(ewe) }
      let token: NotificationToken
      do {
        let captured = Captured()
        weakCaptured = captured
        token = try ewe.observe(on: queue) { change in
          withExtendedLifetime(captured) {
            if case .deleted = change { heard.note(true) }
          }
        }
      }
      try realm.write { realm.delete(ewe) }
      _ = heard.wait(for: 1)
      queue.sync {}
      #expect(weakCaptured == nil)
      token.invalidate()
    }
  }

  @Test func callbackCanInvalidateItsToken() throws {
    try withTemporaryRealm { realm, _ in
      let heard = Heard<HeardChange>()
      let other = Heard<HeardChange>()
      let holder = TokenHolder()
      let token = try realm.objects(Ewe.self).observe { change in
        heard.note(HeardChange(change))
        if case .update = change { holder.token.withLock { $0 }?.invalidate() }
      }
      holder.token.withLock { $0 = token }
      let kept = try realm.objects(Ewe.self).observe { other.note(HeardChange($0)) }
      _ = (heard.wait(for: 1), other.wait(for: 1))
      for id in 1...3 {
        try realm.write { realm.add(Ewe(id)) }
        _ = other.wait(for: id + 1)
      }
      #expect(heard.all == [.initial(0), .update(1, [], [0], [])])
      kept.invalidate()
    }
  }
}
