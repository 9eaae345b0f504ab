import VarveCore
import VarveEncoding

/// To-one links: a property of type `Dog?` is one.
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

  /// What the schema says of the optional type.
  public static var _$optionalType: _PropertyType {
    _PropertyType(PropertyKind(type: .link, isNullable: true), target: self)
  }

  /// The value without its type.
  public var _$boxed: _Boxed { _Boxed(.object(self)) }

  /// A value that records which properties are read from it.
  public static func _$recordingOptional(_ recorder: _KeyPathRecorder) -> Self? {
    _$recordingElement(recorder)
  }

  /// The handle to a linked object.
  ///
  /// `dynamicClass`: the object's class, asked for a ``DynamicObject``.
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

/// Objects in lists and maps.
extension ObjectBase: RealmCollectionValue {
  /// What the schema says of the type as an element.
  public static var _$elementType: _PropertyType {
    _PropertyType(PropertyKind(type: .link), target: self)
  }

  /// The typed value; nil when the box holds something else.
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

  /// What stands for an element that does not exist any more.
  public static func _$missing(_ source: _ReadSource?) -> Self {
    let object = self.init()
    if let source {
      // A token that is settled as rolled back makes the handle invalid for ever.
      let info = ClassInfo.of(self)
      object.handle.attach(
        to: source.context.invalidated(), binding: source.context.binding(for: info.description),
        id: info.description.hasIntegerPrimaryKey ? ObjectKey.objectID(forInteger: 0) : .max)
    }
    return object
  }

  /// A value that records which properties are read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> Self {
    let object = self.init()
    object.recorder = recorder.following(object)
    return object
  }
}
