import Foundation
import Testing
import VarveCore
import VarveTestSupport

@Suite struct TextFoldingTests {
  private static let foldings: [TextFolding] = [
    [], .caseless, .diacriticless, [.caseless, .diacriticless],
  ]

  @Test(arguments: [
    ("Straße", "STRASSE"), ("ẞ", "ss"), ("ΌΣΟΣ", "όσος"), ("ς", "σ"), ("ſ", "s"), ("ﬀ", "FF"),
    ("É", "e\u{301}"), ("\u{212B}", "å"), ("İ", "i\u{307}"), ("K", "k"), ("ᾳ", "ΑΙ"), ("ꭰ", "Ꭰ"),
    ("ŉ", "ʼN"), ("Ω", "ω"), ("Ǆ", "ǆ"), ("ǅ", "ǆ"), ("Ё", "ё"), ("한", "\u{1112}\u{1161}\u{11AB}"),
    ("ΐ", "\u{3B9}\u{308}\u{301}"), ("𐐀", "𐐨"), ("a\u{316}\u{301}", "Á\u{316}"), ("Ა", "ა"),
  ])
  func caselessEquals(a: String, b: String) {
    #expect(Array(TextFolding.caseless.fold(a).utf8) == Array(TextFolding.caseless.fold(b).utf8))
  }

  @Test(arguments: [
    ("ı", "i"), ("I", "ı"), ("İ", "i"), ("é", "e"), ("ø", "o"), ("ß", "s"), ("한", "하"), ("が", "か"),
  ])
  func caselessDiffers(a: String, b: String) {
    #expect(Array(TextFolding.caseless.fold(a).utf8) != Array(TextFolding.caseless.fold(b).utf8))
  }

  @Test(arguments: [
    ("é", "e"), ("e\u{301}", "e"), ("å", "a"), ("Ç", "C"), ("ø", "ø"), ("ł", "ł"),
    ("ñandú", "nandu"),
    ("한글", "한글"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("が", "か"), ("ệ", "e"), ("\u{301}", ""),
    ("ß", "ß"),
    ("Ё", "Е"), ("≠", "="), ("👩‍👩‍👧", "👩‍👩‍👧"),
  ])
  func diacriticsAreDropped(text: String, folded: String) {
    #expect(Array(TextFolding.diacriticless.fold(text).utf8) == Array(folded.utf8))
  }

  @Test func noOptionsLeaveBytesAlone() {
    #expect(Array(TextFolding([]).fold("E\u{301}").utf8) == Array("E\u{301}".utf8))
  }

  @Test(arguments: foldings.dropFirst())
  func everyScalarFoldsOnceAndForBothForms(folding: TextFolding) {
    var wrong: [UInt32] = []
    for value in UInt32(1)..<0x3_0000 where !(0x3400..<0xA000).contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let folded = folding.fold(text)
      let decomposed = folding.fold(text.decomposedStringWithCanonicalMapping)
      let isSame = folded.utf8.elementsEqual(decomposed.utf8)
      if !isSame || !folding.fold(folded).utf8.elementsEqual(folded.utf8) { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  @Test func randomTextsFoldOnceAndForBothForms() {
    var random = SeededRandom()
    print("\(#function) \(random)")
    for _ in 0..<5000 {
      let text = AwkwardText.text(12, &random)
      for folding in Self.foldings.dropFirst() {
        let folded = Array(folding.fold(text).utf8)
        #expect(
          Array(folding.fold(String(decoding: folded, as: UTF8.self)).utf8) == folded, "\(random)")
        for form in [
          text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        ] {
          #expect(Array(folding.fold(form).utf8) == folded, "\(random)")
        }
      }
    }
  }

  @Test func joinedTextsFoldAsOne() {
    // Folding scalar by scalar must give the same result as normalizing the whole text.
    var random = SeededRandom()
    print("\(#function) \(random)")
    for _ in 0..<5000 {
      let text = AwkwardText.text(6, &random)
      for folding in Self.foldings.dropFirst() {
        // A mark at the end makes the text an uncommon one, and combines only with the character in
        // front of it.
        let whole = folding.fold(text + "-\u{1D165}")
        #expect(
          Array(whole.utf8.dropLast(5)) == Array(folding.fold(text).utf8), "\(random) \(text)")
      }
    }
  }
}
