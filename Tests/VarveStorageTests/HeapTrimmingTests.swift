import Testing

@testable import VarveStorage

/// When the memory of closed stores is given back.
@Suite struct HeapTrimmingTests {
  private func open(_ count: Int, _ trimming: inout HeapTrimming) {
    for _ in 0..<count { trimming.noteOpened() }
  }

  /// - Returns: The numbers of open stores at which trimming was due.
  private func close(_ count: Int, _ trimming: inout HeapTrimming, from open: Int) -> [Int] {
    (1...count).compactMap {
      trimming.noteClosed()
      return trimming.take() ? open - $0 : nil
    }
  }

  @Test func oneStoreOpenedOftenIsNoReason() {
    var trimming = HeapTrimming()
    for _ in 0..<1000 {
      open(1, &trimming)
      #expect(close(1, &trimming, from: 1) == [])
    }
  }

  @Test func fewStoresAreNoReason() {
    var trimming = HeapTrimming()
    for _ in 0..<100 {
      open(HeapTrimming.many - 1, &trimming)
      #expect(close(HeapTrimming.many - 1, &trimming, from: HeapTrimming.many - 1) == [])
    }
  }

  @Test func manyStoresAreTrimmedWhenMostAreClosedAndWhenAllAre() {
    var trimming = HeapTrimming()
    open(1000, &trimming)
    #expect(close(1000, &trimming, from: 1000) == [250, 62, 0])
    // The next store is one of few.
    open(1, &trimming)
    #expect(close(1, &trimming, from: 1) == [])
  }

  @Test func changingNumberIsTrimmedOncePerDecline() {
    var trimming = HeapTrimming()
    open(1000, &trimming)
    #expect(close(800, &trimming, from: 1000) == [250])
    for _ in 0..<100 {
      open(100, &trimming)
      #expect(close(100, &trimming, from: 300) == [])
    }
  }
}
