@_spi(Reflection) import Swift
package import VarveCore
import VarveEncoding
import VarveLocks

/// The properties of a model class, and the description that the core uses.
///
/// Thread safety: immutable. A lock guards the table of all classes.
package final class ClassInfo: Sendable {
  package let type: ObjectBase.Type
  package let name: String
  let properties: [PropertyDescriptor]
  // Safe because key paths are immutable.
  nonisolated(unsafe) private let slotByKeyPath: [AnyKeyPath: Int]
  /// Other key paths, which were probed.
  private let probedKeyPaths = ProbedKeyPaths()
  /// The key paths of both kinds that have been used.
  private let usedKeyPaths = UsedKeyPaths()
  /// The path to each property in queries, by slot.
  let steps: [[QueryPath.Step]]
  package let description: ClassDescription
  /// The description, unretained, for reads that must not count references.
  let descriptionReference: Unmanaged<ClassDescription>
  /// The constant defaults that run no code of the model, by slot.
  let constantDefaults: [_Boxed?]
  /// Whether an object can be stored while a property has no value, by slot. True for collections,
  /// as an empty collection is not stored.
  let needsNoValue: [Bool]
  /// Whether a value of an unmanaged object may be or contain an object or a collection.
  let mayContainObjects: Bool
  /// The names under which the properties are coded; nil before their first use. Guarded by itself.
  let knownCodingNames = Lock<CodingNames?>(nil)
  /// Whether instances have no stored fields besides those of `ObjectBase`.
  let hasOnlyPersistedState: Bool

  /// Selects the fields of a class (`_EachFieldOptions.classType`).
  private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1) }

  private struct Classes {
    var infos: [ObjectIdentifier: ClassInfo] = [:]
    var dynamic: [DynamicClassKey: ClassInfo] = [:]
    var byModelIndex: [ClassInfo] = []
    var byName: [String: [ClassInfo]] = [:]
  }
  /// Guards the classes that have been used in this process.
  private static let classes = Lock(Classes())

  /// The same classes, for lookup without the lock.
  private static let table = ClassTable()

  /// Returns the info of a class, which is created at its first use.
  package static func of(_ type: ObjectBase.Type) -> ClassInfo {
    table.info(of: ObjectIdentifier(type))?.takeUnretainedValue() ?? registeredInfo(of: type)
  }

  /// Returns the description of a class without counting references. It lives as long as the
  /// process.
  static func description(of type: ObjectBase.Type) -> Unmanaged<ClassDescription> {
    if let info = table.info(of: ObjectIdentifier(type)) {
      return info._withUnsafeGuaranteedRef { $0.descriptionReference }
    }
    return registeredInfo(of: type).descriptionReference
  }

  /// Returns the info of an object's class. Each ``DynamicObject`` has its own.
  package static func of(_ object: ObjectBase) -> ClassInfo {
    let type = Swift.type(of: object)
    if let info = table.info(of: ObjectIdentifier(type)) { return info.takeUnretainedValue() }
    return (object as? DynamicObject)?.classInfo ?? registeredInfo(of: type)
  }

  /// Returns the info of an object's class, without counting references and without running code of
  /// the model. Returns nil before the first use of the class, and for a ``DynamicObject``.
  @inline(__always)
  static func registered(_ object: ObjectBase) -> Unmanaged<ClassInfo>? {
    table.info(of: ObjectIdentifier(Swift.type(of: object)))
  }

  /// Returns the description of a class that may be known only at run time. See
  /// ``description(of:)``.
  ///
  /// `dynamicClass`: called for a ``DynamicObject`` only, which is not in the table, so that other
  /// objects pay nothing.
  @inline(__always)
  static func description(
    of type: ObjectBase.Type, dynamicClass: () -> ClassDescription?
  ) -> Unmanaged<ClassDescription>? {
    if let info = table.info(of: ObjectIdentifier(type)) {
      return info._withUnsafeGuaranteedRef { $0.descriptionReference }
    }
    if type == DynamicObject.self { return dynamicClass().map { .passUnretained($0) } }
    return registeredInfo(of: type).descriptionReference
  }

  /// Lets the core find classes of the program that have not been used yet. Evaluated once.
  private static let findsUnusedClasses: Void = UsedClasses.setFinder { name in
    CompiledClasses.byName[name].map { of($0).description }
  }

  private static func registeredInfo(of type: ObjectBase.Type) -> ClassInfo {
    _ = findsUnusedClasses
    let key = ObjectIdentifier(type)
    if let info = classes.withLock({ $0.infos[key] }) { return info }
    // Outside of the lock: listing the properties runs code of the model.
    let declarations = ClassDeclarations(type, ClassInfo.properties(of: type))
    return classes.withLock { classes in
      if let info = classes.infos[key] { return info }
      let isDynamic = type == DynamicObject.self
      let info = ClassInfo(
        type, String(describing: type), declarations, modelIndex: classes.byModelIndex.count,
        isDynamic: isDynamic, isEmbedded: type is EmbeddedObject.Type)
      classes.infos[key] = info
      if !isDynamic { table.insert(info, of: key) }
      classes.byModelIndex.append(info)
      if !isDynamic { classes.byName[info.name, default: []].append(info) }
      return info
    }
  }

  /// Returns the class of a description.
  package static func of(_ description: ClassDescription) -> ClassInfo {
    classes.withLock { $0.byModelIndex[description.modelIndex] }
  }

  /// Returns the classes with a name that have been used in this process, otherwise the compiled
  /// class with this name.
  static func named(_ name: String) -> [ClassInfo] {
    if let used = classes.withLock({ $0.byName[name] }) { return used }
    return CompiledClasses.byName[name].map { [of($0)] } ?? []
  }

  /// Returns the info of a class that the program does not declare. It is created at its first use.
  ///
  /// `classOfFile` returns the class of the same file with a name.
  static func dynamic(
    _ key: DynamicClassKey, _ properties: [PropertyDescriptor], isEmbedded: Bool,
    classOfFile: @escaping @Sendable (String) -> ClassDescription?
  ) -> ClassInfo {
    let declarations = ClassDeclarations(DynamicObject.self, properties)
    return classes.withLock { classes in
      if let info = classes.dynamic[key] { return info }
      let info = ClassInfo(
        DynamicObject.self, key.name, declarations, modelIndex: classes.byModelIndex.count,
        isDynamic: true, isEmbedded: isEmbedded, classOfFile: classOfFile)
      classes.dynamic[key] = info
      classes.byModelIndex.append(info)
      return info
    }
  }

  private init(
    _ type: ObjectBase.Type, _ name: String, _ declarations: ClassDeclarations, modelIndex: Int,
    isDynamic: Bool, isEmbedded: Bool,
    classOfFile: @escaping @Sendable (String) -> ClassDescription? = { _ in nil }
  ) {
    self.type = type
    let properties = declarations.properties
    self.name = name
    self.properties = properties
    slotByKeyPath = Dictionary(
      properties.map { ($0.keyPath, $0.slot) }, uniquingKeysWith: { first, _ in first })
    steps = properties.map { [.property($0.name)] }
    hasOnlyPersistedState =
      ClassInfo.fieldCount(of: type) == ClassInfo.fieldCount(of: ObjectBase.self)
    constantDefaults = properties.map(\.constantDefault)
    needsNoValue = properties.map {
      $0.originProperty != nil || ($0.type.kind.collection != .none && !$0.hasDefault)
    }
    mayContainObjects = properties.contains {
      $0.type.kind.collection != .none || $0.type.kind.type.mayLink
    }
    let types = properties.map(\.type)
    description = ClassDescription(
      name: name, properties: properties.map(\.propertyDescription), isEmbedded: isEmbedded,
      modelIndex: modelIndex, isDynamic: isDynamic, indexes: declarations.indexes,
      declarationFaults: declarations.faults,
      linkedClasses: { types.compactMap { $0.targetInfo?.description } }, classOfFile: classOfFile)
    descriptionReference = .passUnretained(description)
  }

  /// Returns the properties of a class, inherited ones first.
  ///
  /// A class with `@Model` lists its properties and all inherited ones. The properties of
  /// subclasses without `@Model` are found by their markers.
  private static func properties(of type: ObjectBase.Type) -> [PropertyDescriptor] {
    var all = type._$properties()
    var seen = Set(all.map(\.keyPath))
    forEachMarker(of: type) { marker in
      var property = marker.meta()
      if seen.insert(property.keyPath).inserted {
        property.slot = all.count
        all.append(property)
      }
    }
    return all
  }

  /// Calls `body` with the marker of each property that a class without `@Model` declares,
  /// inherited ones first.
  static func forEachMarker(
    of type: ObjectBase.Type, _ body: (any _PropertyMarker.Type) -> Void
  ) {
    _forEachField(of: type, options: ClassInfo.classFields) { _, _, field, _ in
      if let marker = field as? any _PropertyMarker.Type { body(marker) }
      return true
    }
  }

  /// Returns the number of stored fields, including inherited ones and excluding the markers of
  /// properties.
  private static func fieldCount(of type: ObjectBase.Type) -> Int {
    var count = 0
    _forEachField(of: type, options: classFields) { _, _, field, _ in
      if !(field is any _PropertyMarker.Type) { count += 1 }
      return true
    }
    return count
  }

  /// Returns the property with a declared name. See ``ClassDescription/knownSlot(named:)``.
  func slot(named name: String) -> Int? { description.knownSlot(named: name) }

  /// Returns the property with a stored name.
  func slot(storedAs name: String) -> Int? { properties.firstIndex { $0.columnName == name } }

  /// Returns the property that a key path refers to; nil if that is not known without probing it.
  func slot(of keyPath: AnyKeyPath) -> Int? { property(of: keyPath)?.slot }

  /// Returns the property that a key path refers to, and whether the class lists the key path; nil
  /// if that is not known without probing it.
  func property(of keyPath: AnyKeyPath) -> UsedKeyPaths.Property? {
    if let property = usedKeyPaths[keyPath] { return property }
    let listed = slotByKeyPath[keyPath]
    guard let slot = listed ?? probedKeyPaths[keyPath] else { return nil }
    let property = UsedKeyPaths.Property(slot: slot, isListed: listed != nil)
    usedKeyPaths.insert(keyPath, property)
    return property
  }

  /// Returns the property of a class that a key path refers to, as ``slot(of:)`` does, without
  /// counting references.
  static func knownSlot(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> Int? {
    guard let info = table.info(of: ObjectIdentifier(type)) else {
      return of(type).slot(of: keyPath)
    }
    return info._withUnsafeGuaranteedRef { $0.slot(of: keyPath) }
  }

  /// Remembers the property that a key path was found to refer to.
  func remember(_ keyPath: AnyKeyPath, slot: Int) { probedKeyPaths.insert(keyPath, slot: slot) }
}

