@_spi(Reflection) import Swift
import Synchronization
package import VarveCore
import VarveEncoding

/// What is known of a model class: its properties, and the description that the core works with.
///
/// Thread safety: immutable; a lock guards the table of all classes.
package final class ClassInfo: Sendable {
  package let type: ObjectBase.Type
  package let name: String
  let properties: [PropertyDescriptor]
  private let slotByName: [String: Int]
  // Safe because key paths are immutable.
  nonisolated(unsafe) private let slotByKeyPath: [AnyKeyPath: Int]
  package let description: ClassDescription
  /// The description once more, for reads that must not count references.
  let descriptionReference: Unmanaged<ClassDescription>
  /// The defaults that are the same each time and no code of the model, by slot.
  let constantDefaults: [_Boxed?]
  /// Whether an object can be stored while a property has no value, by slot: an empty collection is stored as nothing.
  let needsNoValue: [Bool]
  /// Whether a value of an unmanaged object may be an object or a collection, or hold one.
  let mayHoldObjects: Bool
  /// Whether instances hold nothing but what `ObjectBase` declares.
  let hasOnlyPersistedState: Bool

  /// Asks for the fields of a class (`_EachFieldOptions.classType`).
  private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1) }

  private struct Known {
    var infos: [ObjectIdentifier: ClassInfo] = [:]
    var dynamic: [DynamicClassKey: ClassInfo] = [:]
    var byModelIndex: [ClassInfo] = []
    var byName: [String: [ClassInfo]] = [:]
  }
  /// Guards the classes that were used in this process.
  private static let known = Mutex(Known())

  /// The same classes, found without the lock.
  private static let table = ClassTable()

  /// The info of a class, made at its first use.
  package static func of(_ type: ObjectBase.Type) -> ClassInfo {
    table.info(of: ObjectIdentifier(type))?.takeUnretainedValue() ?? knownInfo(of: type)
  }

  /// The description of a class, without counting references: it lives as long as the process.
  static func description(of type: ObjectBase.Type) -> Unmanaged<ClassDescription> {
    if let info = table.info(of: ObjectIdentifier(type)) {
      return info._withUnsafeGuaranteedRef { $0.descriptionReference }
    }
    return knownInfo(of: type).descriptionReference
  }

  /// The info of an object's class; each ``DynamicObject`` has its own.
  package static func of(_ object: ObjectBase) -> ClassInfo {
    let type = Swift.type(of: object)
    if let info = table.info(of: ObjectIdentifier(type)) { return info.takeUnretainedValue() }
    return (object as? DynamicObject)?.classInfo ?? knownInfo(of: type)
  }

  /// The info of an object's class, without counting references and without code of the model; nil at the first
  /// use of the class, and for a ``DynamicObject``.
  @inline(__always)
  static func known(_ object: ObjectBase) -> Unmanaged<ClassInfo>? {
    table.info(of: ObjectIdentifier(Swift.type(of: object)))
  }

  /// As ``description(of:)``, of objects whose class may be known only when the program runs.
  ///
  /// `dynamicClass`: asked for a ``DynamicObject``; that is not in the table, so others pay nothing.
  @inline(__always)
  static func description(
    of type: ObjectBase.Type, dynamicClass: () -> ClassDescription?
  ) -> Unmanaged<ClassDescription>? {
    if let info = table.info(of: ObjectIdentifier(type)) {
      return info._withUnsafeGuaranteedRef { $0.descriptionReference }
    }
    if type == DynamicObject.self { return dynamicClass().map { .passUnretained($0) } }
    return knownInfo(of: type).descriptionReference
  }

  /// Lets the core find classes of the program that were not used; evaluated once.
  private static let findsUnusedClasses: Void = KnownClasses.setFinder { name in
    CompiledClasses.byName[name].map { of($0).description }
  }

  private static func knownInfo(of type: ObjectBase.Type) -> ClassInfo {
    _ = findsUnusedClasses
    let key = ObjectIdentifier(type)
    if let info = known.withLock({ $0.infos[key] }) { return info }
    // Outside the lock: listing the properties runs code of the model.
    let declarations = ClassDeclarations(type, ClassInfo.properties(of: type))
    return known.withLock { known in
      if let info = known.infos[key] { return info }
      let isDynamic = type == DynamicObject.self
      let info = ClassInfo(
        type, String(describing: type), declarations, modelIndex: known.byModelIndex.count,
        isDynamic: isDynamic, isEmbedded: type is EmbeddedObject.Type)
      known.infos[key] = info
      if !isDynamic { table.insert(info, of: key) }
      known.byModelIndex.append(info)
      if !isDynamic { known.byName[info.name, default: []].append(info) }
      return info
    }
  }

  /// The class behind a description.
  package static func of(_ description: ClassDescription) -> ClassInfo {
    known.withLock { $0.byModelIndex[description.modelIndex] }
  }

  /// The classes with a name that were used in this process; where there is none, the one of the program.
  static func named(_ name: String) -> [ClassInfo] {
    if let used = known.withLock({ $0.byName[name] }) { return used }
    return CompiledClasses.byName[name].map { [of($0)] } ?? []
  }

  /// The info of a class that the program does not declare, made at its first use.
  static func dynamic(
    _ key: DynamicClassKey, _ properties: [PropertyDescriptor], isEmbedded: Bool
  ) -> ClassInfo {
    let declarations = ClassDeclarations(DynamicObject.self, properties)
    return known.withLock { known in
      if let info = known.dynamic[key] { return info }
      let info = ClassInfo(
        DynamicObject.self, key.name, declarations, modelIndex: known.byModelIndex.count,
        isDynamic: true, isEmbedded: isEmbedded)
      known.dynamic[key] = info
      known.byModelIndex.append(info)
      return info
    }
  }

  private init(
    _ type: ObjectBase.Type, _ name: String, _ declarations: ClassDeclarations, modelIndex: Int,
    isDynamic: Bool, isEmbedded: Bool
  ) {
    self.type = type
    let properties = declarations.properties
    self.name = name
    self.properties = properties
    slotByName = Dictionary(
      properties.map { ($0.name, $0.slot) } + properties.map { ($0.columnName, $0.slot) },
      uniquingKeysWith: { first, _ in first })
    slotByKeyPath = Dictionary(
      properties.map { ($0.keyPath, $0.slot) }, uniquingKeysWith: { first, _ in first })
    hasOnlyPersistedState =
      ClassInfo.fieldCount(of: type) == ClassInfo.fieldCount(of: ObjectBase.self)
    constantDefaults = properties.map(\.constantDefault)
    needsNoValue = properties.map {
      $0.originProperty != nil || ($0.type.kind.collection != .none && !$0.hasDefault)
    }
    mayHoldObjects = properties.contains {
      $0.type.kind.collection != .none || $0.type.kind.type.mayLink
    }
    let types = properties.map(\.type)
    description = ClassDescription(
      name: name, properties: properties.map(\.propertyDescription), isEmbedded: isEmbedded,
      modelIndex: modelIndex, isDynamic: isDynamic, indexes: declarations.indexes,
      declarationFaults: declarations.faults,
      linkedClasses: { types.compactMap { $0.targetInfo?.description } })
    descriptionReference = .passUnretained(description)
  }

  /// The properties of a class, inherited ones first.
  ///
  /// Classes with `@Model` list theirs and all above; what classes without it declare below is found
  /// by its markers.
  private static func properties(of type: ObjectBase.Type) -> [PropertyDescriptor] {
    var all = type._$properties()
    var known = Set(all.map(\.keyPath))
    _forEachField(of: type, options: ClassInfo.classFields) { _, _, field, _ in
      if let marker = field as? any _PropertyMarker.Type {
        var property = marker.meta()
        if known.insert(property.keyPath).inserted {
          property.slot = all.count
          all.append(property)
        }
      }
      return true
    }
    return all
  }

  /// The number of stored fields, inherited ones included, without the markers of properties.
  private static func fieldCount(of type: ObjectBase.Type) -> Int {
    var count = 0
    _forEachField(of: type, options: classFields) { _, _, field, _ in
      if !(field is any _PropertyMarker.Type) { count += 1 }
      return true
    }
    return count
  }

  /// The property of a name in Swift or, where there is none, of a stored name.
  func slot(named name: String) -> Int? { slotByName[name] }
  func slot(of keyPath: AnyKeyPath) -> Int? { slotByKeyPath[keyPath] }
}

