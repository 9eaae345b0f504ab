import Varve
import VarveLocks
import VarveStorage

/// A change of a mirrored value, with the new content.
enum SoakStep: Sendable {
  /// The state: rows by their keys or indexes.
  case state([String])
  /// Changes by index. `new` contains the new indexes of modifications, or is nil if only old
  /// indexes are delivered.
  case indexes(deletions: [Int], insertions: [Int], modifications: [Int], new: [Int]?)
  /// Changes by key. A row is a key, a space and a value.
  case keys(deletions: [String], insertions: [String], modifications: [String])
  /// Properties with the values before and after.
  case properties([(name: String, old: String, new: String)])
  /// A commit without details.
  case commit
}

/// A copy of an observed value, maintained by the notifications of its observer.
///
/// Each step leads to a version whose rows the mirror receives: it copies inserted and modified
/// rows from there, and compares itself with all rows afterwards. It receives commits that the
/// observer is not notified of as patches.
///
/// Thread safety: a lock guards the state.
final class SoakMirror: Sendable {
  private struct Patch {
    var commit: UInt64
    var step: SoakStep
    var rows: [String]
  }

  private struct State {
    var rows: [String]?
    var version: UInt64 = 0
    var patches: [Patch] = []
    var deliveries = 0
    var faults: [String] = []
  }

  let name: String
  /// Guards the state.
  private let state = Lock(State())

  init(_ name: String) { self.name = name }

  /// The number of deliveries.
  var deliveries: Int { state.withLock { $0.deliveries } }

  /// The faults found so far.
  var faults: [String] { state.withLock { $0.faults } }

  /// Applies a notification of the observer.
  ///
  /// - Parameters:
  ///   - step: The delivered change.
  ///   - rows: The observed content at `version`.
  ///   - version: The delivered version.
  func deliver(_ step: SoakStep, _ rows: [String], at version: UInt64) {
    state.withLock { state in
      state.deliveries += 1
      let (isState, mayRepeat) =
        switch step {
        case .state: (true, true)
        case .commit: (false, true)
        case .indexes, .keys, .properties: (false, false)
        }
      // The state of the version delivered last may be delivered again.
      if version < state.version || version == state.version && !mayRepeat {
        state.faults.append("\(name): version \(version) is delivered after \(state.version)")
      }
      if isState { state.patches.removeAll { $0.commit <= version } }
      apply(patchesUpTo: version, &state)
      apply(step, rows, &state)
      state.version = version
    }
  }

  /// Adds the changes of a commit that the observer is not notified of.
  func patch(_ step: SoakStep, _ rows: [String], commit: UInt64) {
    state.withLock { state in
      // Also before the first delivery, which may be on its way with a state from before the
      // commit.
      state.patches.append(Patch(commit: commit, step: step, rows: rows))
    }
  }

  /// The fault at rest, or nil if the mirror equals the content of the store.
  ///
  /// - Parameters:
  ///   - rows: The observed content at the newest version.
  ///   - version: The newest version.
  func difference(from rows: [String], at version: UInt64) -> String? {
    // In a copy: deliveries that precede the patches may not have arrived yet.
    var state = state.withLock { $0 }
    apply(patchesUpTo: version, &state)
    return state.rows == rows ? nil : "\(name): \(state.rows ?? []) is not \(rows)"
  }

  private func apply(patchesUpTo version: UInt64, _ state: inout State) {
    while let patch = state.patches.first, patch.commit <= version {
      state.patches.removeFirst()
      apply(patch.step, patch.rows, &state)
    }
  }

  private func apply(_ step: SoakStep, _ new: [String], _ state: inout State) {
    var rows = state.rows ?? []
    switch step {
    case .state(let all): rows = all
    case .commit: rows = new
    case .indexes(let deletions, let insertions, let modifications, let newIndexes):
      rows.apply(deletions, insertions, modifications, newIndexes, new)
    case .keys(let deletions, let insertions, let modifications):
      rows.apply(deletions, insertions, modifications, new)
    case .properties(let properties):
      for property in properties {
        guard let index = rows.firstIndex(of: "\(property.name) \(property.old)") else {
          rows.append("wrong: \(property)")
          continue
        }
        rows[index] = "\(property.name) \(property.new)"
      }
    }
    if rows != new, state.faults.count < 5 {
      state.faults.append(
        "\(name), delivery \(state.deliveries): \(step) leads from \(state.rows ?? []) to \(rows),"
          + " not to \(new)")
    }
    state.rows = rows
  }
}

extension [String] {
  /// Applies changes by index.
  fileprivate mutating func apply(
    _ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ newIndexes: [Int]?,
    _ new: [String]
  ) {
    let mark = "modified"
    for index in modifications where indices.contains(index) { self[index] = mark }
    for index in deletions.reversed() where indices.contains(index) { remove(at: index) }
    for index in insertions where index <= count && new.indices.contains(index) {
      insert(new[index], at: index)
    }
    let marked = indices.filter { self[$0] == mark }
    if let newIndexes, newIndexes.sorted() != marked { append("new indexes: \(newIndexes)") }
    for index in marked where new.indices.contains(index) { self[index] = new[index] }
  }

  /// Applies changes by key.
  fileprivate mutating func apply(
    _ deletions: [String], _ insertions: [String], _ modifications: [String], _ new: [String]
  ) {
    func key(_ row: String) -> Substring { row.prefix { $0 != " " } }
    let values = Dictionary(uniqueKeysWithValues: new.map { (key($0), $0) })
    for deleted in deletions {
      guard let index = firstIndex(where: { key($0) == deleted }) else {
        append("deleted but not there: \(deleted)")
        continue
      }
      remove(at: index)
    }
    for inserted in insertions {
      if contains(where: { key($0) == inserted }) { append("inserted twice: \(inserted)") }
      append(values[inserted[...]] ?? "inserted but not there: \(inserted)")
    }
    for modified in modifications {
      guard let index = firstIndex(where: { key($0) == modified }) else {
        append("modified but not there: \(modified)")
        continue
      }
      self[index] = values[modified[...]] ?? "modified but absent"
    }
    sort()
  }
}
