import VarveCore

extension Misuse {
  /// Stops the program because objects cannot be sorted by a literal path.
  static func trap(_ failure: Failure, sorting className: String, by path: String) -> Never {
    let location =
      "class \(failure.className ?? className), property '\(failure.propertyName ?? path)'"
    trap("\(className) cannot be sorted by '\(path)': \(failure.message) (\(location))")
  }
}
