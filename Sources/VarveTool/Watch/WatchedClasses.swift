import VarveCore

/// A watched class, as stored in the file.
struct WatchedClass {
  let schema: ClassSchema
  /// The predicate that filters objects; nil if all objects are reported.
  let predicate: BoundPredicate?
}

/// The watched classes.
struct WatchedClasses {
  /// The requested names; empty means all classes, including future ones.
  private let names: [String]
  private let predicateText: String?
  private let predicate: ParsedPredicate?
  /// The classes that were added later and that the predicate does not fit.
  private var skipped: Set<String> = []
  /// The classes, ordered by name.
  private(set) var classes: [WatchedClass] = []

  /// - Parameters:
  ///   - names: The classes; empty means all.
  ///   - predicate: The predicate that filters objects.
  ///   - schema: The schema of the file.
  /// - Throws: ``ToolError`` for a class that does not exist, for an invalid predicate, and for one
  ///   that does not fit a class.
  init(
    names: [String], predicate: String?, in schema: FileSchema
  ) throws(ToolError) {
    self.names = names
    predicateText = predicate
    do throws(TextPredicateError) {
      self.predicate = try predicate.map { (text) throws(TextPredicateError) in
        let parsed = try PredicateParser.parse(text)
        try parsed.checkIsCondition()
        return parsed
      }
    } catch {
      throw error.error(in: predicate ?? "")
    }
    for name in names { _ = try schema.requireClass(name) }
    _ = try update(to: schema, isFirst: true)
  }

  /// Adopts another schema, which may have more classes and properties.
  ///
  /// - Returns: Messages to log: an added class that the predicate does not fit is skipped, unless
  ///   it was requested.
  /// - Throws: ``ToolError`` for an existing or requested class that the predicate does not fit.
  mutating func update(
    to file: FileSchema, isFirst: Bool = false
  ) throws(ToolError) -> [String] {
    var notes: [String] = []
    let watched = file.classes.filter { names.isEmpty || names.contains($0.name) }
    var classes: [WatchedClass] = []
    for schema in watched.sorted(by: { $0.name < $1.name }) {
      do throws(TextPredicateError) {
        let bound = try predicate.map { (predicate) throws(TextPredicateError) in
          try BoundPredicate(predicate, of: schema, in: file)
        }
        classes.append(WatchedClass(schema: schema, predicate: bound))
      } catch {
        if names.isEmpty && !isFirst {
          if skipped.insert(schema.name).inserted {
            notes.append("The class \(schema.name.printable) is not watched: \(error.message)")
          }
          continue
        }
        var error = error
        if names.isEmpty { error.details.append("Choose the classes with --class.") }
        throw error.error(in: predicateText ?? "")
      }
    }
    self.classes = classes
    return notes
  }
}
