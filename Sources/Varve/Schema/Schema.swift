import VarveCore

/// The classes of a realm.
public struct Schema: Sendable, Hashable {
  /// The classes, in the order in which they were added to the file.
  public let objectSchema: [ObjectSchema]

  /// The class with a name; nil for none.
  ///
  /// - Complexity: O(classes).
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }
}

extension Schema: CustomStringConvertible {
  /// The classes and their properties, with one property on each line.
  public var description: String { objectSchema.map(\.description).joined(separator: "\n") }
}

extension Realm {
  /// The classes of the file, as it stores them, followed by the classes of the program that are
  /// not stored yet.
  ///
  /// Linking objects are not stored and therefore not among the properties of stored classes. The
  /// classes that are not stored yet are those with ``Model()`` that are compiled into the program.
  /// They are omitted if the configuration sets ``Configuration/objectTypes``.
  ///
  /// Other programs may have added classes and properties. The Swift names of classes without
  /// ``Model()`` are known only after this process has used the classes.
  ///
  /// - Complexity: O(classes and their properties).
  public var schema: Schema { Schema(context.fileSchema, compiled: hasCompiledClasses) }
}

extension Schema {
  /// Creates a schema of the classes as a file stores them.
  ///
  /// `hasCompiled`: whether to add classes of the program that the file does not store.
  /// `isDeclared`: whether properties have the names that the program declares.
  init(_ file: FileSchema, compiled hasCompiled: Bool = false, isDeclared: Bool = true) {
    var classes = file.classes.map {
      let known = isDeclared ? ClassInfo.named($0.name).flatMap(\.description.properties) : []
      return ObjectSchema($0, in: file, known: known)
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
