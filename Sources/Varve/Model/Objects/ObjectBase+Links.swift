import VarveCore
import VarveEncoding

/// To-one links, which are properties of a type such as `Dog?`.
extension ObjectBase: _OptionalPersistable {
  /// Reads the property; nil for null.
  public static func _$getOptional(_ object: ObjectBase, _ slot: Int) -> Self? {
    guard object.handle.isManaged else {
      let box = object.unmanagedBox(slot)
      if let recorder = object.recorder {
        return recorder.hasAnswered ? nil : _$recordingOptional(recorder)
      }
      return box.object.flatMap(typed)
    }
    guard let id = object.handle.link(slot), let context = object.handle.context else { return nil }
    return linked(context, id) { object.handle.binding.model.linkedClass(ofSlot: slot) }
  }

  /// The schema's description of the optional type.
  public static var _$optionalType: _PropertyType {
    _PropertyType(PropertyKind(type: .link, isNullable: true), target: self)
  }

  /// The value as a type-erased box.
  public var _$boxed: _Boxed { _Boxed(.object(self)) }

  /// A value that records the properties read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? {
    _$recordingElement(recorder)
  }

  /// Returns the handle to a linked object.
  ///
  /// `dynamicClass`: returns the object's class. It is called for a ``DynamicObject`` only.
  @inline(__always)
  static func linked(
    _ context: ReadContext, _ id: UInt64, dynamicClass: () -> ClassDescription?
  ) -> Self? {
    guard let model = ClassInfo.description(of: self, dynamicClass: dynamicClass),
      let found = context.linkedObject(model, id: id)
    else { return nil }
    let object = self.init()
    found.attach(object.handle)
    return object
  }

  private static func typed<O: ObjectBase>(_ object: ObjectBase) -> O? { object as? O }
}

/// Objects as elements of lists and maps.
extension ObjectBase: RealmCollectionValue {
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType {
    _PropertyType(PropertyKind(type: .link), target: self)
  }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> Self? {
    switch boxed.content {
    case .object(let object): typed(object)
    case .value(.link(let classID, let id)):
      source.flatMap { source in
        linked(source.context, id) { source.context.dynamicModel(ofClass: classID) }
      }
    default: nil
    }
  }

  /// A placeholder for an element that no longer exists.
  public static func _$missing(_ source: _ReadSource?) -> Self {
    let object = self.init()
    if let source {
      // The context's transaction outcome is rolled back, which invalidates the handle permanently.
      let info = ClassInfo.of(self)
      object.handle.attach(
        to: source.context.invalidated(), binding: source.context.binding(for: info.description),
        id: info.description.hasIntegerPrimaryKey ? ObjectKey.objectID(forInteger: 0) : .max)
    }
    return object
  }

  /// A value that records the properties read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self {
    let object = self.init()
    object.recorder = recorder.following(object)
    return object
  }
}
