public import Synchronization
import VarveEncoding
import VarveStorage

/// What ties an object handle to a stored row: the context, the class, the object id, and the row's
/// address in the snapshot that was read last.
///
/// A handle begins empty (an unmanaged object) and is tied once, by one atomic store; it is never
/// untied. The cached address is tagged with the serial number of its snapshot, so that a read needs
/// a lookup only once in each version.
///
/// Thread safety: any thread may read through it while its view moves; a hazard announcement keeps
/// the pages alive meanwhile. No user code runs between announcing and withdrawing.
@usableFromInline
package struct RowHandle: ~Copyable, Sendable {
  /// The retained `ReadContext`; 0 while the object is unmanaged. Written last, with release order.
  @usableFromInline let contextBits = Atomic<UInt>(0)
  /// The `ClassBinding`, not retained: the store keeps every binding.
  let bindingBits = Atomic<UInt>(0)
  let idBits = Atomic<UInt64>(0)
  /// The serial number of the snapshot that `cachedRow` belongs to; `RowHandle.locked` while it is
  /// being replaced.
  let cachedSerial = Atomic<UInt64>(0)
  let cachedRow = Atomic<UInt>(0)

  @inlinable static var locked: UInt64 { .max }

  package init() {}

  deinit {
    let bits = contextBits.load(ordering: .acquiring)
    if let pointer = UnsafeRawPointer(bitPattern: bits) {
      // Safe because `tie` retained the context once, and only a deinit gives it back.
      Unmanaged<ReadContext>.fromOpaque(pointer).release()
    }
  }

  /// Ties the handle to a stored object.
  ///
  /// - Precondition: the handle is empty and no other thread ties it.
  package func attach(to context: ReadContext, binding: ClassBinding, id: UInt64) {
    attach(to: context, binding: .passUnretained(binding), id: id, row: nil, serial: 0)
  }

  /// As ``attach(to:binding:id:)``, of a context and a class that the caller knows to live.
  @inline(__always)
  package func attach(
    to context: Unmanaged<ReadContext>, binding: Unmanaged<ClassBinding>, id: UInt64
  ) {
    context._withUnsafeGuaranteedRef {
      attach(to: $0, binding: binding, id: id, row: nil, serial: 0)
    }
  }

  /// Ties the handle to an object whose row was just found in a snapshot.
  package func attach(
    to context: ReadContext, binding: Unmanaged<ClassBinding>, id: UInt64,
    row: UnsafeRawPointer?, serial: UInt64
  ) {
    attach(
      toRetained: .passRetained(context), binding: binding, id: id, row: row, serial: serial)
  }

  /// As ``attach(to:binding:id:row:serial:)``, and takes over a reference to the context.
  func attach(
    toRetained context: Unmanaged<ReadContext>, binding: Unmanaged<ClassBinding>, id: UInt64,
    row: UnsafeRawPointer?, serial: UInt64
  ) {
    assert(
      binding._withUnsafeGuaranteedRef { binding in
        context._withUnsafeGuaranteedRef { binding.mayBeKept(in: $0) }
      },
      "A handle that outlives its write must not know the classes as that write does.")
    cachedRow.store(UInt(bitPattern: row), ordering: .relaxed)
    cachedSerial.store(row == nil ? 0 : serial, ordering: .relaxed)
    idBits.store(id, ordering: .relaxed)
    bindingBits.store(UInt(bitPattern: binding.toOpaque()), ordering: .relaxed)
    contextBits.store(UInt(bitPattern: context.toOpaque()), ordering: .releasing)
  }

  /// Ties the handle to another object of the same class and context.
  ///
  /// - Precondition: the handle is tied, and no other thread can reach it.
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
    // Safe because a tied handle holds a reference until its deinit.
    return Unmanaged<ReadContext>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The context, without counting references; nil while the object is unmanaged. It lives as long as the handle.
  @inline(__always)
  var contextReference: Unmanaged<ReadContext>? {
    UnsafeRawPointer(bitPattern: contextBits.load(ordering: .acquiring)).map {
      Unmanaged.fromOpaque($0)
    }
  }

  /// The class; only for a tied handle.
  package var binding: ClassBinding {
    let pointer = UnsafeRawPointer(bitPattern: bindingBits.load(ordering: .relaxed))
    // Safe because `tie` stores the binding before the context, and the store keeps every binding
    // as long as it lives; the context keeps the store.
    return Unmanaged<ClassBinding>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
  }

  package var id: UInt64 { idBits.load(ordering: .relaxed) }
}
