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
  /// among the properties. After them, those with ``Model()`` that are compiled into the program and not stored yet, unless
  /// the configuration has ``Configuration/objectTypes``.
  ///
  /// Other programs may have added classes and properties. Of classes without ``Model()`` the names in Swift are known
  /// when this process has used them.
  ///
  /// - Complexity: O(classes and their properties).
  public var schema: Schema { Schema(context.fileSchema, compiled: hasCompiledClasses) }
}

extension Schema {
  /// The classes as a file stores them.
  ///
  /// `hasCompiled`: whether those of the program are added that the file does not store.
  init(_ file: FileSchema, compiled hasCompiled: Bool = false) {
    var classes = file.classes.map {
      ObjectSchema(
        $0, in: file, known: ClassInfo.named($0.name).flatMap(\.description.properties))
    }
    if hasCompiled {
      let missing = CompiledClasses.byName.filter { file.schema(named: $0.key) == nil }
      classes += missing.sorted { $0.key < $1.key }.map {
        ObjectSchema(ClassInfo.of($0.value).description)
      }
    }
    objectSchema = classes
  }
}
