package import VarveCore
import VarveEncoding

extension Map: Sequence {
  /// Walks the entries in the version that is read now, in the order of the keys.
  ///
  /// - Complexity: O(log n), and O(1) amortised an entry; inside a write O(n), because the map may change meanwhile.
  public func makeIterator() -> MapIterator<Key, Value> { MapIterator(self) }

  /// The key and value pairs of the version that is read now, as `for entry in map` gives them.
  ///
  /// - Complexity: O(n).
  public func asKeyValueSequence() -> [Element] {
    var entries: [Element] = []
    entries.reserveCapacity(roomForElements(count))
    for entry in self { entries.append(entry) }
    return entries
  }

  /// Calls a closure for each entry of the version that is read now, in the order of the keys, until it says stop.
  ///
  /// The closure may change the map, inside a write: the walk goes on over the entries that there were.
  ///
  /// - Parameter body: is given the key, the value, and what to set to true to end the walk.
  /// - Throws: what the closure throws.
  /// - Complexity: O(log n), and O(1) amortised for each entry that the closure is given; inside a write O(n).
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
  /// Whether two handles stand for the same map; of unmanaged maps, whether the entries are equal. A managed and an
  /// unmanaged map never are.
  ///
  /// - Complexity: O(1); O(n) for unmanaged maps.
  public static func == (left: Map, right: Map) -> Bool {
    if left === right || left.handle.isSame(as: right.handle) { return true }
    guard !left.handle.isManaged, !right.handle.isManaged else { return false }
    return Value.self == AnyRealmValue.self
      ? NestedEquality.areEqual(left, right)
      : left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
  }

  /// Hashes the identity; of an unmanaged map, the number of its entries.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension Map: CustomStringConvertible {
  /// The first 100 entries, each on a line; `[:]` for none.
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

  /// The value of a property that declares no default.
  public static func _$default() -> Map { Map() }
  /// What the schema says of the type.
  public static var _$type: _PropertyType { Value._$elementType.collection(.dictionary) }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.collection(self)) }

  /// A value that records which properties are read from it.
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
  /// The map pinned to the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  /// - Precondition: the map is managed. An unmanaged one traps; inside a write, where a failed `create` gives
  ///   unmanaged objects, it dooms the write with `.unmanaged` and is given back as it is.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> Map {
    frozen(
      CallSite(file, line), "Unmanaged maps cannot be frozen.", "Map<String, \(Value.self)>")
  }

  /// The live map; nil when its object does not exist any more.
  public func thaw() -> Map? { thawed() }

  /// The same map in another realm of the same store; nil when its object does not exist there.
  public func _$resolved(in realm: Realm) -> Map? { resolved(in: realm) }
}
