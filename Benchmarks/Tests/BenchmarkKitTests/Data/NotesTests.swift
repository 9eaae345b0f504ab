import Testing

@testable import BenchmarkKit

@Suite struct NotesTests {
  @Test func textsHaveThirtyToFiftyWords() {
    for text in Notes.texts(0..<500) {
      #expect((30...50).contains(text.split(separator: " ").count))
    }
  }

  @Test func wordsHaveDifferentFrequencies() {
    let counts = Notes.ids(withWords: Notes.checkedWords, in: Notes.texts(0..<5000)).map(\.count)
    #expect(counts[0] > 4000 && counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0)
  }

  @Test func idsAreThoseOfTexts() {
    let ids = Notes.ids(withWords: ["b", "c", "b"], in: ["a b", "b b", "c"])
    #expect(ids == [[0, 1], [2], [0, 1]])
  }
}
