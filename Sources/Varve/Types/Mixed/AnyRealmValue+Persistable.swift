import VarveCore
import VarveEncoding

extension AnyRealmValue: _Persistable {
  /// Reads the property.
  public static func _$get(_ object: ObjectBase, _ slot: Int) -> AnyRealmValue {
    guard object.handle.isManaged, let context = object.handle.context else {
      return _$unboxed(object.unmanagedBox(slot), nil) ?? .none
    }
    let property = _ReadSource.Property(
      binding: object.handle.binding, ownerID: object.handle.id, slot: slot)
    return AnyRealmValue(object.handle.value(slot), _ReadSource(context, property: property))
  }

  /// Sets the property.
  public static func _$set(_ object: ObjectBase, _ slot: Int, _ value: AnyRealmValue) {
    object._$setBoxed(slot, value._$boxed)
  }

  /// The value of a property without a declared default.
  public static func _$default() -> AnyRealmValue { .none }
  /// The schema's description of the type.
  public static var _$type: _PropertyType { _PropertyType(.mixed) }
  /// A value that records the properties read from it.
  public static func _$recording(_ recorder: _KeyPathRecorder) -> AnyRealmValue { .none }

  /// The value as a type-erased box.
  public var _$boxed: _Boxed {
    switch self {
    case .none: .null
    case .int(let value): value._$boxed
    case .bool(let value): value._$boxed
    case .float(let value): value._$boxed
    case .double(let value): value._$boxed
    case .string(let value): value._$boxed
    case .data(let value): value._$boxed
    case .date(let value): value._$boxed
    case .object(let object): object._$boxed
    case .objectId(let value): value._$boxed
    case .uuid(let value): value._$boxed
    case .decimal128(let value): value._$boxed
    case .list(let list): list._$boxed
    case .dictionary(let map): map._$boxed
    }
  }
}

extension AnyRealmValue: RealmCollectionValue {
  /// The schema's description of the type as an element.
  public static var _$elementType: _PropertyType { _$type }

  /// The typed value; nil when the box contains a value of another type.
  public static func _$unboxed(_ boxed: _Boxed, _ source: _ReadSource?) -> AnyRealmValue? {
    switch boxed.content {
    case .value(let value): AnyRealmValue(value, source)
    case .object(let object): (object as? Object).map(AnyRealmValue.object)
    case .collection(let collection):
      (collection as? List).map(AnyRealmValue.list)
        ?? (collection as? Map).map(AnyRealmValue.dictionary)
    case .unset: nil
    }
  }

  /// A placeholder for an element that no longer exists.
  public static func _$missing(_ source: _ReadSource?) -> AnyRealmValue { .none }
  /// A value that records the properties read from it.
  public static func _$recordingElement(_ recorder: _KeyPathRecorder) -> AnyRealmValue { .none }
}

extension AnyRealmValue {
  /// Creates a value from its stored form. An object becomes a ``DynamicObject`` when the program
  /// does not declare its class, and when the value is read from a ``DynamicObject``.
  init(_ value: VarveEncoding.Value, _ source: _ReadSource?) {
    switch value {
    case .null: self = .none
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(Int(truncatingIfNeeded: value))
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .objectId(let value): self = .objectId(ObjectId(value))
    case .decimal(let value): self = .decimal128(Decimal128(value))
    case .link(let classID, let id):
      let isDynamic = source?.property?.binding.model.isDynamic ?? false
      self =
        source?.context.object(id, ofClass: classID, isDynamic: isDynamic)
        .map(AnyRealmValue.object) ?? .none
    case .nested(let kind, let slot):
      guard let source, let property = source.property else {
        self = .none
        return
      }
      let handle = source.context.handle(
        of: NestedIdentity(id: slot.id, kind: kind), binding: property.binding,
        ownerID: property.ownerID, slot: property.slot)
      self = kind == .dictionary ? .dictionary(Map(handle: handle)) : .list(List(handle: handle))
    }
  }
}

extension ReadContext {
  /// Returns an object of any class. It is a ``DynamicObject`` when the program does not declare
  /// the class, or declares it with other types.
  ///
  /// `isDynamic`: whether it is a ``DynamicObject`` in any case.
  fileprivate func object(
    _ id: UInt64, ofClass classID: UInt32, isDynamic: Bool
  ) -> Object? {
    let file = fileSchema
    guard let schema = file.schema(ofClass: classID) else { return nil }
    if isDynamic { return object(id, ClassInfo.dynamic(schema, in: file)) }
    let model = model(of: ClassInfo.named(schema.name).map(\.description))
    return model.flatMap { object(id, ClassInfo.of($0)) }
      ?? object(id, ClassInfo.dynamic(schema, in: file))
  }

  private func object(_ id: UInt64, _ info: ClassInfo) -> Object? {
    guard let type = info.type as? Object.Type,
      let found = linkedObject(.passUnretained(info.description), id: id)
    else { return nil }
    let object = type.init()
    found.attach(object.handle)
    return object
  }
}
