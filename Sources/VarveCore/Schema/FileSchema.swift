package import VarveEncoding
import VarveLocks
package import VarveStorage

/// All classes of a file, as one version stores them.
///
/// Immutable. A store keeps the newest one that it has read. A write transaction reloads it when
/// the file's schema generation differs.
package final class FileSchema: Sendable {
  package let generation: UInt64
  /// The schema version that programs assign to the file.
  package let version: UInt64
  /// The classes in the order of their ids.
  package let classes: [ClassSchema]
  /// The ids of the embedded classes.
  let embeddedClasses: Set<UInt32>
  private let byID: [UInt32: ClassSchema]
  private let byName: [String: ClassSchema]
  /// In a migration, the declared names of properties with aliases, by the class and the stored
  /// name. Empty otherwise: a class of a file has its stored names.
  private let aliases: [String: [String: String]]
  /// Guards the models made from the classes, by their ids.
  private let dynamicModels = Lock<[UInt32: ClassDescription]>([:])

  package static let empty = FileSchema(generation: 0, classes: [])

  package init(
    generation: UInt64, version: UInt64 = 0, classes: [ClassSchema],
    aliases: [String: [String: String]] = [:]
  ) {
    self.aliases = aliases
    self.generation = generation
    self.version = version
    self.classes = classes.sorted { $0.id < $1.id }
    embeddedClasses = Set(classes.lazy.filter(\.record.isEmbedded).map(\.id))
    byID = Dictionary(classes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    byName = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func schema(ofClass id: UInt32) -> ClassSchema? { byID[id] }
  package func schema(named name: String) -> ClassSchema? { byName[name] }

  /// Returns the model of a class for programs that do not declare it, made at its first use.
  ///
  /// - Parameters:
  ///   - schema: A class of this schema.
  ///   - make: Makes the model. It may request the models of other classes.
  /// - Returns: The model, the same one each time.
  package func dynamicModel(
    of schema: ClassSchema, _ make: () -> ClassDescription
  ) -> ClassDescription {
    if let model = dynamicModels.withLock({ $0[schema.id] }) { return model }
    let model = make()
    dynamicModels.withLock { $0[schema.id] = model }
    return model
  }

  /// Whether objects of a class may lack defaults.
  var mayLackDefaults: Bool { classes.contains(where: \.mayLackDefaults) }

  /// Returns the same schema with some classes replaced or added, under a new generation.
  package func replacing(_ changed: [ClassSchema], generation: UInt64) -> FileSchema {
    var all = byID
    for schema in changed { all[schema.id] = schema }
    return FileSchema(
      generation: generation, version: version, classes: Array(all.values), aliases: aliases)
  }

  /// Returns the same schema without some classes.
  package func without(_ ids: Set<UInt32>) -> FileSchema {
    FileSchema(
      generation: generation, version: version, classes: classes.filter { !ids.contains($0.id) },
      aliases: aliases)
  }

  /// Returns the same schema with the declared names of some classes; with no classes, with the
  /// stored names alone.
  func declaring(_ models: [ClassDescription]) -> FileSchema {
    var aliases: [String: [String: String]] = [:]
    for model in models {
      for property in model.properties where property.isStored && property.alias != property.name {
        aliases[model.name, default: [:]][property.name] = property.alias
      }
    }
    if aliases == self.aliases { return self }
    return FileSchema(
      generation: generation, version: version, classes: classes, aliases: aliases)
  }

  /// Returns the name by which objects of a class that the program does not declare know a
  /// property: its stored name; in the new state of a migration, its declared name.
  package func name(of property: StoredProperty, in schema: ClassSchema) -> String {
    aliases[schema.name]?[property.name] ?? property.name
  }

  /// Returns the same schema under another version of the programs.
  func with(version: UInt64) -> FileSchema {
    FileSchema(generation: generation, version: version, classes: classes)
  }

  /// Reads the schema of a version, or of a write transaction.
  ///
  /// - Throws: `.corrupted` when a class record does not decode, or has ids that were never
  ///   assigned.
  /// - Complexity: O(classes and their properties).
  package static func load(
    from reader: any TableReader, _ root: RootRecord
  ) throws(Failure) -> FileSchema {
    var classes: [ClassSchema] = []
    var cursor = reader.cursor(.catalog)
    var isPresent = cursor.seekFirst()
    while isPresent {
      if let record = try record(cursor.key, cursor.value) {
        guard record.id > 0, record.id < root.nextClassID,
          record.nextPropertyID < RootRecord.smallIDLimit
        else {
          throw Failure(
            .corrupted, "A class has an id that was never assigned.", className: record.name,
            value: "\(record.id)")
        }
        classes.append(try ClassSchema(record))
      }
      isPresent = cursor.next()
    }
    return FileSchema(
      generation: root.schemaGeneration, version: root.userSchemaVersion, classes: classes)
  }

  /// Returns the class in an entry of the catalog, or nil for an entry of another kind.
  private static func record(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(Failure) -> StoredClass? {
    do throws(FormatError) {
      guard case .classRecord(let id) = try CatalogKey(decoding: key) else { return nil }
      let record = try CatalogCodec.decodeClass(value)
      guard record.id == id else {
        throw FormatError(
          .badValue, "a class record is stored under another id", expected: UInt64(id),
          found: UInt64(record.id))
      }
      return record
    } catch {
      throw Failure(error, message: "A record of the catalog is damaged.")
    }
  }
}
