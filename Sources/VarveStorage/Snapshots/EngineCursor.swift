/// A cursor of LMDB, on a write transaction or on a snapshot that is read through LMDB.
///
/// Thread safety: one thread at a time, as the `EntryCursor` that owns it.
@usableFromInline
final class EngineCursor {
  /// nil once the transaction has ended or opened or closed a nested one.
  private(set) var raw: OpaquePointer?
  private let snapshot: Snapshot?
  // Safe because a transaction closes its cursors before it ends: while `raw` is there, so is it.
  private let transaction: Unmanaged<WriteTransaction>?

  @usableFromInline var key = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline var value = UnsafeRawBufferPointer(start: nil, count: 0)
  private var place = CursorPlace.unset

  init(_ raw: OpaquePointer, snapshot: Snapshot) {
    self.raw = raw
    self.snapshot = snapshot
    self.transaction = nil
  }

  init(_ raw: OpaquePointer, transaction: WriteTransaction) {
    self.raw = raw
    self.snapshot = nil
    self.transaction = .passUnretained(transaction)
  }

  deinit {
    guard let raw else { return }
    if let snapshot {
      snapshot.engineLock.withLock { EngineCursorCalls.close(raw) }
    } else if let transaction {
      transaction.takeUnretainedValue().forget(self)
      EngineCursorCalls.close(raw)
    }
  }

  /// Closes the cursor because its transaction ends.
  func invalidate() {
    if let raw { EngineCursorCalls.close(raw) }
    raw = nil
    clear(.end)
  }

  @usableFromInline
  func next() -> Bool {
    switch place {
    case .unset, .beginning: move(.first, otherwise: .end)
    case .entry: move(.next, otherwise: .end)
    case .end: false
    }
  }

  @usableFromInline
  func previous() -> Bool {
    switch place {
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
    // LMDB refuses an empty key; the first entry is what it would mean.
    target.isEmpty ? seekFirst() : move(.range, seeking: target, otherwise: .end)
  }

  private func move(
    _ move: EngineMove,
    seeking target: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    otherwise: CursorPlace
  ) -> Bool {
    guard let raw else { return false }
    var status: Engine.Status = 0
    if let snapshot {
      snapshot.engineLock.withLock {
        status = EngineCursorCalls.move(raw, move, seeking: target, &key, &value)
      }
      snapshot.note(status)
    } else {
      status = EngineCursorCalls.move(raw, move, seeking: target, &key, &value)
      if status != 0, status != Engine.notFound {
        _ = transaction?.takeUnretainedValue().recordFailure(status)
      }
    }
    guard status == 0 else {
      clear(otherwise)
      return false
    }
    place = .entry
    return true
  }

  private func clear(_ place: CursorPlace) {
    self.place = place
    key = UnsafeRawBufferPointer(start: nil, count: 0)
    value = UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

/// Where a cursor stands.
@usableFromInline
enum CursorPlace {
  case unset, beginning, entry, end
}
