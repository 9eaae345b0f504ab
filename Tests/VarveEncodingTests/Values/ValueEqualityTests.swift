import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ValueEqualityTests {
  @Test func stringsAreEqualByBytes() {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed)
    #expect(Value.string(composed) != .string(decomposed))
    #expect(Value.string(composed) == .string("é"))
    #expect(Set([Value.string(composed), .string(decomposed)]).count == 2)
  }

  @Test func allNaNsAreEqual() {
    #expect(Value.double(.nan) == .double(-.nan))
    #expect(Value.double(.nan).hashValue == Value.double(.signalingNaN).hashValue)
    #expect(Value.float(.nan) == .float(-.nan))
    #expect(Value.double(.nan) != .double(0))
  }

  @Test func zerosOfBothSignsAreEqual() {
    #expect(Value.double(-0.0) == .double(0))
    #expect(Value.double(-0.0).hashValue == Value.double(0).hashValue)
    #expect(Value.float(-0.0) == .float(0))
  }

  @Test func datesAreEqualByBits() {
    let nan = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(Value.date(nan) == .date(nan))
    #expect(
      Value.date(Date(timeIntervalSinceReferenceDate: 0))
        != .date(Date(timeIntervalSinceReferenceDate: -0.0)))
  }

  @Test func numbersOfDifferentCasesAreNotEqual() {
    #expect(Value.int(1) != .double(1))
    #expect(Value.float(1) != .double(1))
    #expect(Value.bool(true) != .int(1))
    #expect(Value.null != .int(0))
  }

  @Test func linksAreEqualByClassAndObject() {
    #expect(Value.link(classID: 1, objectID: 2) == .link(classID: 1, objectID: 2))
    #expect(Value.link(classID: 1, objectID: 2) != .link(classID: 2, objectID: 2))
  }

  @Test func equalValuesHaveEqualHashes() {
    var random = SeededRandom()
    let values = (0..<400).map { _ in random.value(.mixed) }
    for a in values {
      for b in values where a == b {
        #expect(a.hashValue == b.hashValue, "\(a) \(b) \(random)")
      }
    }
  }
}
