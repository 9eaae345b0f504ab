public import Synchronization
import VarveEncoding
import VarveStorage

/// The attachment of an object handle to a stored row: the context, the class, the object id, and
/// the row's address in the snapshot that was read last.
///
/// A handle begins empty (an unmanaged object) and is attached once, by one atomic store. It is
/// never detached. The cached address is tagged with the serial number of its snapshot, so that a
/// read needs a lookup only once per version.
///
/// Thread safety: any thread may read through it while its view moves; a hazard announcement keeps
/// the pages valid meanwhile. No user code runs between announcing and withdrawing.
@usableFromInline
package struct RowHandle: ~Copyable, Sendable {
  /// The retained `ReadContext`; 0 while the object is unmanaged. Written last, with release order.
  @usableFromInline let contextBits = Atomic<UInt>(0)
  /// The `ClassBinding`, not retained: the store keeps every binding.
  let bindingBits = Atomic<UInt>(0)
  let idBits = Atomic<UInt64>(0)
  /// The serial number of the snapshot of `cachedRow`; `RowHandle.locked` while the pair is being
  /// replaced.
  let cachedSerial = Atomic<UInt64>(0)
  let cachedRow = Atomic<UInt>(0)

  @inlinable static var locked: UInt64 { .max }

  package init() {}

  deinit {
    let bits = contextBits.load(ordering: .acquiring)
    if let pointer = UnsafeRawPointer(bitPattern: bits) {
      // Safe because `attach` retained the context once, and only a deinit releases it.
      Unmanaged<ReadContext>.fromOpaque(pointer).release()
    }
  }

  /// Attaches the handle to a stored object.
  ///
  /// - Precondition: The handle is empty and no other thread attaches it.
  package func attach(to context: ReadContext, binding: ClassBinding, id: UInt64) {
    attach(to: context, binding: .passUnretained(binding), id: id, row: nil, serial: 0)
  }

  /// Attaches the handle as ``attach(to:binding:id:)`` does, with a context and a class that the
  /// caller keeps alive.
  @inline(__always)
  package func attach(
    to context: Unmanaged<ReadContext>, binding: Unmanaged<ClassBinding>, id: UInt64
  ) {
    context._withUnsafeGuaranteedRef {
      attach(to: $0, binding: binding, id: id, row: nil, serial: 0)
    }
  }

  /// Attaches the handle to an object whose row was just found in a snapshot.
  package func attach(
    to context: ReadContext, binding: Unmanaged<ClassBinding>, id: UInt64,
    row: UnsafeRawPointer?, serial: UInt64
  ) {
    attach(
      toRetained: .passRetained(context), binding: binding, id: id, row: row, serial: serial)
  }

  /// Attaches the handle as ``attach(to:binding:id:row:serial:)`` does, and takes over a reference
  /// to the context.
  func attach(
    toRetained context: Unmanaged<ReadContext>, binding: Unmanaged<ClassBinding>, id: UInt64,
    row: UnsafeRawPointer?, serial: UInt64
  ) {
    assert(
      binding._withUnsafeGuaranteedRef { binding in
        context._withUnsafeGuaranteedRef { binding.mayBeKept(in: $0) }
      },
      "A handle that outlives its write must not use the class bindings of that write.")
    cachedRow.store(UInt(bitPattern: row), ordering: .relaxed)
    cachedSerial.store(row == nil ? 0 : serial, ordering: .relaxed)
    idBits.store(id, ordering: .relaxed)
    bindingBits.store(UInt(bitPattern: binding.toOpaque()), ordering: .relaxed)
    contextBits.store(UInt(bitPattern: context.toOpaque()), ordering: .releasing)
  }

  /// Attaches the handle to another object of the same class and context.
  ///
  /// - Precondition: The handle is attached, and no other thread can reach it.
  package func retie(id: UInt64, row: UnsafeRawPointer?, serial: UInt64) {
    idBits.store(id, ordering: .relaxed)
    cachedRow.store(UInt(bitPattern: row), ordering: .relaxed)
    cachedSerial.store(row == nil ? 0 : serial, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  package var isManaged: Bool { contextBits.load(ordering: .acquiring) != 0 }

  /// The context; nil while the object is unmanaged.
  package var context: ReadContext? {
    guard let pointer = UnsafeRawPointer(bitPattern: contextBits.load(ordering: .acquiring)) else {
      return nil
    }
    // Safe because an attached handle owns a reference until its deinit.
    return Unmanaged<ReadContext>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The context, without counting references; nil while the object is unmanaged. It exists as long
  /// as the handle.
  @inline(__always)
  var contextReference: Unmanaged<ReadContext>? {
    UnsafeRawPointer(bitPattern: contextBits.load(ordering: .acquiring)).map {
      Unmanaged.fromOpaque($0)
    }
  }

  /// The class; only for an attached handle.
  package var binding: ClassBinding {
    let pointer = UnsafeRawPointer(bitPattern: bindingBits.load(ordering: .relaxed))
    // Safe because `attach` stores the binding before the context, and the store keeps every
    // binding as long as it exists; the context retains the store.
    return Unmanaged<ClassBinding>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
  }

  package var id: UInt64 { idBits.load(ordering: .relaxed) }
}
