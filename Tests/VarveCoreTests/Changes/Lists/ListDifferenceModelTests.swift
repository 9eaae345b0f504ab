import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Random changes of lists, compared with the same changes of arrays.
@Suite struct ListDifferenceModelTests {
  /// An element and an identity, which is new for every insertion and so distinguishes equal
  /// elements.
  struct Item {
    var element: [UInt8]?
    var identity: Int
  }

  struct State {
    var snapshot: Snapshot
    var items: [Item]
  }

  static let kinds = ListTestKind.all + [.fewObjects, .bool]

  @Test(arguments: kinds)
  func changesTransformEachVersionIntoEachOther(kind: ListTestKind) throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    var list = ModelList(kind: kind)
    var states: [State] = []
    for step in 0..<140 {
      let snapshot = try store.write(kind.format) { editor in
        try list.change(editor, times: random.int(1...4), &random)
      }
      states.append(State(snapshot: snapshot, items: list.items))
      if states.count > 6 { states.removeFirst() }
      let last = states.count - 1
      let other = random.below(states.count)
      check(kind, states[max(last - 1, 0)], states[last], "step \(step), \(random)")
      check(kind, states[last], states[other], "step \(step) back, \(random)")
    }
    for first in states {
      for second in states { check(kind, first, second, "at the end, \(random)") }
    }
  }

  private func check(_ kind: ListTestKind, _ old: State, _ new: State, _ comment: String) {
    let before = old.items.map(\.element)
    let after = new.items.map(\.element)
    let difference = ListDifference(listID: ListTestStore.listID, format: kind.format)
    guard let changes = try? difference.changes(from: old.snapshot, to: new.snapshot) else {
      Issue.record("an error, \(comment)")
      return
    }
    let isSame = try? difference.isEmpty(from: old.snapshot, to: new.snapshot)
    #expect(isSame == (before == after) && isSame == changes.isEmpty, "\(comment)")
    // Objects that occur several times may be reported as moved when no link counts are read.
    let isLink = kind.format.type == .link
    let found = fault(changes.withoutMoves, from: before, to: after)
    #expect(found == nil, "\(comment)")
    if isLink {
      let failure = fault(changes, from: before, to: after, movesAreFound: true)
      #expect(failure == nil || kind.repeats, "\(comment)")
    }
    let identities = Set(new.items.map(\.identity))
    let kept = old.items.count { identities.contains($0.identity) }
    let edits = before.count + after.count - 2 * kept
    if edits <= WordDifference.maximumEdits {
      #expect(changes.unchangedCount(of: before.count) >= kept, "\(comment)")
    }
  }

  @Test(arguments: [ListTestKind.int, .bool, .nullableInt])
  func listsOfOneLeafHaveMinimalChanges(kind: ListTestKind) throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    var list = ModelList(kind: kind)
    list.maximumCount = 40
    var old: State?
    for _ in 0..<250 {
      let snapshot = try store.write(kind.format) { editor in
        try list.change(editor, times: random.int(1...6), &random)
      }
      let new = State(snapshot: snapshot, items: list.items)
      if let old {
        let changes = try ListDifference(listID: ListTestStore.listID, format: kind.format)
          .changes(from: old.snapshot, to: new.snapshot)
        let before = old.items.map(\.element)
        let after = new.items.map(\.element)
        #expect(fault(changes, from: before, to: after) == nil, "\(random)")
        let kept = changes.unchangedCount(of: before.count)
        #expect(kept == commonCount(before, after), "\(random)")
        let longer = max(before.count, after.count)
        #expect(changes.modifications.count + changes.insertions.count <= longer, "\(random)")
      }
      old = new
    }
  }

  @Test func versionsOfTwoFilesAreCompared() throws {
    var random = SeededRandom()
    let kind = ListTestKind.int
    var states: [State] = []
    var stores: [ListTestStore] = []
    for _ in 0..<2 {
      // The nodes of both lists get the same ids and stamps.
      let store = try ListTestStore()
      var list = ModelList(kind: kind)
      list.items = (0..<2000).map { Item(element: kind.element(&random), identity: $0) }
      let elements = list.items.compactMap(\.element)
      let snapshot = try store.write(kind.format) { editor in
        try editor.insert(contentsOf: elements, at: 0)
      }
      states.append(State(snapshot: snapshot, items: list.items))
      stores.append(store)
    }
    let difference = ListDifference(listID: ListTestStore.listID, format: kind.format)
    let changes = try difference.changes(from: states[0].snapshot, to: states[1].snapshot)
    let found = fault(
      changes, from: states[0].items.map(\.element), to: states[1].items.map(\.element))
    #expect(found == nil && !changes.isEmpty, "\(random)")
    withExtendedLifetime(stores) {}
  }
}

extension IndexChanges {
  var withoutMoves: IndexChanges {
    var changes = self
    changes.moves = []
    return changes
  }
}