extension PropertyDescriptor {
  /// The core's description of the property.
  var propertyDescription: PropertyDescription {
    PropertyDescription(
      name: columnName, alias: name, kind: type.kind, targetClassName: type.targetName,
      isPrimaryKey: isPrimaryKey, isAutoIncremented: isAutoIncremented,
      isIndexed: isIndexed && !isPrimaryKey,
      originPropertyName: originProperty,
      addedConstant: storesValue && isConstant ? makeDefault().value ?? zero : zero,
      defaultExpression: storesValue && !isConstant ? DefaultExpression(computedDefault) : nil,
      contentDefault: contentDefault)
  }

  /// The default of a single-valued property, when it is constant and no code of the model creates
  /// it.
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

  /// Whether the default is an object, or a collection with elements; nil where it cannot be.
  private var contentDefault: ContentDefault? {
    let kind = type.kind
    guard hasDefault, originProperty == nil, !isConstantDefault,
      kind.collection != .none || kind.type.mayLink
    else { return nil }
    return ContentDefault { [makeDefault] in
      switch makeDefault().content {
      case .object: true
      case .collection(let collection): kind.collection == .none || collection.count > 0
      case .unset, .value: false
      }
    }
  }

  private var storesValue: Bool {
    originProperty == nil && type.kind.collection == .none && type.kind.type != .link
      && (hasDefault || type.canBeNothing)
  }

