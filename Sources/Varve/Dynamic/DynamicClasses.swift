package import VarveCore
import VarveEncoding

/// A class that the program does not declare, as the target of a link.
struct DynamicTarget: Sendable {
  let name: String
  /// The id of the class in the file.
  let classID: UInt32
  let info: @Sendable () -> ClassInfo
}

/// The identity of a stored class for programs that do not declare it. It consists of the class,
/// all classes that are connected to it by links, and the values that their properties read where
/// nothing is stored.
struct DynamicClassKey: Hashable, Sendable {
  let name: String
  let shape: SchemaHash
  /// The names of the properties. The shape does not include their order.
  let properties: [String]
  let constants: [Value]
}

extension _PropertyType {
  /// The name of the class that a link points to.
  var targetName: String? { dynamicTarget?.name ?? target.map { String(describing: $0) } }

  /// The class that a link points to.
  var targetInfo: ClassInfo? { dynamicTarget?.info() ?? target.map { ClassInfo.of($0) } }

  /// Whether a link may point to an object.
  func isTarget(_ object: ObjectBase) -> Bool {
    guard let dynamicTarget else { return type(of: object) == target }
    if object.info.name == dynamicTarget.name { return true }
    // A migration may have renamed the class since the object was read.
    return object is DynamicObject && object.handle.isManaged
      && object.handle.binding.schema?.id == dynamicTarget.classID
  }

  /// Returns an unmanaged object of the class that a link points to.
  func makeTarget(_ target: ObjectBase.Type) -> ObjectBase {
    dynamicTarget.map { DynamicObject($0.info()) } ?? target.init()
  }
}

extension ObjectBase {
  /// Returns an unmanaged object of the same class.
  func madeAlike() -> ObjectBase {
    self is DynamicObject ? DynamicObject(info) : type(of: self).init()
  }
}

extension ClassInfo {
  /// Returns the info of a stored class, derived from the file's schema.
  ///
  /// - Complexity: O(1), except for the first use of a class with a schema of the file.
  static func dynamic(_ schema: ClassSchema, in file: FileSchema) -> ClassInfo {
    of(
      file.dynamicModel(of: schema) {
        dynamic(
          DynamicClassKey(schema, in: file), properties(of: schema, in: file),
          isEmbedded: schema.record.isEmbedded
        ) { name in
          file.schema(named: name).map { dynamic($0, in: file).description }
        }.description
      })
  }

  private static func properties(
    of schema: ClassSchema, in file: FileSchema
  ) -> [PropertyDescriptor] {
    var properties: [PropertyDescriptor] = []
    for property in schema.properties where !property.isHidden {
      let linked = property.kind.type == .link ? file.schema(ofClass: property.linkedClassID) : nil
      let target = linked.map { linked in
        DynamicTarget(name: linked.name, classID: linked.id) { ClassInfo.dynamic(linked, in: file) }
      }
      properties.append(
        descriptor(
          of: property, property.kind.dynamicType, named: file.name(of: property, in: schema),
          slot: properties.count, target, className: schema.name))
    }
    return properties
  }

  private static func descriptor<V: _Persistable>(
    of property: StoredProperty, _ type: V.Type, named name: String, slot: Int,
    _ target: DynamicTarget?, className: String
  ) -> PropertyDescriptor {
    let (kind, constant) = (property.kind, property.constant)
    let mayLackDefault = property.mayLackDefault
    return PropertyDescriptor(
      name: name, columnName: property.name, slot: slot,
      isPrimaryKey: property.isPrimaryKey, isAutoIncremented: property.isAutoIncremented,
      isIndexed: property.indexID != 0, keyPath: \DynamicObject.[name],
      type: _PropertyType(kind, dynamicTarget: target), originProperty: nil,
      isConstantDefault: !mayLackDefault, hasDefault: true,
      makeDefault: {
        guard kind.collection == .none else { return V._$default()._$boxed }
        let made = mayLackDefault ? UsedClasses.makeDefault(property, className) : nil
        return _Boxed(made ?? constant)
      },
      read: { object, slot in
        // A default that no program has made yet is null, also where the type has no null.
        if mayLackDefault, object.handle.isManaged, object.handle.exists,
          object.handle.value(slot).isNull
        {
          return .null
        }
        return V._$get(object, slot)._$boxed
      },
      valueType: V.self, chainedType: V.self, coding: PropertyCoding(V.self))
  }
}

extension FileSchema {
  /// Returns the model of a stored class, for programs that do not declare it.
  ///
  /// - Complexity: O(1), except for the first use of a class.
  package func model(of schema: ClassSchema) -> ClassDescription {
    ClassInfo.dynamic(schema, in: self).description
  }
}

extension DynamicClassKey {
  fileprivate init(_ schema: ClassSchema, in file: FileSchema) {
    let classes = file.classes(connectedTo: schema)
    name = schema.name
    shape = SchemaHash(of: classes.map { $0.hashed(in: file) })
    properties = classes.flatMap { schema in
      schema.properties.map { file.name(of: $0, in: schema) }
    }
    constants = classes.flatMap { $0.properties.map(\.constant) }
  }
}

extension ReadContext {
  /// The stored classes in the version of the context.
  var fileSchema: FileSchema { transaction?.schema ?? store.schema }

  /// Returns the class with an id, for programs that do not declare it.
  func dynamicModel(ofClass id: UInt32) -> ClassDescription? {
    let file = fileSchema
    return file.schema(ofClass: id).map { ClassInfo.dynamic($0, in: file).description }
  }

  /// Returns the class with a name, for programs that do not declare it.
  func dynamicModel(named name: String) -> ClassDescription? {
    let file = fileSchema
    return file.schema(named: name).map { ClassInfo.dynamic($0, in: file).description }
  }
}

extension CollectionHandle {
  /// Returns the class of the objects in the collection.
  func elementModel(_ type: ObjectBase.Type) -> ClassDescription {
    let description = ClassInfo.description(of: type) {
      owner.binding.model.linkedClass(ofSlot: slot)
    }
    return description?.takeUnretainedValue() ?? ClassInfo.of(type).description
  }
}
