import VarveEncoding
import VarveStorage

/// A walk over the results of a query in one version.
///
/// Thread safety: none; each walk makes its own.
package final class ObjectWalk {
  /// Walks the table of the class; nil when the ids are at hand.
  @exclusivity(unchecked) private var leaves: LeafCursor?
  /// The leaf that the walk is in.
  @exclusivity(unchecked) private var leaf: TableLeaf?
  private let ids: [UInt64]
  /// The next place in `leaf`, or in `ids`.
  @exclusivity(unchecked) private var place = 0
  private let context: ReadContext
  private let model: ClassDescription
  /// The class as the version has it that is walked.
  private let binding: ClassBinding
  private let serial: UInt64
  /// Keeps the pages that a scan walks.
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

  /// Ties a handle to the next object: an empty one, or one that this walk tied before and that nobody
  /// else can reach.
  ///
  /// - Returns: false at the end; the handle then stays as it was.
  package func next(_ handle: borrowing RowHandle) -> Bool {
    handle.isManaged ? retieNext(handle) : tieNext(handle)
  }

  /// Counts one more reference to an object that only the caller can reach, without an atomic operation.
  package static func retain(sole object: UnsafeMutableRawPointer) { SoleReference.retain(object) }

  private func tieNext(_ handle: borrowing RowHandle) -> Bool {
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

  private func retieNext(_ handle: borrowing RowHandle) -> Bool {
    guard let (id, row) = advance() else { return false }
    handle.retie(id: id, row: row, serial: serial)
    return true
  }

  /// Whether handles may be used again for the next object: not inside a write, where their context
  /// depends on the object.
  package var mayReuseHandles: Bool { snapshot != nil }

  private func advance() -> (id: UInt64, row: UnsafeRawPointer?)? {
    if let leaf {
      if place < leaf.end, let (id, value) = leaf.plainRow(at: place) {
        place += 1
        return (id, binding.rowAddress(value))
      }
      return advanceToLeaf()
    }
    guard place < ids.count else { return nil }
    defer { place += 1 }
    return (ids[place], nil)
  }

  /// The next row where it lies in another leaf, or in a page of its own.
  @inline(never)
  private func advanceToLeaf() -> (id: UInt64, row: UnsafeRawPointer?)? {
    if place >= leaf?.end ?? 0 {
      guard leaves?.next() == true, let next = leaves?.leaf else { return nil }
      leaf = next
      place = next.start
    }
    guard let (id, value) = leaves?.entry(at: place) else {
      place = .max
      return nil
    }
    place += 1
    return (id, binding.rowAddress(value))
  }
}
