import Foundation
import Testing
import Varve

/// Chains of unmanaged objects that are far longer than the call stack allows.
@Suite struct ReleaseQueueTests {
  @Test(arguments: ["next", "branches", "byName", "mixed"])
  func longChainOfUnmanagedObjectsIsReleased(_ kind: String) throws {
    onASmallStack {
      var ended: [Weak] = []
      do {
        var chain = ChainLink()
        for number in 1..<100_000 {
          let link = ChainLink()
          link.number = number
          switch kind == "mixed" ? ["next", "branches", "byName"][number % 3] : kind {
          case "next": link.next = chain
          case "branches": link.branches.append(chain)
          default: link.byName["a"] = .some(chain)
          }
          if number % 9_999 == 0 { ended.append(Weak(link)) }
          chain = link
        }
        #expect(ended.count == 10 && ended.allSatisfy { $0.link != nil })
      }
      #expect(ended.allSatisfy { $0.link == nil })
    }
  }

  /// The part of a chain that has another owner is not released.
  @Test func retainedPartOfReleasedChainRemains() throws {
    var middle: ChainLink?
    do {
      var chain = ChainLink()
      for number in 1..<50_000 {
        let link = ChainLink()
        link.number = number
        link.next = chain
        if number == 25_000 { middle = link }
        chain = link
      }
    }
    var count = 0
    var link = middle
    while let current = link {
      #expect(current.number == 25_000 - count)
      link = current.next
      count += 1
    }
    #expect(count == 25_001)
    middle = nil
  }

  @Test func longChainIsAddedOrRemainsUnmanaged() throws {
    try withTemporaryRealm { realm, store in
      onASmallStack {
        func chain() -> ChainLink {
          var chain = ChainLink()
          for number in 1..<30_000 {
            let link = ChainLink()
            link.number = number
            if number % 2 == 0 { link.next = chain } else { link.branches.append(chain) }
            chain = link
          }
          return chain
        }
        expectCancelled {
          try realm.write {
            realm.add(chain())
            throw Cancelled()
          }
        }
        #expect(realm.isEmpty)
        try realm.write { realm.add(chain()) }
        #expect(realm.objects(ChainLink.self).count == 30_000)
      }
      try store.check()
    }
  }
}

private struct Weak {
  weak var link: ChainLink?
  init(_ link: ChainLink) { self.link = link }
}
