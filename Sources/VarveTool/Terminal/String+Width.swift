extension String {
  /// The number of columns on a terminal.
  var width: Int {
    // Most texts are ASCII, in which each byte but that of CR LF is a character.
    if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) { return utf8.count }
    return reduce(0) { $0 + $1.width }
  }

  /// The longest prefix of at most a number of columns.
  func prefix(ofWidth width: Int) -> String {
    var rest = width
    return String(
      prefix { character in
        rest -= character.width
        return rest >= 0
      })
  }
}

extension Character {
  /// The number of columns on a terminal: 2 for East Asian wide characters and emoji.
  var width: Int {
    guard let first = unicodeScalars.first else { return 0 }
    return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks of Unicode with wide characters (Unicode Standard Annex 11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
