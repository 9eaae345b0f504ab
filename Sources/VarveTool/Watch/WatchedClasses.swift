import VarveCore

/// A class that is watched, as the file stores it.
struct WatchedClass {
  let schema: ClassSchema
  /// What objects are to satisfy; nil: all are told of.
  let predicate: BoundPredicate?
}

/// Which classes are watched.
struct WatchedClasses {
  /// The names that were asked for; empty: all classes, also those to come.
  private let names: [String]
  private let predicateText: String?
  private let predicate: ParsedPredicate?
  /// The classes that came later and that the predicate does not fit.
  private var leftOut: Set<String> = []
  /// In the order of the names.
  private(set) var classes: [WatchedClass] = []

  /// - Parameters:
  ///   - names: The classes; none: all.
  ///   - predicate: What objects are to satisfy.
  ///   - schema: What the file holds.
  /// - Throws: ``ToolError`` for a class that there is not, for what is no predicate, and for one that does not fit.
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
    for name in names where schema.schema(named: name) == nil {
      let known = schema.classes.map(\.name).sorted()
      throw ToolError(
        "There is no such class.\n  \(name.printable)\n  classes: "
          + (known.isEmpty ? "none" : known.joined(separator: ", ")))
    }
    _ = try update(to: schema, isFirst: true)
  }

  /// Goes on with another schema: classes and properties may have come.
  ///
  /// - Returns: What to tell: a class that has come and that the predicate does not fit is left out, unless it was asked
  ///   for.
  /// - Throws: ``ToolError`` for a class that was there, or was asked for, and that the predicate does not fit.
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
          if leftOut.insert(schema.name).inserted {
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
