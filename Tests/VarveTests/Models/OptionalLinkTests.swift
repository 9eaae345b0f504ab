import Testing
import Varve

/// To-one links, used as a client of the library uses them.
@Suite struct OptionalLinkTests {
  /// Sets a link in each way, and compares it in each way.
  private func check(_ ring: Ring, _ other: Ring, sourceLocation: SourceLocation = #_sourceLocation)
  {
    ring.next = other
    #expect(ring.next != nil, sourceLocation: sourceLocation)
    #expect((ring.next == nil) == false, sourceLocation: sourceLocation)
    // Without a primary key, managed objects are equal by identity, and each read returns a new
    // handle.
    #expect((ring.next == other) == (ring.realm == nil), sourceLocation: sourceLocation)
    #expect(ring.next?.number == other.number, sourceLocation: sourceLocation)
    if let next = ring.next {
      #expect(next.isSameObject(as: other), sourceLocation: sourceLocation)
    } else {
      Issue.record("The link is nil.", sourceLocation: sourceLocation)
    }
    ring.next = nil
    #expect(ring.next == nil && (ring.next != nil) == false, sourceLocation: sourceLocation)
    #expect(ring.next != other, sourceLocation: sourceLocation)
    let optional: Ring? = other
    ring.next = optional
    #expect(ring.next != nil, sourceLocation: sourceLocation)
    ring.next?.number += 1
    #expect(other.number == ring.next?.number, sourceLocation: sourceLocation)
    ring.certain = other
    #expect(ring.certain != nil, sourceLocation: sourceLocation)
    #expect(ring.certain.number == other.number, sourceLocation: sourceLocation)
    ring.plain = Plain()
    #expect(ring.plain != nil && ring.plain?.link == nil, sourceLocation: sourceLocation)
    ring.plain?.link = other
    #expect(ring.plain?.link != nil, sourceLocation: sourceLocation)
    #expect(isSet(ring, \.next) && isSet(ring, \.plain?.link), sourceLocation: sourceLocation)
  }

  private func isSet<Value>(_ ring: Ring, _ path: KeyPath<Ring, Value?>) -> Bool {
    ring[keyPath: path] != nil
  }

  @Test func unmanagedLinkReadsBack() {
    check(Ring(), Ring(value: ["number": 5]))
    let itself = Ring()
    check(itself, itself)
    itself.next = nil
    itself.certain = nil
    itself.plain = nil
  }

  @Test func managedLinkReadsBack() throws {
    try withTemporaryRealm { realm, _ in
      let ring = Ring()
      let other = Ring(value: ["number": 5])
      #expect(ring.next == nil && ring.certain == nil)
      try realm.write {
        realm.add([ring, other])
        check(ring, other)
        check(ring, ring)
        // Setting the link adds the unmanaged object.
        let new = Ring(value: ["number": 9])
        ring.next = new
        #expect(ring.next != nil && new.realm == realm)
      }
      #expect(ring.next != nil && ring.next?.number == 9 && ring.certain != nil)
      let frozen = ring.freeze()
      try realm.write { ring.next = nil }
      #expect(ring.next == nil && (ring.next != nil) == false)
      #expect(frozen.next != nil && frozen.next?.number == 9)
    }
  }
}

@Model final class Ring: Object {
  @Persisted var number = 0
  @Persisted var next: Ring?
  @Persisted var certain: Ring!
  @Persisted var plain: Plain?
}

@Model final class Plain: Object {
  @Persisted var link: Ring?
}
