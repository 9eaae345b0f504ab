package import VarveCore
import VarveEncoding

extension List: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> List { stored(in: object, slot) }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: List) {
    target(in: object, slot, of: value)?.replaceContent(value.map(\._$boxed), [])
  }

  /// The value of a property without a declared default.
  public static func _$default() -> List { List() }
  /// The schema's description of the type.
  public static var _$type: _PropertyType { Element._$elementType.collection(.list) }
  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.collection(self)) }

  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> List { recording(recorder) }
}

extension List: _AnyCollection {
  package var unmanagedElements: [_Boxed] {
    // Specialized for the most frequent types: generic code looks up type metadata for each
    // element.
    @_specialize(where Element == Int)
    @_specialize(where Element == String)
    @_specialize(where Element == Double)
    get {
      // Not an iteration: its setup costs more than reading a short list.
      guard let elements = copiedElements else { return map { $0._$boxed } }
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
    let changed = unmanaged?.publish(handle, empty: [], changes: changes) {
      handle.attach(to: context, binding: binding, ownerID: ownerID, slot: slot)
    }
    return changed.map { elements in { self.replaceAll(with: elements) } }
  }

  /// The elements to iterate when they are not those of a snapshot; see
  /// ``CollectionHandle/copied(_:_:inWrite:)``.
  var copiedElements: [Element]? {
    handle.copied(unmanaged, { $0 }) {
      let source = source
      return (handle.elementsInWrite ?? []).map {
        Element._$unboxed(_Boxed($0), source) ?? Element._$missing(source)
      }
    }
  }
}

extension List: ThreadConfined {
  /// Returns the list, frozen at the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Precondition: The list is managed. Freezing an unmanaged list traps. Inside a write, where a
  ///   failed `create` returns unmanaged objects, it instead marks the transaction as failed with
  ///   `.unmanaged` and returns the list itself.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> List {
    frozen(CallSite(file, line), "Unmanaged lists cannot be frozen.", "List<\(Element.self)>")
  }

  /// Returns the live list; nil when the object that owns it no longer exists.
  public func thaw() -> List? { thawed() }

  /// Returns the same list in another realm of the same store; nil when its object does not exist
  /// there.
  public func _$resolved(in realm: Realm) -> List? { resolved(in: realm) }
}
