/// A key, as a terminal sends it.
enum Key: Equatable {
  case text(String)
  case enter, tab, backspace, delete, left, right, up, down, home, end
  /// A letter with the control key.
  case control(Character)
  case unknown
}

/// Reads keys from the bytes of a terminal in raw mode.
struct KeyReader {
  /// Returns the next byte; nil at the end of the input.
  private let byte: () -> UInt8?

  init(_ byte: @escaping () -> UInt8?) { self.byte = byte }

  /// Returns the next key; nil at the end of the input.
  func next() -> Key? {
    guard let first = byte() else { return nil }
    switch first {
    case 0x0D, 0x0A: return .enter
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 0x1B: return escapeSequence()
    case 1..<0x20: return .control(Character(Unicode.Scalar(first + 0x60)))
    case 0x20..<0x80: return .text(String(Character(Unicode.Scalar(first))))
    case 0, 0x80..<0xC0: return .unknown
    default: return scalar(first)
    }
  }

  private func scalar(_ first: UInt8) -> Key? {
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    var bytes = [first]
    while bytes.count < length {
      guard let next = byte() else { return nil }
      bytes.append(next)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .unknown }
    return .text(text)
  }

  /// Reads `ESC [ A`, `ESC [ 3 ~`, `ESC O H` and the like.
  private func escapeSequence() -> Key? {
    guard let kind = byte() else { return nil }
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .unknown }
    var parameters: [UInt8] = []
    while let next = byte() {
      guard (0x40...0x7E).contains(next) else {
        parameters.append(next)
        continue
      }
      return Self.key(Character(Unicode.Scalar(next)), String(decoding: parameters, as: UTF8.self))
    }
    return nil
  }

  private static func key(_ last: Character, _ parameters: String) -> Key {
    switch (last, parameters) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "3"): .delete
    default: .unknown
    }
  }
}
