package import VarveCore
import VarveEncoding

extension MutableSet: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> MutableSet {
    stored(in: object, slot)
  }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: MutableSet) {
    target(in: object, slot, of: value)?.replaceAll(with: Array(value))
  }

  /// The value of a property without a declared default.
  public static func _$default() -> MutableSet { MutableSet() }
  /// The schema's description of the type.
  public static var _$type: _PropertyType { Element._$elementType.collection(.set) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.collection(self)) }

  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> MutableSet { recording(recorder) }
}

extension MutableSet: _AnyCollection {
  package var unmanagedElements: [_Boxed] {
    @_specialize(where Element == Int)
    @_specialize(where Element == String)
    @_specialize(where Element == Double)
    get {
      guard let elements = unmanaged?.read(handle, { $0.elements }) else {
        return map { $0._$boxed }
      }
      return _Boxed.boxes(elements)
    }
  }

  package func replaceContent(
    _ elements: [_Boxed], _ entries: [(key: String, value: _Boxed)]
  ) {
    replaceAll(with: elements.compactMap { Element._$unboxed($0, source) })
  }

  package func record(_ recorder: _KeyPathRecorder) { unmanaged?.recorder = recorder }
  package var unmanagedChanges: Int { unmanaged?.changes ?? 0 }

  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  package func publish(
    _ context: ReadContext, _ binding: ClassBinding, ownerID: UInt64, slot: Int, changes: Int
  ) -> (() -> Void)? {
    let changed = unmanaged?.publish(handle, empty: UnmanagedSet(), changes: changes) {
      handle.attach(to: context, binding: binding, ownerID: ownerID, slot: slot)
    }
    guard var changed else { return nil }
    let elements = changed.elements
    return { self.replaceAll(with: elements) }
  }
}

extension MutableSet: ThreadConfined {
  /// Returns the set, frozen at the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Precondition: The set is managed. Freezing an unmanaged set traps. Inside a write, where a
  ///   failed `create` returns unmanaged objects, it instead marks the transaction as failed with
  ///   `.unmanaged` and returns the set itself.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> MutableSet {
    frozen(
      CallSite(file, line), "Unmanaged sets cannot be frozen.", "MutableSet<\(Element.self)>")
  }

  /// Returns the live set; nil when the object that owns it no longer exists.
  public func thaw() -> MutableSet? { thawed() }

  /// Returns the same set in another realm of the same store; nil when its object does not exist
  /// there.
  public func _$resolved(in realm: Realm) -> MutableSet? { resolved(in: realm) }
}
