import Synchronization
package import VarveCore
import VarveEncoding
import VarveLocks

/// The base class of all model classes. Subclass ``Object`` or ``EmbeddedObject`` instead.
///
/// Thread safety: see ``Object``.
open class ObjectBase: @unchecked Sendable {
  // Safe because the handle consists of atomics and a lock guards the unmanaged state.

  /// Attaches the object to its row once it is managed.
  package final let handle = RowHandle()
  /// Guards `unmanaged`.
  private final let lock = BriefLock()
  /// The last hash of the primary key, which a deleted object keeps. It takes no space, because it
  /// fits next to the lock.
  final let keyHash = Atomic<UInt32>(0)
  /// The values of an unmanaged object; nil before the first value is used, and for a managed
  /// object.
  @exclusivity(unchecked) private final var unmanaged: UnmanagedState?

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    /// The class that the enumeration belongs to.
    @inlinable public static var _$owner: ObjectBase.Type { ObjectBase.self }
    /// The number of inherited properties.
    @inlinable public static var _$base: Int { 0 }
  }

  /// Lists the persisted properties. Generated code overrides it.
  open class func _$properties() -> [PropertyDescriptor] { [] }

  /// Lists the indexes declared with `@Model`. Generated code overrides it.
  open class func _$indexes() -> [_ClassIndex] { [] }

  /// Adds the names under which the properties are coded. Generated code overrides it.
  open class func _$codingNames(_ names: inout _CodingNames) {}

  /// Creates an unmanaged object with the declared defaults.
  public required init() {}

  /// Reads a property. Called by generated code.
  @inlinable
  public final func _$get<V: _Persistable>(_ slot: Int) -> V { V._$get(self, slot) }

  /// Sets a property. Called by generated code.
  @inlinable
  public final func _$set<V: _Persistable>(_ slot: Int, _ value: V) { V._$set(self, slot, value) }

  /// Reports a property whose type cannot be stored with a single compiler message.
  // swift-format-ignore
  @available(
    *, unavailable,
    message:
      "a property of this type cannot be persisted; use Bool, Int, Int8 to Int64, Float, Double, String, Data, Date, UUID, ObjectId, Decimal128, AnyRealmValue, a type that conforms to PersistableEnum or CustomPersistable, an optional of one of these or of an Object class, List, MutableSet, Map or LinkingObjects"
  )
  @_disfavoredOverload
  public final func _$get<V>(_ slot: Int) -> V {
    Misuse.trap("Properties of this type cannot be persisted.")
  }

  // MARK: Declarations of properties

  /// Returns the name of the primary key, or nil for a class without one. Equivalent to
  /// `@Persisted(primaryKey: true)`.
  ///
  /// The class is rejected with `.invalidSchema` when it has no persisted property with this name,
  /// or when another property is marked as the primary key.
  open class func primaryKey() -> String? { nil }

  /// Returns the names of indexed properties. Equivalent to `@Persisted(indexed: true)`.
  ///
  /// The class is rejected with `.invalidSchema` when it has no persisted property with one of
  /// these names.
  open class func indexedProperties() -> [String] { [] }

  /// Returns the names of properties that are not persisted. Properties without `@Persisted` are
  /// never persisted and need not be listed.
  ///
  /// The class is rejected with `.invalidSchema` when one of these properties has `@Persisted`.
  open class func ignoredProperties() -> [String] { [] }

  /// Returns default values by the names of the properties. They take precedence over the defaults
  /// declared by the properties.
  ///
  /// The method is called for each object that is created, and may return other values each time.
  /// Only properties with a single value that is not an object can have such defaults, of the types
  /// that ``init(value:)`` accepts. The class is rejected with `.invalidSchema` when it has no
  /// persisted property with one of these names, or when a property does not accept its value.
  open class func defaultPropertyValues() -> [String: Any] { [:] }

  /// Returns the stored names of properties, by their declared names: those in Swift.
  ///
  /// A name that is given as text to an object or a collection of the class is the declared one: in
  /// predicates, sort orders, key paths, ``init(value:)`` and ``value(forKey:)``. The stored name
  /// is unknown there, unless another property has it as its declared name. Files, JSON Lines,
  /// ``DynamicObject`` and other programs use the stored names. The class is rejected with
  /// `.invalidSchema` when it has no persisted property with one of these names.
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
  /// - Returns: The result of `body`, or nil for a managed object.
  @inline(__always)
  @discardableResult
  private func withState<Result>(_ body: (UnmanagedState) -> Result) -> Result? {
    var info: Unmanaged<ClassInfo>?
    while true {
      let answer: StateAnswer<Result> = lock.withLock {
        if handle.isManaged { return .isManaged }
        if unmanaged == nil {
          guard let info = info ?? ClassInfo.registered(self) else { return .isMissing }
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

  /// Returns the value of an unmanaged object's property, after setting an unset value to its
  /// default.
  package final func unmanagedBox(_ slot: Int) -> _Boxed {
    var box: _Boxed? = withState { $0.box(slot) }
    if case .unset? = box?.content { box = resolved(slot, info) }
    // Another thread added the object concurrently.
    return box ?? info.properties[slot].read(self, slot)
  }

  /// Sets a property to its default unless it has been set concurrently, and returns its value.
  /// Returns nil for a managed object.
  private func resolved(_ slot: Int, _ info: ClassInfo) -> _Boxed? {
    // Outside of the lock: the default may run code of the model, which may read and set properties
    // of the object.
    let property = info.properties[slot]
    if property.originProperty != nil { return .unset }
    let initial = property.makeDefault()
    return withState { $0.resolve(slot, initial) }
  }

  /// Sets a property of a managed or an unmanaged object.
  public final func _$setBoxed(_ slot: Int, _ box: consuming _Boxed) {
    guard !handle.isManaged else { return setManaged(slot, box) }
    var box = box
    // The old value is released outside of the lock, because releasing an object may run code of
    // the model.
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

  /// The values that `ObjectAdder` updates a row with: all values with their defaults or, for an
  /// object created from a value, the values that were set.
  package final func unmanagedValues() -> UnmanagedValues {
    if withState({ $0.notes?.isPartial }) != true { resolveDefaults { _ in true } }
    if let values = withState({ $0.copy() }) { return values }
    // Another thread made the object managed concurrently.
    let state = UnmanagedState(.passUnretained(info))
    defer { state.release() }
    return state.copy()
  }

  /// Sets every unset property to its default, except collections whose default is empty.
  /// Afterwards, reading these properties runs no code of the model.
  final func evaluateDefaults() {
    resolveDefaults { $0.type.kind.collection == .none || $0.hasDefault }
  }

  private func resolveDefaults(_ isIncluded: (PropertyDescriptor) -> Bool) {
    guard withState({ $0.resolveConstants() }) == true else { return }
    var start = 0
    while true {
      guard case .some(let slot?) = withState({ $0.unsetSlot(from: start, isIncluded) })
      else { return }
      _ = resolved(slot, info)
      start = slot + 1
    }
  }

  /// Makes the object managed, atomically.
  ///
  /// - Returns: A closure that repeats, in the transaction, the assignments that other threads made
  ///   after the values were copied; nil when there were none.
  package final func publish(
    _ context: ReadContext, _ binding: ClassBinding, _ id: UInt64
  ) -> (() -> Void)? {
    let state: UnmanagedState? = lock.withLock {
      handle.attach(to: context, binding: binding, id: id)
      defer { unmanaged = nil }
      return unmanaged
    }
    // No other thread can access the values any more.
    guard let state else { return nil }
    defer { state.release() }
    guard let slots = state.notes?.lateSlots, !slots.isEmpty else { return nil }
    let late = slots.sorted().map { ($0, state.values[$0]) }
    return { [self] in for (slot, box) in late { setManaged(slot, box) } }
  }

  /// Stores the object with `store`, which receives the values and returns the id, and makes it
  /// managed, all under the object's lock.
  ///
  /// - Returns: The id. Returns nil without effect for a managed object, and when a default must be
  ///   evaluated first; see ``evaluateDefaults()``.
  @inline(__always)
  final func publish(
    _ context: Unmanaged<ReadContext>, _ binding: Unmanaged<ClassBinding>,
    _ store: (UnsafeMutablePointer<_Boxed>) throws(Failure) -> UInt64
  ) throws(Failure) -> UInt64? {
    var id: UInt64 = 0
    let stored: UnmanagedState? = try lock.withLock { () throws(Failure) in
      if handle.isManaged { return nil }
      if unmanaged == nil { unmanaged = ClassInfo.registered(self).map(UnmanagedState.init) }
      guard let state = unmanaged else { return nil }
      if let failure = state.notes?.failure { throw failure }
      if state.lacksValues { return nil }
      id = try store(state.values)
      handle.attach(to: context, binding: binding, id: id)
      unmanaged = nil
      return state
    }
    guard let stored else { return nil }
    // Outside of the lock: releasing a value may run code of the program.
    stored.release()
    return id
  }

  /// Starts recording which properties of an unmanaged object are set.
  ///
  /// - Throws: The failure recorded for the object.
  final func beginStoring() throws(Failure) {
    let failure = withState { state in
      state.beginStoring()
      return state.notes?.failure
    }
    if case .some(let failure?) = failure { throw failure }
  }

  /// The links, mixed values and collections of an unmanaged object, in the order of the slots.
  final var boxesToStore: [(slot: Int, box: _Boxed)] { withState(\.boxesToStore) ?? [] }

  /// Whether a property of an unmanaged object has not been set.
  final func isUnset(_ slot: Int) -> Bool { withState { $0.values[slot].isUnset } ?? true }

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
        .foreignObject, "Another thread added the object to another store concurrently.",
        className: info.name)
    }
  }

  /// Records a failure of an unmanaged object, which the write that adds the object throws.
  package final func noteFailure(_ failure: Failure) {
    withState { state in
      let notes = state.makeNotes()
      if notes.failure == nil { notes.failure = failure }
    }
  }

  /// The first failure recorded for an unmanaged object.
  package final var notedFailure: Failure? { lock.withLock { unmanaged?.notes?.failure } }

  /// Marks an object created from a value. An update leaves properties that the value lacks
  /// unchanged.
  package final func markPartial() {
    withState { $0.makeNotes().isPartial = true }
  }

  /// The recorder of an object on which a key path is evaluated.
  package final var recorder: _KeyPathRecorder? {
    get { handle.isManaged ? nil : lock.withLock { unmanaged?.notes?.recorder } }
    set { withState { $0.makeNotes().recorder = newValue } }
  }
}
