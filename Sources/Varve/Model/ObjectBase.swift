import Synchronization
package import VarveCore
package import VarveEncoding

/// The base of all model classes; use ``Object``.
///
/// Thread safety: any thread may use an object. A managed one reads its view or frozen version; the
/// state of an unmanaged one lies behind a lock.
open class ObjectBase: @unchecked Sendable {
  // Safe because the cell is made of atomics and the unmanaged state lies behind its lock.

  /// Ties the object to its row once it is managed.
  package final let cell = RowCell()
  /// Guards the values of an unmanaged object.
  private final let unmanaged = Mutex<UnmanagedState?>(nil)

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    @inlinable public static var _$owner: ObjectBase.Type { ObjectBase.self }
    @inlinable public static var _$base: Int { 0 }
  }

  /// Lists the persisted properties; generated code overrides it.
  open class func _$properties() -> [PropertyDescriptor] { [] }

  /// Makes an unmanaged object with the declared defaults.
  public required init() {}

  /// Reads a property; called by generated code.
  @inlinable
  public final func _$get<V: _Persistable>(_ slot: Int) -> V { V._$get(self, slot) }

  /// Sets a property; called by generated code.
  @inlinable
  public final func _$set<V: _Persistable>(_ slot: Int, _ value: V) { V._$set(self, slot, value) }

  /// Refuses a property whose type cannot be stored, with one clear message.
  @available(*, unavailable, message: "a value of this type cannot be persisted")
  @_disfavoredOverload
  public final func _$get<V>(_ slot: Int) -> V {
    preconditionFailure("Properties of this type cannot be persisted.")
  }

  package final var info: ClassInfo { ClassInfo.of(type(of: self)) }

  // MARK: Unmanaged state

  /// The value of an unmanaged object's property; what is unset gets its default first.
  package final func unmanagedBox(_ slot: Int) -> _Boxed {
    let box: _Boxed? = unmanaged.withLock { state in
      if cell.isTied { return nil }
      return UnmanagedState.ensured(&state, self).box(slot)
    }
    // Another thread added the object meanwhile.
    return box ?? info.properties[slot].read(self, slot)
  }

  /// As ``unmanagedBox(_:)``, for properties that are one value.
  package final func unmanagedValue(_ slot: Int) -> Value { unmanagedBox(slot).value ?? .null }

  /// Sets a property of a managed or an unmanaged object.
  public final func _$setBoxed(_ slot: Int, _ box: _Boxed) {
    if !cell.isTied {
      let wasSet = unmanaged.withLock { state in
        if cell.isTied { return false }
        UnmanagedState.ensured(&state, self).set(slot, box)
        return true
      }
      if wasSet { return }
    }
    setManaged(slot, box)
  }

  private func setManaged(_ slot: Int, _ box: _Boxed) {
    switch box.content {
    case .value(let value):
      cell.set(slot, value)
    case .object(let object):
      guard let (context, transaction) = cell.writing() else { return }
      transaction.attempt { () throws(Failure) in
        let link = try ObjectAdder(transaction, context).link(to: object)
        let (schema, property) = try cell.writable(slot, context, transaction)
        try transaction.set(schema, cell.id, property, link)
      }
    case .collection(let source):
      guard case .collection(let target) = info.properties[slot].read(self, slot).content else {
        return
      }
      guard source !== target, source.collectionCell !== target.collectionCell else { return }
      target.replaceContent(source.unmanagedElements, source.unmanagedEntries)
    case .unset:
      break
    }
  }

  /// What `ObjectAdder` stores: the values that are set, or all of them with their defaults.
  package final func unmanagedValues(onlySet: Bool) -> UnmanagedValues {
    unmanaged.withLock { state in
      let state = UnmanagedState.ensured(&state, self)
      let onlySet = onlySet || state.isPartial
      let boxes = state.values.indices.map { slot in
        onlySet ? state.values[slot] : state.box(slot)
      }
      return UnmanagedValues(boxes: boxes, failure: state.failure, changes: state.changes)
    }
  }

  /// Makes the object managed: one atomic publication. What another thread set since the values were
  /// taken is set once more, through the transaction.
  package final func publish(
    _ context: ReadContext, _ binding: ClassBinding, _ id: UInt64, taken: UnmanagedValues
  ) {
    let late: [(Int, _Boxed)] = unmanaged.withLock { state in
      cell.tie(to: context, binding: binding, id: id)
      defer { state = nil }
      guard let state, state.changes != taken.changes else { return [] }
      return state.values.indices.compactMap { slot in
        state.slotChanges[slot] > taken.changes ? (slot, state.values[slot]) : nil
      }
    }
    for (slot, box) in late { setManaged(slot, box) }
  }

  /// Notes what is wrong with an unmanaged object; the write that adds it throws it.
  package final func noteFailure(_ failure: Failure) {
    unmanaged.withLock { state in
      let state = UnmanagedState.ensured(&state, self)
      if state.failure == nil { state.failure = failure }
    }
  }

  /// The first thing noted as wrong with an unmanaged object.
  package final var notedFailure: Failure? { unmanaged.withLock { $0?.failure } }

  /// Marks an object made from a value: properties that the value lacks are left alone by an update.
  package final func markPartial() {
    unmanaged.withLock { UnmanagedState.ensured(&$0, self).isPartial = true }
  }

  /// The recorder of an object that a key path is evaluated on.
  package final var recorder: _KeyPathRecorder? {
    get { cell.isTied ? nil : unmanaged.withLock { $0?.recorder } }
    set { unmanaged.withLock { UnmanagedState.ensured(&$0, self).recorder = newValue } }
  }
}

/// The values of an unmanaged object.
///
/// Thread safety: none of its own; the object's lock guards it.
final class UnmanagedState: @unchecked Sendable {
  // Safe because it is touched only under the lock of the object that it belongs to.
  let info: ClassInfo
  var values: ContiguousArray<_Boxed>
  /// Counts the sets; a slot's own count says when it was set last.
  var changes: UInt32 = 0
  var slotChanges: ContiguousArray<UInt32>
  var failure: Failure?
  var isPartial = false
  var recorder: _KeyPathRecorder?

  private init(_ info: ClassInfo) {
    self.info = info
    values = ContiguousArray(repeating: .unset, count: info.properties.count)
    slotChanges = ContiguousArray(repeating: 0, count: info.properties.count)
  }

  static func ensured(_ state: inout UnmanagedState?, _ object: ObjectBase) -> UnmanagedState {
    if let state { return state }
    let made = UnmanagedState(ClassInfo.of(type(of: object)))
    state = made
    return made
  }

  func box(_ slot: Int) -> _Boxed {
    if let recorder { recorder.names.append(info.properties[slot].name) }
    if case .unset = values[slot].content {
      // Evaluated once: a `UUID()` stays what it is.
      values[slot] = info.properties[slot].makeDefault()
    }
    return values[slot]
  }

  func set(_ slot: Int, _ box: _Boxed) {
    values[slot] = box
    changes &+= 1
    slotChanges[slot] = changes
  }
}

/// What was taken from an unmanaged object to be stored.
package struct UnmanagedValues {
  var boxes: [_Boxed]
  var failure: Failure?
  var changes: UInt32
}
