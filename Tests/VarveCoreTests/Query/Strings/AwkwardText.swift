import VarveTestSupport

/// Random texts over a small alphabet, so that parts of one text often occur in another.
enum AwkwardText {
  static let alphabet: [String] = [
    "a", "A", "b", "e", "E", "\u{301}", "\u{316}", "é", "É", "ß", "s", "S", "ς", "σ", "Σ", "İ", "i",
    "ı", "I", "ø", "한", "하", "\u{1112}", "\u{1161}", "\u{11AB}", "👩‍👧", "\n", "\u{345}", "ᾳ",
    "\u{0}",
    "が",
    "か", "\u{3099}", "ͅ", "ё", "Ж", "—", "漢",
  ]

  static func text(_ limit: Int, _ random: inout SeededRandom) -> String {
    let few = random.chance(50)
    return (0..<random.below(limit)).map { _ in
      few ? random.pick(["a", "A", "b", "é"]) : random.pick(alphabet)
    }.joined()
  }
}
