/// The classes with which a program opens a file.
package enum ProgramClasses: Sendable {
  /// The classes of a configuration. Opening registers them.
  case listed([ClassDescription])
  /// All classes that are compiled into the program, by name. Opening compares those that are in
  /// the file; the first write that uses a class registers it.
  case compiled(@Sendable (String) -> ClassDescription?)

  /// Returns the listed classes, or the compiled ones that are in a file.
  ///
  /// - Complexity: O(classes).
  func models(in schema: FileSchema) -> [ClassDescription] {
    switch self {
    case .listed(let models): models
    case .compiled(let named): schema.classes.compactMap { named($0.name) }
    }
  }

  /// Returns the compiled class with a name, or nil when the classes are listed.
  func compiledModel(named name: String) -> ClassDescription? {
    if case .compiled(let named) = self { named(name) } else { nil }
  }
}
