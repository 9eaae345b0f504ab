import VarveStorage

extension RowHandle {
  /// Notes that a property is read through a view.
  ///
  /// - Parameters:
  ///   - slot: The property (for a list or map, its contents), or nil for the existence of the
  ///     object.
  ///   - context: The context of the read, which is not inside a transaction.
  /// - Precondition: The thread announces no snapshot.
  @inline(never)
  func noteRead(_ slot: Int?, _ context: ReadContext) {
    context.noteRead(binding.model, id, slot)
  }
}

extension ReadContext {
  /// Notes that a property of an object is read through the view; see ``RowHandle/noteRead(_:_:)``.
  func noteRead(_ model: ClassDescription, _ id: UInt64, _ slot: Int?) {
    guard let tracking = noteUse() else { return }
    tracking.note(
      slot.map { .property(model: model.modelIndex, slot: $0, id: id) }
        ?? .existence(model: model.modelIndex, id: id),
      TrackedContent(model: model))
  }

  /// Notes that the view is in use.
  ///
  /// - Returns: The tracking of its reads; nil for a view without tracking, and for frozen handles.
  func noteUse() -> ReadTracking? {
    guard let view else { return nil }
    view.noteUse()
    return view.pin.tracking
  }

  /// Whether a read must be noted; see ``ViewPin/mustNoteRead``.
  @inline(__always)
  var mustNoteRead: Bool { hotPin?._withUnsafeGuaranteedRef { $0.mustNoteRead } ?? false }
}
