import Testing
import VarveEncoding

@Suite struct BlobShapeTests {
  private func chunks(_ byteCount: Int) -> [Int] {
    var lengths: [Int] = []
    var left = byteCount
    while left > 0 {
      lengths.append(BlobShape.chunkLength(left: left))
      left -= lengths[lengths.count - 1]
    }
    return lengths
  }

  @Test func remainderOfFewBytesIsSeparateChunk() {
    let mebibyte = 1 << 20
    for (byteCount, lengths) in [
      (0, []), (1, [1]), (513, [513]), (2000, [2000]), (4079, [4079]), (4080, [4080]),
      (4081, [4080, 1]), (4096, [4080, 16]), (6080, [4080, 2000]), (6081, [6081]),
      (8176, [8176]), (8177, [8176, 1]), (12_287, [12_272, 15]),
      (mebibyte - 16, [mebibyte - 16]), (mebibyte, [mebibyte - 16, 16]),
      (mebibyte + 1984, [mebibyte - 16, 2000]), (mebibyte + 1985, [mebibyte - 16, 2001]),
      (3 << 20, [mebibyte - 16, mebibyte - 16, mebibyte - 16, 48]),
    ] as [(Int, [Int])] {
      #expect(chunks(byteCount) == lengths, "\(byteCount)")
    }
  }

  @Test func overflowPagesAreNotStartedForFewBytes() {
    for byteCount in 513..<20_000 {
      let lengths = chunks(byteCount)
      #expect(lengths.reduce(0, +) == byteCount && !lengths.contains { $0 <= 0 })
      #expect(lengths.dropLast().allSatisfy { ($0 + 16) % 4096 == 0 })
      #expect(lengths.count <= 2 && lengths.count >= 1)
      let onPages = lengths.filter { $0 > 2000 }.allSatisfy {
        ($0 + 16) % 4096 == 0 || ($0 + 16) % 4096 > 2000 || $0 < 4080
      }
      #expect(onPages, "\(byteCount)")
    }
  }

  /// Appends bytes as the editor does, and returns the number of bytes written.
  private func append(_ count: Int, to lengths: inout [Int]) -> Int {
    var merged = 0
    while let last = lengths.last, BlobShape.merges(last, before: merged, count) {
      merged += last
      lengths.removeLast()
    }
    let first = max(merged, BlobShape.chunkLength(left: merged + count))
    lengths.append(first)
    lengths += chunks(merged + count - first)
    #expect(merged <= BlobShape.maximumMerged)
    return merged + count
  }

  /// Many appends write each byte a few times, and leave few chunks.
  @Test(arguments: [(100, 14.0), (200, 11), (2000, 6), (4096, 5), (20_000, 3), (300_000, 1.1)])
  func appendsAreMerged(_ count: Int, _ maximum: Double) {
    var lengths = chunks(600)
    var total = 600
    var written = 600
    while total < 2 << 20 {
      written += append(count, to: &lengths)
      total += count
    }
    #expect(lengths.reduce(0, +) == total && lengths.allSatisfy { $0 > 0 })
    #expect(lengths.count <= 40, "\(lengths)")
    #expect(Double(written) / Double(total) < maximum)
  }

  @Test func bytesBetweenTheKeysAreMerged() {
    #expect(BlobShape.merges(1900, before: 0, 100))
    #expect(!BlobShape.merges(1900, before: 0, 101))
    #expect(BlobShape.merges(4000, before: 0, 1000) && !BlobShape.merges(4001, before: 0, 1000))
    #expect(BlobShape.merges(8000, before: 1900, 100))
    #expect(BlobShape.merges(65_536, before: 0, 1 << 20))
    #expect(!BlobShape.merges(65_537, before: 0, 1 << 20))
    #expect(!BlobShape.merges(60_000, before: 6000, 1 << 20))
  }
}
