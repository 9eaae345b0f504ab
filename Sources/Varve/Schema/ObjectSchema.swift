import VarveCore
import VarveEncoding

/// The description of a class: its name and its persisted properties.
public struct ObjectSchema: Sendable, Hashable {
  /// The name of the class, under which it is stored.
  public let className: String
  /// The stored properties, in the order of their declaration, inherited ones first.
  public let properties: [Property]
  /// The `LinkingObjects` properties, in the same order. The schema of a file has none.
  public let computedProperties: [Property]
  /// Whether the class is embedded: its objects belong to other objects.
  public let isEmbedded: Bool
  /// The compound, unique and full-text indexes. For all other indexes see ``Property/isIndexed``.
  public let indexes: [Index]

  /// An index of a class.
  public struct Index: Sendable, Hashable {
    /// The declared names of the properties, in the order of the index.
    public let propertyNames: [String]
    /// Whether the index is unique: no two objects have the same values.
    public let isUnique: Bool
    /// Whether the index is a full-text index: it finds the words of a string.
    public let isFullText: Bool

    init(_ description: IndexDescription, _ properties: [Property]) {
      propertyNames = description.propertyNames.map { stored in
        properties.first { $0.columnName == stored }?.name ?? stored
      }
      isUnique = description.kind == .unique
      isFullText = description.kind == .fullText
    }
  }

  /// The property that is the primary key; nil for none.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// The property with a name; nil for none.
  ///
  /// The name is the declared name of a stored or computed property.
  ///
  /// - Complexity: O(properties).
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName }
      ?? computedProperties.first { $0.name == propertyName }
  }

  init(_ model: ClassDescription) {
    className = model.name
    let properties = model.properties.filter(\.isStored).map { Property($0) }
    self.properties = properties
    computedProperties = model.properties.filter { !$0.isStored }.map { property in
      Property(property, origin: model.originProperty(of: property))
    }
    isEmbedded = model.isEmbedded
    indexes = model.indexes.map { Index($0, properties) }
  }

  /// Creates the schema of a class as a file stores it.
  ///
  /// `known`: the properties as the program declares them, which determine their declared names.
  init(_ stored: ClassSchema, in file: FileSchema, known: [PropertyDescription]) {
    className = stored.name
    let properties = stored.properties.filter { !$0.isHidden }.map { property in
      Property(
        property,
        name: known.first { $0.name == property.name && $0.alias != property.name }?.alias,
        className: property.targetClassID.flatMap { file.schema(ofClass: $0)?.name })
    }
    self.properties = properties
    computedProperties = []
    isEmbedded = stored.record.isEmbedded
    indexes = stored.indexes.map { Index($0.description, properties) }
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The class and its properties, with one property on each line.
  public var description: String {
    "\(className) {\n" + (properties + computedProperties).map { "  \($0)\n" }.joined() + "}"
  }
}

extension ObjectBase {
  /// The persisted properties of the object's class, as the program declares them.
  ///
  /// - Complexity: O(properties).
  public final var objectSchema: ObjectSchema { ObjectSchema(info.description) }

  /// Returns the persisted properties of a class, as the program declares them; nil for ``Object``
  /// and ``EmbeddedObject`` themselves, which have none.
  ///
  /// - Complexity: O(properties).
  public static func sharedSchema() -> ObjectSchema? {
    if self == Object.self || self == EmbeddedObject.self || self == ObjectBase.self { return nil }
    return ObjectSchema(ClassInfo.of(self).description)
  }
}

extension ObjectSchema {
  /// The Swift class, if the program declares it; nil otherwise.
  ///
  /// A class without ``Model()`` is found only after the program has used it.
  public var objectClass: ObjectBase.Type? {
    ClassInfo.named(className).first?.type
  }
}
