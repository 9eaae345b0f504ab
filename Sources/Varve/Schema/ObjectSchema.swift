import VarveCore
import VarveEncoding

/// What is known of a class: its name and its persisted properties.
///
/// Thread safety: an immutable value.
public struct ObjectSchema: Sendable, Hashable {
  /// The name of the class, under which it is stored.
  public let className: String
  /// The persisted properties, in the order of their declaration, inherited ones first.
  public let properties: [Property]
  /// Whether the objects of the class belong to others.
  public let isEmbedded: Bool

  /// The property that is the primary key; nil for none.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// The property of a name in Swift or, where there is none, of a stored name; nil for none.
  ///
  /// - Complexity: O(properties).
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName }
      ?? properties.first { $0.columnName == propertyName }
  }

  init(_ model: ClassDescription) {
    className = model.name
    properties = model.properties.map { Property($0) }
    isEmbedded = model.isEmbedded
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
    isEmbedded = stored.record.isEmbedded
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The class and its properties, each on a line.
  public var description: String {
    "\(className) {\n" + properties.map { "  \($0)\n" }.joined() + "}"
  }
}

extension ObjectBase {
  /// The persisted properties of the object's class, as the program declares them.
  ///
  /// - Complexity: O(properties).
  public final var objectSchema: ObjectSchema { ObjectSchema(info.description) }
}