extension PropertyDescriptor {
  /// The property as the core describes it.
  var propertyDescription: PropertyDescription {
    PropertyDescription(
      name: columnName, alias: name, kind: type.kind, targetClassName: type.targetName,
      isPrimaryKey: isPrimaryKey, isAutoIncremented: isAutoIncremented,
      isIndexed: isIndexed && !isPrimaryKey,
      originPropertyName: originProperty,
      addedConstant: holdsValue && isConstant ? makeDefault().value ?? zero : zero,
      makeDefault: holdsValue && !isConstant ? computedDefault : nil)
  }

  /// The default of a property that is one value, where it is a constant and no code of the model makes it.
  fileprivate var constantDefault: _Boxed? {
    guard originProperty == nil, type.kind.collection == .none, isConstant,
      !(valueType is any _CustomPersistable.Type)
    else { return nil }
    let box = makeDefault()
    return box.value == nil ? nil : box
  }

  private var computedDefault: @Sendable () -> Value {
    { [makeDefault] in makeDefault().value ?? .null }
  }

  private var holdsValue: Bool {
    originProperty == nil && type.kind.collection == .none && type.kind.type != .link
      && (hasDefault || type.canBeNothing)
  }

  /// Whether the default is the same each time: a literal, or a type's own unless that is an
  /// identifier, of which each is new.
  private var isConstant: Bool {
    if hasDefault { return isConstantDefault }
    return type.kind.isNullable || ![.objectId, .uuid].contains(type.kind.type)
  }

