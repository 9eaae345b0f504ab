import Synchronization
package import VarveCore
import VarveEncoding

/// The base of all model classes; use ``Object``.
///
/// Thread safety: any thread may use an object. A managed one reads its view or frozen version; the
/// state of an unmanaged one lies behind a lock.
open class ObjectBase: @unchecked Sendable {
  // Safe because the handle is made of atomics and the unmanaged state lies behind its lock.

  /// Ties the object to its row once it is managed.
  package final let handle = RowHandle()
  /// Guards `unmanaged`.
  private final let lock = BriefLock()
  /// The hash of the primary key as it was last, which a deleted object keeps. It takes no room beside the lock.
  final let keyHash = Atomic<UInt32>(0)
  /// The values of an unmanaged object; nil before the first of them is used, and for a managed one.
  @exclusivity(unchecked) private final var unmanaged: UnmanagedState?

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    /// The class that the enumeration belongs to.
    @inlinable public static var _$owner: ObjectBase.Type { ObjectBase.self }
    /// The number of inherited properties.
    @inlinable public static var _$base: Int { 0 }
  }

  /// Lists the persisted properties; generated code overrides it.
  open class func _$properties() -> [PropertyDescriptor] { [] }

  /// Lists the indexes that `@Model` declares; generated code overrides it.
  open class func _$indexes() -> [_ClassIndex] { [] }

  /// Makes an unmanaged object with the declared defaults.
  public required init() {}

  /// Reads a property; called by generated code.
  @inlinable
  public final func _$get<V: _Persistable>(_ slot: Int) -> V { V._$get(self, slot) }

  /// Sets a property; called by generated code.
  @inlinable
  public final func _$set<V: _Persistable>(_ slot: Int, _ value: V) { V._$set(self, slot, value) }

  /// Refuses a property whose type cannot be stored, with one clear message.
  // swift-format-ignore
  @available(
    *, unavailable,
    message:
      "a property of this type cannot be persisted; use Bool, Int, Int8 to Int64, Float, Double, String, Data, Date, UUID, ObjectId, Decimal128, AnyRealmValue, a type that conforms to PersistableEnum or CustomPersistable, an optional of one of these or of an Object class, List, MutableSet, Map or LinkingObjects"
  )
  @_disfavoredOverload
  public final func _$get<V>(_ slot: Int) -> V {
    preconditionFailure("Properties of this type cannot be persisted.")
  }

  // MARK: What a class says of its properties

  /// The name of the primary key's property; nil for none. `@Persisted(primaryKey: true)` says the same.
  ///
  /// A name that is no persisted property of the class, or another one than a property marked so, is refused with
  /// `.invalidSchema`.
  open class func primaryKey() -> String? { nil }

  /// The names of properties with an index. `@Persisted(indexed: true)` says the same.
  ///
  /// A name that is no persisted property of the class is refused with `.invalidSchema`.
  open class func indexedProperties() -> [String] { [] }

  /// The names of properties that are not persisted: those without `@Persisted`, which need not be named.
  ///
  /// A property with `@Persisted` that is named is refused with `.invalidSchema`.
  open class func ignoredProperties() -> [String] { [] }

  /// Values of properties that are not given any, by the names of the properties; they go before the defaults
  /// that the properties declare.
  ///
  /// It is asked for each object that is made, so that a value may be a new one each time. Values are of single
  /// properties that hold no objects, of the types that `init(value:)` takes. A name that is no persisted property,
  /// and a value that its property does not take, is refused with `.invalidSchema`.
  open class func defaultPropertyValues() -> [String: Any] { [:] }

  /// The names under which properties are stored, by the names that they have in Swift.
  ///
  /// Files, and the schemas of other programs, know the stored names. `init(value:)` and queries take either;
  /// where one name is the stored one of a property and the Swift one of another, queries mean the stored one, and
  /// `init(value:)` the Swift one. A name that is no persisted property of the class is refused with
  /// `.invalidSchema`.
  open class func propertiesMapping() -> [String: String] { [:] }

  package final var info: ClassInfo { ClassInfo.of(self) }

  // MARK: Unmanaged state

  deinit { unmanaged?.release() }

  private enum StateAnswer<Result> {
    case isManaged
    case isMissing
    case result(Result)
  }

  /// Calls `body` with the values of an unmanaged object, under the lock.
  ///
  /// - Returns: nil for a managed object.
  @inline(__always)
  @discardableResult
  private func withState<Result>(_ body: (UnmanagedState) -> Result) -> Result? {
    var info: Unmanaged<ClassInfo>?
    while true {
      let answer: StateAnswer<Result> = lock.withLock {
        if handle.isManaged { return .isManaged }
        if unmanaged == nil {
          guard let info = info ?? ClassInfo.known(self) else { return .isMissing }
          unmanaged = UnmanagedState(info)
        }
        guard let unmanaged else { return .isMissing }
        return .result(body(unmanaged))
      }
      switch answer {
      case .isManaged: return nil
      case .result(let result): return result
      // Outside of the lock: the first use of a class runs code of the model.
      case .isMissing: info = .passUnretained(self.info)
      }
    }
  }

  /// The value of an unmanaged object's property; what is unset gets its default first.
  package final func unmanagedBox(_ slot: Int) -> _Boxed {
    var box: _Boxed? = withState { $0.box(slot) }
    if case .unset? = box?.content { box = resolved(slot, info) }
    // Another thread added the object meanwhile.
    return box ?? info.properties[slot].read(self, slot)
  }

  /// The value of a property that gets its default now, unless it is set meanwhile; nil for a managed object.
  private func resolved(_ slot: Int, _ info: ClassInfo) -> _Boxed? {
    // Outside of the lock: it may be code of the model, which may read and set properties of the object.
    let property = info.properties[slot]
    if property.originProperty != nil { return .unset }
    let initial = property.makeDefault()
    return withState { $0.resolve(slot, initial) }
  }

  /// Sets a property of a managed or an unmanaged object.
  public final func _$setBoxed(_ slot: Int, _ box: consuming _Boxed) {
    guard !handle.isManaged else { return setManaged(slot, box) }
    var box = box
    // The old value ends outside of the lock: an object that does so may run code of the model.
    if withState({ $0.exchange(slot, &box) }) == nil { setManaged(slot, box) }
  }

  private func setManaged(_ slot: Int, _ box: _Boxed) {
    switch box.content {
    case .value(let value):
      handle.set(slot, value)
    case .object(let object):
      guard let (context, transaction) = handle.writing(slot) else { return }
      transaction.attempt { () throws(Failure) in
        try Failure.putting(in: handle.propertyName(slot), of: info.name) { () throws(Failure) in
          let link = try ObjectAdder.link(to: object, transaction, context)
          let (schema, property) = try handle.writable(slot, context, transaction)
          try transaction.set(schema, handle.id, property, link)
        }
      }
    case .collection where info.properties[slot].type.kind.collection == .none:
      guard let (context, transaction) = handle.writing(slot) else { return }
      transaction.attempt { () throws(Failure) in
        try Failure.putting(in: handle.propertyName(slot), of: info.name) { () throws(Failure) in
          let content = try ObjectAdder.content(of: box, transaction, context)
          let (schema, property) = try handle.writable(slot, context, transaction)
          let value = try transaction.stored(content, schema, handle.id, property)
          try transaction.set(schema, handle.id, property, value)
        }
      }
    case .collection(let source):
      guard case .collection(let target) = info.properties[slot].read(self, slot).content else {
        return
      }
      guard source !== target, source.handle !== target.handle else { return }
      target.replaceContent(source.unmanagedElements, source.unmanagedEntries)
    case .unset:
      break
    }
  }

  /// What `ObjectAdder` updates a row with: all values with their defaults; of an object made from a value those that were
  /// set.
  package final func unmanagedValues() -> UnmanagedValues {
    if withState({ $0.notes?.isPartial }) != true { resolveDefaults { _ in true } }
    if let values = withState({ $0.copy() }) { return values }
    // Another thread made the object managed meanwhile.
    let state = UnmanagedState(.passUnretained(info))
    defer { state.release() }
    return state.copy()
  }

  /// Gives every property that was not set its default, but for collections that are empty then: after that reading
  /// them runs no code of the model.
  final func evaluateDefaults() {
    resolveDefaults { $0.type.kind.collection == .none || $0.hasDefault }
  }

  private func resolveDefaults(_ isWanted: (PropertyDescriptor) -> Bool) {
    guard withState({ $0.resolveConstants() }) == true else { return }
    var start = 0
    while true {
      guard case .some(let slot?) = withState({ $0.unsetSlot(from: start, isWanted) })
      else { return }
      _ = resolved(slot, info)
      start = slot + 1
    }
  }

  /// Makes the object managed: one atomic publication.
  ///
  /// - Returns: what sets once more, through the transaction, what others set since the values were taken;
  ///   nil when they set nothing.
  package final func publish(
    _ context: ReadContext, _ binding: ClassBinding, _ id: UInt64
  ) -> (() -> Void)? {
    let held: UnmanagedState? = lock.withLock {
      handle.attach(to: context, binding: binding, id: id)
      defer { unmanaged = nil }
      return unmanaged
    }
    // Nobody else has the values any more.
    guard let held else { return nil }
    defer { held.release() }
    guard let slots = held.notes?.lateSlots, !slots.isEmpty else { return nil }
    let late = slots.sorted().map { ($0, held.values[$0]) }
    return { [self] in for (slot, box) in late { setManaged(slot, box) } }
  }

  /// Stores the object by `store`, which is given the values and gives the id, and makes it managed, all under the
  /// object's lock.
  ///
  /// - Returns: the id; nil, and nothing was done, when a default is to be evaluated first, see ``evaluateDefaults()``,
  ///   and for a managed object.
  @inline(__always)
  final func publish(
    _ context: Unmanaged<ReadContext>, _ binding: Unmanaged<ClassBinding>,
    _ store: (UnsafeMutablePointer<_Boxed>) throws(Failure) -> UInt64
  ) throws(Failure) -> UInt64? {
    var id: UInt64 = 0
    let stored: UnmanagedState? = try lock.withLock { () throws(Failure) in
      if handle.isManaged { return nil }
      if unmanaged == nil { unmanaged = ClassInfo.known(self).map(UnmanagedState.init) }
      guard let state = unmanaged else { return nil }
      if let failure = state.notes?.failure { throw failure }
      if state.lacksValues { return nil }
      id = try store(state.values)
      handle.attach(to: context, binding: binding, id: id)
      unmanaged = nil
      return state
    }
    guard let stored else { return nil }
    // Outside of the lock: the end of a value may run code that others have given it.
    stored.release()
    return id
  }

  /// Notes from now on which properties of an unmanaged object are set.
  ///
  /// - Throws: what was noted as wrong with the object.
  final func beginStoring() throws(Failure) {
    let failure = withState { state in
      state.beginStoring()
      return state.notes?.failure
    }
    if case .some(let failure?) = failure { throw failure }
  }

  /// The links, mixed values and collections of an unmanaged object, in the order of the slots.
  final var boxesToStore: [(slot: Int, box: _Boxed)] { withState(\.boxesToStore) ?? [] }

  /// Calls `body` with the values of an unmanaged object that is being stored, under its lock.
  final func withValues(
    _ body: (UnsafeMutablePointer<_Boxed>) throws(Failure) -> Void
  ) throws(Failure) {
    let isUnmanaged = try lock.withLock { () throws(Failure) in
      guard !handle.isManaged, let unmanaged else { return false }
      try body(unmanaged.values)
      return true
    }
    guard isUnmanaged else {
      throw Failure(
        .foreignObject, "Another thread added the object to another store meanwhile.",
        className: info.name)
    }
  }

  /// Notes what is wrong with an unmanaged object; the write that adds it throws it.
  package final func noteFailure(_ failure: Failure) {
    withState { state in
      let notes = state.makeNotes()
      if notes.failure == nil { notes.failure = failure }
    }
  }

  /// The first thing noted as wrong with an unmanaged object.
  package final var notedFailure: Failure? { lock.withLock { unmanaged?.notes?.failure } }

  /// Marks an object made from a value: properties that the value lacks are left alone by an update.
  package final func markPartial() {
    withState { $0.makeNotes().isPartial = true }
  }

  /// The recorder of an object that a key path is evaluated on.
  package final var recorder: _KeyPathRecorder? {
    get { handle.isManaged ? nil : lock.withLock { unmanaged?.notes?.recorder } }
    set { withState { $0.makeNotes().recorder = newValue } }
  }
}
