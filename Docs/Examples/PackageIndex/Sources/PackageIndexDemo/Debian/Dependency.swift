/// One clause of a dependency field: packages of which any one satisfies it.
struct Dependency: Equatable, Sendable {
  /// Names without version, architecture and build profile, in the order of the field.
  var alternatives: [String]

  /// Reads a field like `libc6 (>= 2.34), mail-transport-agent | exim4:any [amd64] <!nocheck>`.
  ///
  /// Clauses without a name are skipped: this field is for people's eyes too, and the package
  /// manager has long refused what it could not use.
  ///
  /// - Parameter field: The value of `Depends`, `Pre-Depends`, …
  /// - Returns: The clauses in the order of the field.
  /// - Complexity: O(the length of the field).
  static func parse(_ field: String) -> [Dependency] {
    // Names are ASCII, so bytes do, and splitting by them is several times faster.
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

  /// A version, an architecture, a build profile or `:any` follows.
  private static func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ":")
  }
}