  /// The value of the type that stands for nothing.
  private var zero: Value {
    type.kind.isNullable || type.kind.collection != .none ? .null : type.kind.type.zeroValue
  }
}

/// The slot of a property of a class without `@Model`; called by generated code.
public func _$resolveSlot(_ type: ObjectBase.Type, _ name: String) -> Int {
  guard let slot = ClassInfo.of(type).slot(named: name) else {
    preconditionFailure("Class \(type) has no persisted property '\(name)'.")
  }
  return slot
}

/// The properties of a class; called by generated code.
public func _$propertyList(_ type: ObjectBase.Type) -> [PropertyDescriptor] {
  ClassInfo.of(type).properties
}

/// The number of properties of a class; called by generated code.
public func _$propertyCount(_ type: ObjectBase.Type) -> Int { ClassInfo.of(type).properties.count }

/// The first slot of a class's own properties; called by generated code.
@inlinable
public func _$slotBase(
  _ superclass: ObjectBase.Type, _ owner: ObjectBase.Type, _ end: Int
) -> Int {
  superclass == owner ? end : _$propertyCount(superclass)
}

/// The numbering of a class's persisted properties; generated code conforms to it.
public protocol _SlotEnum: RawRepresentable where RawValue == Int {
  /// The class that the enumeration belongs to.
  static var _$owner: ObjectBase.Type { get }
  /// The number of inherited properties.
  static var _$base: Int { get }
}

extension _SlotEnum {
  /// The slot.
  @inlinable public var _$i: Int { Self._$base + rawValue }
}

/// An index of a class, as `@Model` declares it; generated code lists them.
///
/// Thread safety: an immutable value.
public struct _ClassIndex: Sendable {
  let properties: [String]
  let isUnique: Bool

  /// An index over properties, by their names in Swift.
  public init(_ properties: [String], isUnique: Bool) {
    self.properties = properties
    self.isUnique = isUnique
  }
}

/// Marks a property of a class without `@Model`; generated code conforms to it.
public protocol _PropertyMarker: Sendable {
  init()
  /// The property.
  static func meta() -> PropertyDescriptor
}
