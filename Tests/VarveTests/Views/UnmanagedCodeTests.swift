import Foundation
import Synchronization
import Testing
import Varve
import VarveLocks

/// Model code that runs while an unmanaged object or collection is read or changed.
private let hook = Lock<(@Sendable () -> Void)?>(nil)

private func runHook() { hook.withLock { $0 }?() }

@Model private final class Reader: Object {
  @Persisted var first = Reader.made()
  @Persisted var second = 2
  @Persisted var ending: Ending?
  @Persisted var list: List<Ending>
  @Persisted var set: MutableSet<Ending>
  @Persisted var map: Map<String, Ending?>
  @Persisted var kinds: MutableSet<Hooked>

  static func made() -> Int {
    runHook()
    return 1
  }
}

@Model private final class Ending: Object {
  @Persisted var number: Int

  deinit { runHook() }
}

/// Runs the hook whenever its persisted value is read.
private struct Hooked: CustomPersistable {
  var number: Int
  init(number: Int) { self.number = number }
  init(persistedValue: Int) { number = persistedValue }
  var persistableValue: Int {
    runHook()
    return number
  }
}

@Suite(.serialized) struct UnmanagedCodeTests {
  /// Runs a body while the given closure is the hook of the model code.
  private func running(_ code: @escaping @Sendable () -> Void, body: () throws -> Void) rethrows {
    hook.withLock { $0 = code }
    defer { hook.withLock { $0 = nil } }
    try body()
  }

  @Test func defaultMayReadAndSetItsObject() throws {
    let reader = Reader()
    running {
      reader.second += reader.list.count + 3
    } body: {
      #expect(reader.first == 1)
    }
    #expect(reader.second == 5)
    // A property that its own default sets keeps that value.
    let other = Reader()
    running {
      other.first = 7
    } body: {
      #expect(other.first == 7)
    }
    #expect(other.first == 7)
  }

  @Test func defaultMayReadItsObjectDuringAdd() throws {
    try withTemporaryRealm { realm, _ in
      let reader = Reader()
      try running {
        _ = reader.second
      } body: {
        try realm.write { realm.add(reader) }
      }
      #expect(reader.first == 1)
    }
  }

  @Test func deinitMayReadOwningObject() {
    let reader = Reader()
    let ended = Atomic<Int>(0)
    running {
      ended.wrappingAdd(1, ordering: .relaxed)
      _ = (reader.second, reader.list.count, reader.set.count, reader.map.count)
    } body: {
      reader.ending = Ending()
      reader.ending = nil
      let list = reader.list
      for _ in 0..<9 { list.append(Ending()) }
      list[0] = Ending()
      list.remove(at: 0)
      list.removeLast()
      list.removeLast(1)
      list.removeSubrange(0..<2)
      list.replaceSubrange(0..<1, with: [Ending()])
      list.removeAll()
      let set = reader.set
      set.insert(Ending())
      set.formIntersection([])
      set.insert(Ending())
      set.subtract(Array(set))
      set.insert(Ending())
      set.removeAll()
      let map = reader.map
      map["a"] = Ending()
      map["a"] = Ending()
      map["b"] = Ending()
      map.removeObject(for: "b")
      map.set([(key: "a", value: Ending())])
      map.removeAll()
    }
    #expect(ended.load(ordering: .relaxed) == 19)
  }

  @Test func customTypeMayReadSetItIsInsertedInto() {
    let set = Reader().kinds
    running {
      _ = set.count
    } body: {
      set.insert(objectsIn: [Hooked(number: 2), Hooked(number: 1), Hooked(number: 2)])
      #expect(set.contains(Hooked(number: 1)))
      set.formSymmetricDifference([Hooked(number: 1), Hooked(number: 3)])
      #expect(set.map(\.number) == [2, 3])
      set.remove(Hooked(number: 2))
      set.formIntersection([Hooked(number: 3)])
    }
    #expect(set.map(\.number) == [3])
  }

  @Test func racingDefaultsAgreeOnOneValue() async {
    for _ in 0..<50 {
      let object = Identified()
      let ids = await withTaskGroup(of: UUID.self) { group in
        for _ in 0..<4 { group.addTask { object.id } }
        return await group.reduce(into: Set<UUID>()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
    }
  }
}

@Model private final class Identified: Object {
  @Persisted var id = UUID()
}
