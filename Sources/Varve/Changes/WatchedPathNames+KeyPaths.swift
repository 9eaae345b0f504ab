import VarveCore

extension WatchedPathNames {
  /// Creates paths from dotted key paths; nil watches all properties to the default depth.
  init(_ keyPaths: [String]?) {
    self =
      keyPaths.map { paths in
        .paths(paths.map(DottedPath.names))
      } ?? .usual
  }
}

extension WatchedPathNames {
  /// The names; nil for the default depth.
  var names: [[String]]? {
    if case .paths(let names) = self { names } else { nil }
  }
}
