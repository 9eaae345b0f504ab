import VarveCore

/// How collections describe themselves: each of the first elements on a line, and how many more.
enum CollectionText {
  private static let limit = 100

  /// Walks `elements` as far as they are shown.
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
  /// The kind of the collection, and how many elements it has.
  var summary: String {
    "\(isDictionary ? "Map" : "List") (\(count))"
  }
}

extension _Boxed {
  /// The value as the description of a collection shows it.
  var text: String {
    switch content {
    case .value(let value): value.text
    case .object(let object): object.description
    case .collection(let collection): collection.summary
    case .unset: "nil"
    }
  }
}
