import VarveCore
import VarveEncoding

/// What is known of a class: its name and its persisted properties.
///
/// Thread safety: an immutable value.
public struct ObjectSchema: Sendable, Hashable {
  /// The name of the class, under which it is stored.
  public let className: String
  /// The stored properties, in the order of their declaration, inherited ones first.
  public let properties: [Property]
  /// The `LinkingObjects`, in the same order; what a file tells of a class has none.
  public let computedProperties: [Property]
  /// Whether the objects of the class belong to others.
  public let isEmbedded: Bool
  /// The indexes over several properties, the unique and the full-text ones; ``Property/isIndexed`` tells of the
  /// others.
  public let indexes: [Index]

  /// An index of a class.
  ///
  /// Thread safety: an immutable value.
  public struct Index: Sendable, Hashable {
    /// The stored names of its properties, in its order.
    public let propertyNames: [String]
    /// Whether no two objects have the same values.
    public let isUnique: Bool
    /// Whether it finds the words of a string.
    public let isFullText: Bool

    init(_ description: IndexDescription) {
      propertyNames = description.propertyNames
      isUnique = description.kind == .unique
      isFullText = description.kind == .fullText
    }
  }

  /// The property that is the primary key; nil for none.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// The stored or computed property of a name in Swift or, where there is none, of a stored name; nil for none.
  ///
  /// - Complexity: O(properties).
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName }
      ?? computedProperties.first { $0.name == propertyName }
      ?? properties.first { $0.columnName == propertyName }
  }

  init(_ model: ClassDescription) {
    className = model.name
    properties = model.properties.filter(\.isStored).map { Property($0) }
    computedProperties = model.properties.filter { !$0.isStored }.map { Property($0) }
    isEmbedded = model.isEmbedded
    indexes = model.indexes.map { Index($0) }
  }

  /// A class as a file stores it.
  ///
  /// `known`: the properties as the program knows them, which tell what it calls them.
  init(_ stored: ClassSchema, in file: FileSchema, known: [PropertyDescription]) {
    className = stored.name
    properties = stored.properties.filter { !$0.isHidden }.map { property in
      Property(
        property,
        name: known.first { $0.name == property.name && $0.alias != property.name }?.alias,
        className: property.targetClassID.flatMap { file.schema(ofClass: $0)?.name })
    }
    computedProperties = []
    isEmbedded = stored.record.isEmbedded
    indexes = stored.indexes.map { Index($0.description) }
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The class and its properties, each on a line.
  public var description: String {
    "\(className) {\n" + (properties + computedProperties).map { "  \($0)\n" }.joined() + "}"
  }
}

extension ObjectBase {
  /// The persisted properties of the object's class, as the program declares them.
  ///
  /// - Complexity: O(properties).
  public final var objectSchema: ObjectSchema { ObjectSchema(info.description) }

  /// The persisted properties of a class, as the program declares them; nil for ``Object`` and ``EmbeddedObject``
  /// themselves, which have none.
  ///
  /// - Complexity: O(properties).
  public static func sharedSchema() -> ObjectSchema? {
    if self == Object.self || self == EmbeddedObject.self || self == ObjectBase.self { return nil }
    return ObjectSchema(ClassInfo.of(self).description)
  }
}

extension ObjectSchema {
  /// The class, where the program declares it, and without ``Model()`` has used it; nil else.
  public var objectClass: ObjectBase.Type? {
    ClassInfo.named(className).first?.type
  }
}
