import VarveCore

extension WatchedPathNames {
  /// Key paths with dots; nil for the usual depth.
  init(_ keyPaths: [String]?) {
    self =
      keyPaths.map { paths in
        .paths(paths.map(DottedPath.names))
      } ?? .usual
  }
}

extension WatchedPathNames {
  /// The names; nil for the usual depth.
  var names: [[String]]? {
    if case .paths(let names) = self { names } else { nil }
  }
}
