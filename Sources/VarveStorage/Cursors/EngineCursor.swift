/// An LMDB cursor in a write transaction.
///
/// Thread safety: one thread at a time, like the `EntryCursor` that owns it.
@usableFromInline
final class EngineCursor {
  /// nil once the transaction has ended, or has opened or closed a nested transaction.
  private(set) var raw: OpaquePointer?
  // Safe because a transaction closes its cursors before it ends: while `raw` is not nil, the
  // transaction exists.
  private let transaction: Unmanaged<WriteTransaction>
  private let table: Table

  @usableFromInline var key = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline var value = UnsafeRawBufferPointer(start: nil, count: 0)
  private var position = CursorPosition.unset
  /// A copy of `key`, which a write may overwrite before the next move. Only kept while the pages
  /// that LMDB touches are checked.
  private var checkedKey: [UInt8] = []

  init(_ raw: OpaquePointer, _ table: Table, transaction: WriteTransaction) {
    self.raw = raw
    self.table = table
    self.transaction = .passUnretained(transaction)
  }

  deinit {
    guard let raw, !ProcessFork.isChild else { return }
    transaction.takeUnretainedValue().forget(self)
    EngineCursorCalls.close(raw)
  }

  /// Closes the cursor when its transaction ends.
  func invalidate() {
    if let raw { EngineCursorCalls.close(raw) }
    raw = nil
    clear(.end)
  }

  @usableFromInline
  func next() -> Bool {
    switch position {
    case .unset, .beginning: move(.first, otherwise: .end)
    case .entry: move(.next, otherwise: .end)
    case .end: false
    }
  }

  @usableFromInline
  func previous() -> Bool {
    switch position {
    case .unset, .end: move(.last, otherwise: .beginning)
    case .entry: move(.previous, otherwise: .beginning)
    case .beginning: false
    }
  }

  @usableFromInline
  func seekFirst() -> Bool { move(.first, otherwise: .end) }

  @usableFromInline
  func seekLast() -> Bool { move(.last, otherwise: .beginning) }

  @usableFromInline
  func seek(_ target: UnsafeRawBufferPointer) -> Bool {
    // LMDB rejects an empty key; an empty lower bound means the first entry.
    target.isEmpty ? seekFirst() : move(.range, seeking: target, otherwise: .end)
  }

  private func move(
    _ move: EngineMove,
    seeking target: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    otherwise: CursorPosition
  ) -> Bool {
    guard let raw else { return false }
    if ProcessFork.isChild {
      clear(otherwise)
      return false
    }
    let isChecking = transaction._withUnsafeGuaranteedRef { $0.paths != nil }
    guard !isChecking || isValid(move, target, transaction.takeUnretainedValue()) else {
      clear(otherwise)
      return false
    }
    var status = EngineCursorCalls.move(raw, move, seeking: target, &key, &value)
    if status == 0, isOutOfPage { status = Engine.corrupted }
    if status != 0, status != Engine.notFound {
      transaction.takeUnretainedValue().recordFailure(status)
    }
    guard status == 0 else {
      clear(otherwise)
      return false
    }
    position = .entry
    if isChecking { keepKey() }
    return true
  }

  @inline(never)
  private func keepKey() {
    checkedKey.removeAll(keepingCapacity: true)
    checkedKey.append(contentsOf: key)
  }

  /// Whether the pages that a move touches are valid. If not, the transaction has failed.
  @inline(never)
  private func isValid(
    _ move: EngineMove, _ target: UnsafeRawBufferPointer, _ transaction: WriteTransaction
  ) -> Bool {
    if transaction.hasFailed { return false }
    do throws(StorageError) {
      switch move {
      case .first, .last: try transaction.checkEnd(table, isFirst: move == .first)
      case .next, .previous:
        return checkedKey.withUnsafeBytes {
          (try? transaction.checkPath(table, $0, .move)) != nil
        }
      case .range: try transaction.checkPath(table, target, .move)
      }
      return true
    } catch {
      return false
    }
  }

  /// Whether the entry read last reaches outside its page.
  private var isOutOfPage: Bool {
    guard let room = transaction._withUnsafeGuaranteedRef({ $0.room }) else { return false }
    return !room.contains(key, keyCount: 0) || !room.contains(value, keyCount: key.count)
  }

  private func clear(_ position: CursorPosition) {
    self.position = position
    key = UnsafeRawBufferPointer(start: nil, count: 0)
    value = UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

/// The position of a cursor.
@usableFromInline
enum CursorPosition {
  case unset, beginning, entry, end
}
