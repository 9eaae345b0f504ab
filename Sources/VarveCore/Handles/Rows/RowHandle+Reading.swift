import Synchronization
import VarveEncoding
import VarveStorage

/// A snapshot that a read may look at until it ends.
struct Announcement {
  let snapshot: Unmanaged<Snapshot>
  /// Where the announcement was made; nil for frozen reads.
  let moving: Unmanaged<MovingSnapshot>?

  @inline(__always)
  func end() { moving?._withUnsafeGuaranteedRef { $0.exit() } }
}

/// A row that a read may look at until it ends.
struct PinnedRow {
  /// Nil when the object does not exist in the version that is read.
  let row: UnsafeRawPointer?
  let announcement: Announcement

  var snapshot: Unmanaged<Snapshot> { announcement.snapshot }

  @inline(__always)
  func end() { announcement.end() }
}

extension ReadContext {
  /// Begins a read outside a transaction: announces the view's snapshot.
  ///
  /// Between this and ``Announcement/end()`` no user code may run, and no other read may begin.
  /// `note` notes it, where that must be done; see ``ViewPin/mustNoteRead``.
  @inline(__always)
  func announce(_ note: () -> Void) -> Announcement {
    if let frozen = hotFrozen { return Announcement(snapshot: frozen, moving: nil) }
    if hotPin.unsafelyUnwrapped._withUnsafeGuaranteedRef({ $0.mustNoteRead }) { note() }
    let moving = hotMoving.unsafelyUnwrapped
    return Announcement(
      snapshot: moving._withUnsafeGuaranteedRef { $0.enter() }, moving: moving)
  }
}

extension RowHandle {
  /// Calls `body` with the context of a tied handle, without counting references.
  ///
  /// - Precondition: the handle is tied.
  @inline(__always)
  func withContext<R>(_ body: (ReadContext) -> R) -> R {
    let pointer = UnsafeRawPointer(bitPattern: contextBits.load(ordering: .acquiring))
    // Safe because a tied handle holds the context until its deinit.
    return Unmanaged<ReadContext>.fromOpaque(pointer.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef(body)
  }

  /// Begins a read outside a transaction: announces the view's snapshot and finds the row in it.
  ///
  /// Between this and ``PinnedRow/end()`` no user code may run, and no other read may begin.
  /// `slot`: the property that is read; nil: whether the object exists.
  @inline(__always)
  func pin(_ context: ReadContext, _ slot: Int?) -> PinnedRow {
    let announcement = context.announce { noteRead(slot, context) }
    return PinnedRow(
      row: announcement.snapshot._withUnsafeGuaranteedRef { self.row(in: $0) },
      announcement: announcement)
  }

  /// The row's address in a snapshot, from the cache where that is the snapshot read last.
  @inline(__always)
  func row(in snapshot: Snapshot) -> UnsafeRawPointer? {
    let serial = snapshot.serial
    if _fastPath(cachedSerial.load(ordering: .acquiring) == serial) {
      let row = cachedRow.load(ordering: .acquiring)
      // Read again: another thread may have replaced the pair in between.
      if _fastPath(cachedSerial.load(ordering: .relaxed) == serial) {
        return UnsafeRawPointer(bitPattern: row)
      }
    }
    return findRow(in: snapshot)
  }

  /// Looks the row up, checks its header and remembers its address.
  func findRow(in snapshot: Snapshot) -> UnsafeRawPointer? {
    // No references are counted where the row is sound: all threads share the binding and the snapshot.
    let found = bindingReference._withUnsafeGuaranteedRef { binding in
      withContext { context in
        binding.isKnown && !context.isInvalidated
          ? snapshot.find(binding.table, id: id).map { ($0, binding.rowAddress($0)) } : nil
      }
    }
    guard let (bytes, address) = found else { return nil }
    guard let row = address ?? otherRowAddress(bytes) else {
      context?.store.markDamaged("a row of class \(binding.name)")
      return nil
    }
    remember(row, serial: snapshot.serial)
    return row
  }

  /// The address of a row of another layout that the class knows, as far as its fixed part goes.
  @inline(never)
  private func otherRowAddress(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let schema = binding.schema else { return nil }
    if (try? schema.reader(for: bytes)) != nil { return bytes.baseAddress }
    // A newer layout than the binding knows is read by the newest schema.
    guard let newest = context?.store.schema.schema(ofClass: schema.id),
      (try? newest.reader(for: bytes)) != nil
    else { return nil }
    return bytes.baseAddress
  }

  private func remember(_ row: UnsafeRawPointer, serial: UInt64) {
    let old = cachedSerial.load(ordering: .relaxed)
    // Only forward: with the serial number rising, a reader that sees the same one before and after
    // the address has that one's address. (`locked` is above all of them.)
    guard old < serial,
      cachedSerial.compareExchange(
        expected: old, desired: RowHandle.locked, ordering: .acquiring
      ).exchanged
    else { return }
    cachedRow.store(UInt(bitPattern: row), ordering: .releasing)
    cachedSerial.store(serial, ordering: .releasing)
  }

  /// Where a property lies in a row: by the binding's own layout, or by the row's.
  @inline(__always)
  func access(_ slot: Int, in row: UnsafeRawPointer) -> FieldAccess {
    let binding = bindingReference
    return binding._withUnsafeGuaranteedRef { binding in
      _fastPath(RowHeader.layoutID(row) == binding.layoutID)
        ? binding.accesses[slot] : otherAccess(slot, in: row).access
    }
  }

  @inline(__always)
  var bindingReference: Unmanaged<ClassBinding> {
    let pointer = UnsafeRawPointer(bitPattern: bindingBits.load(ordering: .relaxed))
    return Unmanaged.fromOpaque(pointer.unsafelyUnwrapped)
  }

  /// The access for a row of another layout, with the constant that it reads if it lacks the field.
  func otherAccess(
    _ slot: Int, in row: UnsafeRawPointer
  ) -> (access: FieldAccess, constant: Value) {
    let layoutID = RowHeader.layoutID(row)
    if let found = binding.access(slot: slot, layoutID: layoutID) { return found }
    if let newest = context?.store.binding(for: binding.model),
      let found = newest.access(slot: slot, layoutID: layoutID)
    {
      return found
    }
    return (FieldAccess(nil), .null)
  }
}

extension FieldAccess {
  @inline(__always)
  func isNull(in row: UnsafeRawPointer) -> Bool {
    nullByte >= 0
      && row.load(fromByteOffset: Int(nullByte), as: UInt8.self) & nullMask != 0
  }
}
