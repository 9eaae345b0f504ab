/// The names that the shell completes.
struct ShellWords {
  /// A class with its properties, and the class that each of them links to.
  struct ClassWords: Equatable {
    var name: String
    var targets: [String: String?]
  }

  /// The keywords of predicates.
  static let keywords = [
    "ALL", "AND", "ANY", "ASC", "BEGINSWITH", "BETWEEN", "CONTAINS", "DESC", "DISTINCT(",
    "ENDSWITH", "FALSE", "IN", "LIKE", "LIMIT(", "MATCHES", "NONE", "NOT", "NULL", "OR", "SORT(",
    "TEXT", "TRUE",
  ]

  private let classes: [String: ClassWords]

  init(_ classes: [ClassWords]) {
    self.classes = Dictionary(
      classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func contains(_ className: String) -> Bool { classes[className] != nil }

  /// Returns the completions of a line at its cursor.
  func complete(_ line: EditedLine) -> Completion {
    let text = line.textBeforeCursor
    let words = text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
      .map(String.init)
    guard let first = words.first, words.count > 1 else {
      return Completion(
        of: text, among: classes.keys.sorted() + ShellLine.commands + ShellLine.dotCommands)
    }
    if first == ".mode" {
      return Completion(of: words[1], among: RowFormatName.allCases.map(\.rawValue))
    }
    if first == ".timer" { return Completion(of: words[1], among: ["on", "off"]) }
    guard let owner = words.dropLast().lazy.compactMap({ classes[$0] }).first else {
      return Completion(of: words.last ?? "", among: classes.keys.sorted())
    }
    let separators: Set<Character> = [" ", "(", ",", "'", "\"", "{", "<", ">", "=", "!"]
    let word = String(text.reversed().prefix { !separators.contains($0) }.reversed())
    return complete(word, of: owner)
  }

  /// Completes a path: the properties of the class that its links lead to.
  private func complete(_ word: String, of owner: ClassWords) -> Completion {
    let names = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1 else {
      return Completion(of: word, among: owner.targets.keys.sorted() + Self.keywords)
    }
    var next: ClassWords? = owner
    for name in names.dropLast() {
      next = next?.targets[name].flatMap(\.self).flatMap { classes[$0] }
    }
    let path = names.dropLast().joined(separator: ".") + "."
    return Completion(of: word, among: (next?.targets.keys.sorted() ?? []).map { path + $0 })
  }
}
