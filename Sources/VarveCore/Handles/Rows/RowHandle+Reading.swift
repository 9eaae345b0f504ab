import Synchronization
import VarveEncoding
import VarveStorage

/// A snapshot that is protected until the end of a read.
struct Announcement {
  let snapshot: Unmanaged<Snapshot>
  /// The moving snapshot of the announcement; nil for frozen reads.
  let moving: Unmanaged<MovingSnapshot>?

  @inline(__always)
  func end() { moving?._withUnsafeGuaranteedRef { $0.exit() } }
}

/// A row that is protected until the end of a read.
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
  /// `note` is called where the read must be noted; see ``ViewPin/mustNoteRead``.
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
  /// Calls `body` with the context of an attached handle, without counting references.
  ///
  /// - Precondition: The handle is attached.
  @inline(__always)
  func withContext<R>(_ body: (ReadContext) -> R) -> R {
    let pointer = UnsafeRawPointer(bitPattern: contextBits.load(ordering: .acquiring))
    // Safe because an attached handle retains the context until its deinit.
    return Unmanaged<ReadContext>.fromOpaque(pointer.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef(body)
  }

  /// Begins a read outside a transaction: announces the view's snapshot and finds the row in it.
  ///
  /// Between this and ``PinnedRow/end()`` no user code may run, and no other read may begin.
  /// `slot`: The property that is read, or nil when the existence of the object is read.
  @inline(__always)
  func pin(_ context: ReadContext, _ slot: Int?) -> PinnedRow {
    let announcement = context.announce { noteRead(slot, context) }
    return PinnedRow(
      row: announcement.snapshot._withUnsafeGuaranteedRef { self.row(in: $0) },
      announcement: announcement)
  }

  /// Returns the row's address in a snapshot, from the cache if it is the snapshot read last.
  @inline(__always)
  func row(in snapshot: Snapshot) -> UnsafeRawPointer? {
    let serial = snapshot.serial
    if _fastPath(cachedSerial.load(ordering: .acquiring) == serial) {
      let row = cachedRow.load(ordering: .acquiring)
      // Loaded again: another thread may have replaced the pair in between.
      if _fastPath(cachedSerial.load(ordering: .relaxed) == serial) {
        return UnsafeRawPointer(bitPattern: row)
      }
    }
    return findRow(in: snapshot)
  }

  /// Looks the row up, checks its header and caches its address.
  func findRow(in snapshot: Snapshot) -> UnsafeRawPointer? {
    // No references are counted for an undamaged row: all threads share the binding and the
    // snapshot.
    let found = bindingReference._withUnsafeGuaranteedRef { binding in
      withContext { context in
        binding.isInFile && !context.isInvalidated
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

  /// Returns the address of a row in another known layout of the class, after checking its fixed
  /// part.
  @inline(never)
  private func otherRowAddress(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let schema = binding.schema else { return nil }
    if (try? schema.reader(for: bytes)) != nil { return bytes.baseAddress }
    // The newest schema reads a layout that is newer than the binding.
    guard let newest = context?.store.schema.schema(ofClass: schema.id),
      (try? newest.reader(for: bytes)) != nil
    else { return nil }
    return bytes.baseAddress
  }

  private func remember(_ row: UnsafeRawPointer, serial: UInt64) {
    let old = cachedSerial.load(ordering: .relaxed)
    // Only to a later version: since the serial number only rises, a reader that loads the same
    // number before and after the address has the address of that snapshot. (`locked` is greater
    // than all of them.)
    guard old < serial,
      cachedSerial.compareExchange(
        expected: old, desired: RowHandle.locked, ordering: .acquiring
      ).exchanged
    else { return }
    cachedRow.store(UInt(bitPattern: row), ordering: .releasing)
    cachedSerial.store(serial, ordering: .releasing)
  }

  /// Returns the location of a property in a row, by the layout of the binding or of the row.
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

  /// Returns the access for a row of another layout, with the constant that is read when the layout
  /// lacks the field.
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