  /// Whether the default is the same each time: a literal, or the default of the type, except for
  /// identifiers, which are new each time.
  private var isConstant: Bool {
    if hasDefault { return isConstantDefault }
    return type.kind.isNullable || ![.objectId, .uuid].contains(type.kind.type)
  }

  /// The zero value of the type.
  private var zero: Value {
    type.kind.isNullable || type.kind.collection != .none ? .null : type.kind.type.zeroValue
  }
}

/// Returns the property slot of a class without `@Model`. Called by generated code.
public func _$resolveSlot(_ type: ObjectBase.Type, _ name: String) -> Int {
  guard let slot = ClassInfo.of(type).slot(named: name) else {
    Misuse.trap("Class \(type) has no persisted property '\(name)'.")
  }
  return slot
}

/// Returns the properties of a class. Called by generated code.
public func _$propertyList(_ type: ObjectBase.Type) -> [PropertyDescriptor] {
  ClassInfo.of(type).properties
}

/// Returns the number of properties of a class. Called by generated code.
public func _$propertyCount(_ type: ObjectBase.Type) -> Int { ClassInfo.of(type).properties.count }

/// Returns the first slot of a class's own properties. Called by generated code.
@inlinable
public func _$slotBase(
  _ superclass: ObjectBase.Type, _ owner: ObjectBase.Type, _ end: Int
) -> Int {
  superclass == owner ? end : _$propertyCount(superclass)
}

/// The slots of a class's persisted properties. Generated code conforms to it.
public protocol _SlotEnum: RawRepresentable where RawValue == Int {
  /// The class that the enumeration belongs to.
  static var _$owner: ObjectBase.Type { get }
  /// The number of inherited properties.
  static var _$base: Int { get }
}

extension _SlotEnum {
  /// The property slot.
  @inlinable public var _$i: Int { Self._$base + rawValue }
}

/// An index of a class, declared with `@Model`. Generated code lists them.
public struct _ClassIndex: Sendable {
  let properties: [String]
  let isUnique: Bool

  /// Creates an index over properties, named as in Swift.
  public init(_ properties: [String], isUnique: Bool) {
    self.properties = properties
    self.isUnique = isUnique
  }
}

/// A marker of a property in a class without `@Model`. Generated code conforms to it.
public protocol _PropertyMarker: Sendable {
  init()
  /// Returns the description of the property.
  static func meta() -> PropertyDescriptor
  /// Adds the name under which the property is coded.
  static func codingName(_ names: inout _CodingNames)
}
