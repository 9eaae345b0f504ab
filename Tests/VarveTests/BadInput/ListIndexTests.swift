import Foundation
import Testing
import Varve

@Suite struct ListIndexTests {
  private typealias Operation = (String, (List<Int>) -> Void)

  private let operations: [Operation] = [
    ("subscript", { $0[3] = 1 }), ("subscript", { $0[-1] = 1 }),
    ("replace", { $0.replace(index: 3, object: 1) }),
    ("replace", { $0.replace(index: .min, object: 1) }),
    ("insert", { $0.insert(1, at: 4) }), ("insert", { $0.insert(1, at: -1) }),
    ("insert", { $0.insert(1, at: .max) }),
    ("insert contents", { $0.insert(contentsOf: [1, 2], at: 4) }),
    ("insert contents", { $0.insert(contentsOf: [], at: 4) }),
    ("remove", { $0.remove(at: 3) }), ("remove", { $0.remove(at: -1) }),
    ("remove", { $0.remove(at: .max) }), ("remove", { $0.remove(at: .min) }),
    ("remove last", { $0.removeLast(4) }), ("remove last", { $0.removeLast(-1) }),
    ("remove subrange", { $0.removeSubrange(2..<4) }),
    ("remove subrange", { $0.removeSubrange(-1..<1) }),
    ("remove subrange", { $0.removeSubrange(4..<4) }),
    ("replace subrange", { $0.replaceSubrange(2..<4, with: [7]) }),
    ("replace subrange", { $0.replaceSubrange(-1..<2, with: [7]) }),
    ("move", { $0.move(from: 3, to: 0) }), ("move", { $0.move(from: 0, to: 3) }),
    ("move", { $0.move(from: -1, to: 0) }), ("move", { $0.move(from: 0, to: -1) }),
    ("swap", { $0.swapAt(0, 3) }), ("swap", { $0.swapAt(-1, 0) }),
    ("swap", { $0.swapAt(3, 3) }),
  ]

  @Test func indexOutOfBoundsFailsWriteAndChangesNothing() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1, 2, 3])
      try realm.write { realm.add(crate) }
      for (name, operation) in operations {
        let error = thrownError {
          try realm.write {
            operation(crate.numbers)
            #expect(Array(crate.numbers) == [1, 2, 3], "\(name)")
          }
        }
        #expect(error?.code == .indexOutOfBounds, "\(name)")
        #expect(error?.className == "Crate" && error?.propertyName == "numbers", "\(name)")
        #expect(error?.value != nil)
        #expect(Array(crate.numbers) == [1, 2, 3], "\(name)")
      }
    }
  }

  @Test func objectAndStringListsCheckIndexes() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write {
        realm.add(crate)
        crate.items.append(Item("a"))
        crate.words.append("w")
      }
      for use in [
        { crate.items[1] = Item("b") }, { crate.items.insert(Item("c"), at: 2) },
        { crate.items.remove(at: 1) }, { crate.items.swapAt(0, 1) },
        { crate.words[1] = "x" }, { crate.words.insert("x", at: 2) },
        { crate.words.removeLast(2) }, { crate.words.move(from: 0, to: 1) },
      ] {
        expectError(.indexOutOfBounds) { try realm.write { use() } }
      }
      #expect(crate.items.map(\.name) == ["a"] && Array(crate.words) == ["w"])
      #expect(realm.objects(Item.self).count == 1)
    }
  }

  @Test func operationsAtListEndsAreInBounds() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write {
        realm.add(crate)
        let numbers = crate.numbers
        numbers.removeLast()
        numbers.removeFirst()
        numbers.removeLast(0)
        numbers.removeAll()
        numbers.removeSubrange(0..<0)
        numbers.insert(contentsOf: [], at: 0)
        numbers.insert(2, at: 0)
        numbers.insert(3, at: 1)
        numbers.replaceSubrange(0..<0, with: [1])
        numbers.replaceSubrange(3..<3, with: [4, 5])
        numbers.move(from: 4, to: 0)
        numbers.swapAt(1, 1)
        #expect(numbers.first == 5 && numbers.last == 4)
      }
      #expect(Array(crate.numbers) == [5, 1, 2, 3, 4])
      #expect(crate.words.first == nil && crate.words.last == nil)
    }
  }
}
