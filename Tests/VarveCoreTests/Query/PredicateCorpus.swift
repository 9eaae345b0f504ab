import Foundation
import VarveCore
import VarveEncoding

/// The predicates of `Fixtures/predicates.txt`, with the expected results.
enum PredicateCorpus {
  struct Entry: Sendable {
    let text: String
    /// The condition and the suffixes after it, or the errors.
    let expected: [String]
  }

  static let url = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/predicates.txt")

  static func entries() throws -> [Entry] {
    var entries: [(text: String, expected: [String])] = []
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("> ") {
        entries.append((String(line.dropFirst(2)), []))
      } else if !line.hasPrefix("#"), !entries.isEmpty {
        entries[entries.count - 1].expected.append(String(line))
      }
    }
    return entries.map { Entry(text: $0.text, expected: $0.expected) }
  }

  /// The result of the parser and the binder for a text, in the format of the file.
  static func outcome(of text: String) -> [String] {
    do throws(TextPredicateError) {
      let bound = try read(text)
      return ["= \(bound.condition)\(bound.suffixes.map { " \($0.words)" }.joined())"]
    } catch {
      return ([error] + error.others).map { error in
        let owner = [error.className, error.propertyName].compactMap(\.self)
        return "! \(error.position) [\(owner.joined(separator: "."))] \(error.message)"
      }
    }
  }

  static func read(
    _ text: String, _ arguments: [TextPredicate.Literal.Content] = []
  ) throws(TextPredicateError) -> BoundPredicateText {
    try BoundPredicateText.read(
      text, arguments, on: PredicateModels.breeder, orValues: .init(type: .mixed))
  }
}

extension BoundPredicateText.Suffix {
  fileprivate var words: String {
    switch self {
    case .sort(let keys):
      "SORT("
        + keys.map { $0.path.joined(separator: ".") + ($0.isAscending ? " ASC" : " DESC") }
        .joined(separator: ", ") + ")"
    case .distinct(let paths):
      "DISTINCT(" + paths.map { $0.joined(separator: ".") }.joined(separator: ", ") + ")"
    case .limit(let count): "LIMIT(\(count))"
    }
  }
}

extension TextPredicate.Literal.Content {
  static let null = Self.value(.null)

  static func int(_ value: Int64) -> Self { .value(.int(value)) }

  static func string(_ value: String) -> Self { .value(.string(value)) }
}
