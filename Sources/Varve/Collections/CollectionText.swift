import VarveCore

/// The descriptions of collections: the first elements, each on a line, and the number of further
/// ones.
enum CollectionText {
  private static let limit = 100

  /// Returns the description. Iterates only the elements that are shown.
  static func text<S: Sequence>(
    _ name: String, _ elements: S, count: Int, empty: String, _ describe: (S.Element) -> String
  ) -> String {
    let shown = elements.prefix(limit).map {
      "\t" + describe($0).replacing("\n", with: "\n\t")
    }
    if shown.isEmpty { return "\(name) \(empty)" }
    let rest = count > shown.count ? ["\t… \(count - shown.count) more"] : []
    return "\(name) (\n" + (shown + rest).joined(separator: ",\n") + "\n)"
  }
}

extension _AnyCollection {
  /// The kind of the collection and the number of its elements.
  var summary: String {
    "\(isDictionary ? "Map" : "List") (\(count))"
  }
}

extension _Boxed {
  /// The value as shown in the description of a collection.
  var text: String {
    switch content {
    case .value(let value): value.text
    case .object(let object): object.description
    case .collection(let collection): collection.summary
    case .unset: "nil"
    }
  }
}
