import Testing
import VarveLocks

@testable import VarveTool

@Suite struct QuantityTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (63_440, "63,440"), (-1_234_567, "-1,234,567"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func countsAreGroupedByThousands(number: Int, text: String) {
    #expect(Quantity.count(number) == text)
  }

  @Test(arguments: [(0, "0 tags"), (1, "1 tag"), (2, "2 tags"), (-1, "-1 tags")])
  func oneIsSingular(number: Int, text: String) {
    #expect(Quantity.count(number, "tag") == text)
  }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
    (1024 * 1024 - 1, "1.0 MiB"), (1 << 30, "1.0 GiB"), (Int.max, "8.0 EiB"), (-2048, "-2.0 KiB"),
  ])
  func bytesUseFittingUnit(number: Int, text: String) {
    #expect(Quantity.bytes(number) == text)
  }

  @Test(arguments: [
    (Duration.zero, "0 ns"), (.nanoseconds(85), "85 ns"), (.microseconds(340), "340 µs"),
    (.milliseconds(12), "12.0 ms"), (.microseconds(999_960), "1.00 s"), (.seconds(95), "95.00 s"),
  ])
  func durationsUseFittingUnit(duration: Duration, text: String) {
    #expect(Quantity.duration(duration) == text)
  }

  @Test(arguments: [
    (1.005, 1, "1.0"), (-0.04, 1, "0.0"), (-1.26, 1, "-1.3"), (2.5, 0, "3"), (3.05, 2, "3.05"),
    (Double.infinity, 1, "inf"),
  ])
  func numbersHaveRequestedDigits(value: Double, digits: Int, text: String) {
    #expect(Quantity.fixed(value, digits: digits) == text)
  }
}
