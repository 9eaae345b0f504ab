package import VarveCore
import VarveEncoding

extension Map: Sequence {
  /// Returns an iterator over the entries of the version that is read now, in the order of the
  /// keys.
  ///
  /// - Complexity: O(log n), and amortized O(1) per entry; inside a write O(n), because the map may
  ///   change during the iteration.
  public func makeIterator() -> MapIterator<Key, Value> { MapIterator(self) }

  /// Returns the key-value pairs of the version that is read now, in the order of the keys.
  ///
  /// - Complexity: O(n).
  public func asKeyValueSequence() -> [Element] {
    var entries: [Element] = []
    entries.reserveCapacity(roomForElements(count))
    for entry in self { entries.append(entry) }
    return entries
  }

  /// Calls a closure for each entry of the version that is read now, in the order of the keys,
  /// until the closure stops the enumeration.
  ///
  /// Inside a write, the closure may change the map. The enumeration continues over the entries
  /// that existed at its start.
  ///
  /// - Parameter body: The closure. It receives the key, the value, and an inout flag that ends the
  ///   enumeration when set to `true`.
  /// - Throws: The error that the closure throws.
  /// - Complexity: O(log n), and amortized O(1) per entry passed to the closure; inside a write
  ///   O(n).
  public func enumerate(
    _ body: (_ key: Key, _ value: Value, _ stop: inout Bool) throws -> Void
  ) rethrows {
    var stop = false
    for (key, value) in self {
      try body(key, value, &stop)
      if stop { return }
    }
  }
}

extension Map: Hashable {
  /// Returns whether two maps are the same: the same property of the same object in the same state,
  /// live or frozen at the same version. Two unmanaged maps are equal when their entries are equal.
  /// A managed and an unmanaged map are never equal.
  ///
  /// - Complexity: O(1); O(n) for unmanaged maps.
  public static func == (left: Map, right: Map) -> Bool {
    if left === right || left.handle.isSame(as: right.handle) { return true }
    guard !left.handle.isManaged, !right.handle.isManaged else { return false }
    return Value.self == AnyRealmValue.self
      ? NestedEquality.areEqual(left, right)
      : left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
  }

  /// Hashes the identity of a managed map, or the number of entries of an unmanaged one.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension Map: CustomStringConvertible {
  /// The first 100 entries, each on a line; `[:]` for an empty map.
  public var description: String {
    let entries = storedEntries
    return CollectionText.text(
      "Map<String, \(Value.self)>", entries, count: entries.count, empty: "[:]"
    ) { "\($0.key.debugDescription): \($0.value._$boxed.text)" }
  }
}

extension Map: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> Map { stored(in: object, slot) }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: Map) {
    target(in: object, slot, of: value)?.setAll(value.storedEntries, replacing: true)
  }

  /// The value of a property without a declared default.
  public static func _$default() -> Map { Map() }
  /// The schema's description of the type.
  public static var _$type: _PropertyType { Value._$elementType.collection(.dictionary) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.collection(self)) }

  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> Map { recording(recorder) }
}

extension Map: _AnyCollection {
  package var isDictionary: Bool { true }

  package func forEachBox(_ body: (_ key: String, _ box: _Boxed) throws -> Void) rethrows {
    for entry in storedEntries { try body(entry.key, entry.value._$boxed) }
  }

  package var unmanagedEntries: [(key: String, value: _Boxed)] {
    @_specialize(where Key == String, Value == Int)
    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Double)
    get {
      let entries = storedEntries
      var boxes: [(key: String, value: _Boxed)] = []
      boxes.reserveCapacity(entries.count)
      for (key, value) in entries { boxes.append((key, value._$boxed)) }
      return boxes
    }
  }

  package func replaceContent(
    _ elements: [_Boxed], _ entries: [(key: String, value: _Boxed)]
  ) {
    setAll(
      entries.compactMap { entry in
        Value._$unboxed(entry.value, source).map { (entry.key, $0) }
      }, replacing: true)
  }

  package func record(_ recorder: _KeyPathRecorder) { unmanaged?.recorder = recorder }
  package var unmanagedChanges: Int { unmanaged?.changes ?? 0 }

  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Double)
  package func publish(
    _ context: ReadContext, _ binding: ClassBinding, ownerID: UInt64, slot: Int, changes: Int
  ) -> (() -> Void)? {
    let changed = unmanaged?.publish(handle, empty: UnmanagedMap(), changes: changes) {
      handle.attach(to: context, binding: binding, ownerID: ownerID, slot: slot)
    }
    return changed.map { map in { self.setAll(map.entries, replacing: true) } }
  }
}

extension Map: ThreadConfined {
  /// Returns the map, frozen at the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Precondition: The map is managed. Freezing an unmanaged map traps. Inside a write, where a
  ///   failed `create` returns unmanaged objects, it instead marks the transaction as failed with
  ///   `.unmanaged` and returns the map itself.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> Map {
    frozen(
      CallSite(file, line), "Unmanaged maps cannot be frozen.", "Map<String, \(Value.self)>")
  }

  /// Returns the live map; nil when the object that owns it no longer exists.
  public func thaw() -> Map? { thawed() }

  /// Returns the same map in another realm of the same store; nil when its object does not exist
  /// there.
  public func _$resolved(in realm: Realm) -> Map? { resolved(in: realm) }
}
