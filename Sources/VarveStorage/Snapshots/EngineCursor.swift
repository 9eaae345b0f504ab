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
  /// On a snapshot: the generation of LMDB's map that `raw` has pointers into. Used in reads only.
  private var generation: UInt

  /// A cursor on a snapshot.
  init(_ raw: OpaquePointer, snapshot: Snapshot, generation: UInt) {
    self.raw = raw
    self.snapshot = snapshot
    self.transaction = nil
    self.generation = generation
  }

  init(_ raw: OpaquePointer, transaction: WriteTransaction) {
    self.raw = raw
    self.snapshot = nil
    self.transaction = .passUnretained(transaction)
    self.generation = 0
  }

  deinit {
    guard let raw, !ProcessFork.isChild else { return }
    if let snapshot {
      snapshot.environment.engineMap?.withoutReads { EngineCursorCalls.close(raw) }
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
    if ProcessFork.isChild {
      clear(otherwise)
      return false
    }
    var status: Engine.Status
    if let snapshot {
      status = snapshot.readThroughEngine { moveOnSnapshot(raw, snapshot, $0, move, target) }
      snapshot.note(status)
    } else {
      status = EngineCursorCalls.move(raw, move, seeking: target, &key, &value)
      if status == 0, isOutOfPage { status = Engine.corrupted }
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

  /// Whether what a transaction reads does not lie in its page.
  private var isOutOfPage: Bool {
    guard let room = transaction?._withUnsafeGuaranteedRef({ $0.room }) else { return false }
    return !room.holds(key, keyCount: 0) || !room.holds(value, keyCount: key.count)
  }

  private func moveOnSnapshot(
    _ raw: OpaquePointer, _ snapshot: Snapshot, _ map: EngineMap.Window, _ move: EngineMove,
    _ target: UnsafeRawBufferPointer
  ) -> Engine.Status {
    if generation != map.generation {
      let status = takeUp(raw, snapshot, map, move)
      guard status == 0 else { return status }
    }
    var foundKey = target
    var foundValue = target
    let status = EngineCursorCalls.move(raw, move, seeking: target, &foundKey, &foundValue)
    guard status == 0 else { return status }
    guard let ownKey = map.own(foundKey), let ownValue = map.own(foundValue) else {
      return Engine.corrupted
    }
    key = ownKey
    value = ownValue
    return 0
  }

  /// Brings LMDB's cursor to where this one stands, after the map has changed.
  ///
  /// LMDB's cursor points to pages of the old map even when it stands on no entry, and a seek looks at
  /// them: so it is made as good as new first. A step from an entry then needs the entry; its key lies in
  /// the snapshot's own mapping. All other moves begin at the root.
  private func takeUp(
    _ raw: OpaquePointer, _ snapshot: Snapshot, _ map: EngineMap.Window, _ move: EngineMove
  ) -> Engine.Status {
    guard EngineCursorCalls.renew(raw, in: snapshot.transaction) == 0 else {
      return Engine.corrupted
    }
    generation = map.generation
    guard move == .next || move == .previous else { return 0 }
    var foundKey = key
    var foundValue = value
    let status = EngineCursorCalls.move(raw, .range, seeking: key, &foundKey, &foundValue)
    // The version has not changed: what was there is there.
    guard status == 0, let ownKey = map.own(foundKey), ownKey.baseAddress == key.baseAddress else {
      return Engine.corrupted
    }
    return 0
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
