import VarveEncoding
import VarveStorage

/// An iteration over the results of a query in one version.
///
/// Thread safety: none; each iteration makes its own.
package final class ObjectWalk {
  /// The cursor over the table of the class; nil when the ids are already known.
  @exclusivity(unchecked) private var leaves: LeafCursor?
  /// The current leaf.
  @exclusivity(unchecked) private var leaf: TableLeaf?
  private let ids: [UInt64]
  /// The next position in `leaf`, or in `ids`.
  @exclusivity(unchecked) private var position = 0
  private let context: ReadContext
  private let model: ClassDescription
  /// The binding of the class in the version that is read.
  private let binding: ClassBinding
  private let serial: UInt64
  /// Pins the pages that a scan reads.
  private let snapshot: Snapshot?

  package init(_ handle: ResultsHandle) {
    context = handle.context.forked()
    model = handle.query.model
    binding = context.binding(for: model)
    guard context.transaction == nil else {
      snapshot = nil
      serial = 0
      ids = handle.objectIDs
      return
    }
    handle.noteRead()
    let snapshot = context.snapshot
    self.snapshot = snapshot
    serial = snapshot.serial
    if handle.query.isWholeTable, !context.isInvalidated, let schema = binding.schema {
      ids = []
      leaves = snapshot.leaves(schema.table)
      leaf = leaves?.leaf
    } else {
      ids = handle.objectIDs(pinned: snapshot)
    }
  }

  /// Attaches a handle to the next object. The handle is empty, or this walk attached it before and
  /// only the caller can reach it.
  ///
  /// - Returns: False at the end; the handle is then unchanged.
  package func next(_ handle: borrowing RowHandle) -> Bool {
    handle.isManaged ? reattachNext(handle) : attachNext(handle)
  }

  /// Increments the reference count of an object that only the caller can reach, without an atomic
  /// operation.
  package static func retain(sole object: UnsafeMutableRawPointer) { SoleReference.retain(object) }

  private func attachNext(_ handle: borrowing RowHandle) -> Bool {
    guard let (id, row) = advance() else { return false }
    if let row {
      handle.attach(
        to: context, binding: .passUnretained(binding), id: id, row: row, serial: serial)
    } else {
      let attachment = context.attachment(forObject: id, model)
      handle.attach(to: attachment.context, binding: attachment.binding, id: id)
    }
    return true
  }

  private func reattachNext(_ handle: borrowing RowHandle) -> Bool {
    guard let (id, row) = advance() else { return false }
    handle.retie(id: id, row: row, serial: serial)
    return true
  }

  /// Whether handles may be reused for the next object. False inside a write, where their context
  /// depends on the object.
  package var mayReuseHandles: Bool { snapshot != nil }

  private func advance() -> (id: UInt64, row: UnsafeRawPointer?)? {
    if let leaf {
      if position < leaf.end, let (id, value) = leaf.plainRow(at: position) {
        position += 1
        return (id, binding.rowAddress(value))
      }
      return advanceToLeaf()
    }
    guard position < ids.count else { return nil }
    defer { position += 1 }
    return (ids[position], nil)
  }

  /// Returns the next row when it is in another leaf, or in a page of its own.
  @inline(never)
  private func advanceToLeaf() -> (id: UInt64, row: UnsafeRawPointer?)? {
    if position >= leaf?.end ?? 0 {
      guard leaves?.next() == true, let next = leaves?.leaf else { return nil }
      leaf = next
      position = next.start
    }
    guard let (id, value) = leaves?.entry(at: position) else {
      position = .max
      return nil
    }
    position += 1
    return (id, binding.rowAddress(value))
  }
}
