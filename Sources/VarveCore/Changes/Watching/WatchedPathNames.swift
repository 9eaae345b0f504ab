/// Which changes count as changes of an object, by names, independent of a file.
package enum WatchedPathNames: Hashable, Sendable {
  /// The default. See ``WatchedPaths/usual``.
  case usual
  /// Only the given key paths.
  case paths([[String]])

  /// Resolves the paths against the classes and properties of a file.
  ///
  /// - Throws: The errors of ``WatchedPath/tree(_:of:in:)``.
  func paths(of model: ClassDescription, in file: FileSchema) throws(Failure) -> WatchedPaths {
    switch self {
    case .usual: return .usual
    case .paths(let names):
      return try WatchedPath.tree(names, of: model, in: file).map { .paths($0) }
        ?? .linked(depth: 0)
    }
  }

  /// Checks the names.
  ///
  /// - Throws: `.unknownProperty`, `.invalidInput`.
  package func check(on model: ClassDescription) throws(Failure) {
    guard case .paths(let paths) = self else { return }
    for names in paths { try DottedPath.check(names, of: model.name) }
    _ = try WatchedPath.tree(paths, of: model, in: .empty)
  }
}
