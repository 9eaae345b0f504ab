/// One clause of a dependency field: a list of packages, any of which satisfies it.
struct Dependency: Equatable, Sendable {
  /// The names without version, architecture and build profile, in the order of the field.
  var alternatives: [String]

  /// Parses a field such as `libc6 (>= 2.34), mail-transport-agent | exim4:any [amd64] <!nocheck>`.
  ///
  /// Clauses without a name are skipped: the demo only displays the field, and the package manager
  /// has already refused invalid ones.
  ///
  /// - Parameter field: The value of `Depends`, `Pre-Depends`, …
  /// - Returns: The clauses in the order of the field.
  /// - Complexity: O(the length of the field).
  static func parse(_ field: String) -> [Dependency] {
    // Names are ASCII, so the field is split by bytes, which is several times faster.
    field.utf8.split(separator: UInt8(ascii: ",")).compactMap { clause in
      let names = clause.split(separator: UInt8(ascii: "|")).compactMap(name(of:))
      return names.isEmpty ? nil : Dependency(alternatives: names)
    }
  }

  private static func name(of alternative: Substring.UTF8View) -> String? {
    let name = alternative.drop(while: isSpace).prefix { !isSpace($0) && !endsName($0) }
    return name.isEmpty ? nil : String(Substring(name))
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }

  /// Whether a version, an architecture, a build profile or `:any` begins.
  private static func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ":")
  }
}
