import VarveCore

extension WatchedPathNames {
  /// Key paths with dots; nil for the usual depth.
  init(_ keyPaths: [String]?) {
    self =
      keyPaths.map { paths in
        .paths(
          paths.map { path in
            path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
          })
      } ?? .usual
  }
}

extension WatchedPathNames {
  /// The names; nil for the usual depth.
  var names: [[String]]? {
    if case .paths(let names) = self { names } else { nil }
  }
}
