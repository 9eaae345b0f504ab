package import VarveCore
import VarveEncoding

extension List: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> List { stored(in: object, slot) }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: List) {
    target(in: object, slot, of: value)?.replaceContent(value.map(\._$boxed), [])
  }

  /// The value of a property that declares no default.
  public static func _$default() -> List { List() }
  /// What the schema says of the type.
  public static var _$type: _PropertyType { Element._$elementType.collection(.list) }
  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.collection(self)) }

  /// A value that records which properties are read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> List { recording(recorder) }
}

extension List: _AnyCollection {
  package var unmanagedElements: [_Boxed] {
    // Of the most frequent types apart: what is generic looks up types at each step.
    @_specialize(where Element == Int)
    @_specialize(where Element == String)
    @_specialize(where Element == Double)
    get {
      // Not a walk: what a walk asks first costs more than a short list.
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

  /// What a walk goes over that is not one of a version, see ``CollectionHandle/copied(_:_:inWrite:)``.
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
  /// The list pinned to the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  /// - Precondition: the list is managed. An unmanaged one traps; inside a write, where a failed `create` gives
  ///   unmanaged objects, it dooms the write with `.unmanaged` and is given back as it is.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> List {
    frozen(CallSite(file, line), "Unmanaged lists cannot be frozen.", "List<\(Element.self)>")
  }

  /// The live list; nil when its object does not exist any more.
  public func thaw() -> List? { thawed() }

  /// The same list in another realm of the same store; nil when its object does not exist there.
  public func _$resolved(in realm: Realm) -> List? { resolved(in: realm) }
}
