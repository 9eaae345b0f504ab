import VarveCore

/// The classes of a realm.
///
/// Thread safety: an immutable value.
public struct Schema: Sendable, Hashable {
  /// The classes, in the order in which the file came to know them.
  public let objectSchema: [ObjectSchema]

  /// The class of a name; nil for none.
  ///
  /// - Complexity: O(classes).
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }
}

extension Schema: CustomStringConvertible {
  /// The classes and their properties, each on a line.
  public var description: String { objectSchema.map(\.description).joined(separator: "\n") }
}

extension Realm {
  /// The classes that the file knows, with what it stores of each: linking objects, which are not stored, are not
  /// among the properties.
  ///
  /// Other programs may have added classes and properties. Names in Swift are known of the classes that this process
  /// has used.
  ///
  /// - Complexity: O(classes and their properties).
  public var schema: Schema { Schema(context.fileSchema) }
}

extension Schema {
  /// The classes as a file stores them.
  init(_ file: FileSchema) {
    objectSchema = file.classes.map {
      ObjectSchema(
        $0, in: file, known: ClassInfo.named($0.name).flatMap(\.description.properties))
    }
  }
}
