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
}
