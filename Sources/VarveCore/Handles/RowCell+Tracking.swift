import VarveStorage

extension RowCell {
  /// Notes that a property is read through a view.
  ///
  /// - Parameters:
  ///   - slot: the property, of a list or map its contents; nil: whether the object exists.
  ///   - context: of the read, which is not inside a transaction.
  /// - Precondition: the thread announces no snapshot.
  @inline(never)
  func noteRead(_ slot: Int?, _ context: ReadContext) {
    guard let tracking = context.noteUse() else { return }
    let model = binding.model
    let id = id
    tracking.note(
      slot.map { .property(model: model.modelIndex, slot: $0, id: id) }
        ?? .existence(model: model.modelIndex, id: id),
      TrackedContent(model: model))
  }
}

extension ReadContext {
  /// Notes that the view is in use.
  ///
  /// - Returns: what tracks its reads; nil for a view that tracks none, and for frozen handles.
  func noteUse() -> ReadTracking? {
    guard let pin = view?.pin else { return nil }
    pin.noteUse()
    return pin.tracking
  }

  /// Whether a read must be noted; see ``ViewPin/mustNoteRead``.
  @inline(__always)
  var mustNoteRead: Bool { hotPin?._withUnsafeGuaranteedRef { $0.mustNoteRead } ?? false }
}
