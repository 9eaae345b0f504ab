import Testing
import VarveEncoding
import VarveTestSupport

/// Entries of dictionaries in rows, compared with a dictionary.
@Suite struct RowEntriesTests {
  private typealias Bytes = [UInt8]

  private func bytes(_ buffer: RowElementsBuffer) -> Bytes { buffer.withBytes { Bytes($0) } }

  private func entries(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws -> RowEntries? {
    count == 0 ? nil : try RowEntries(validating: bytes, count: count)
  }

  @Test func randomChangesMatchDictionary() throws {
    var random = SeededRandom()
    var stored: Bytes = []
    var model: [Bytes: Bytes] = [:]
    let buffer = RowElementsBuffer()
    for _ in 0..<2000 {
      let key = Bytes((0..<random.below(4)).map { _ in UInt8(random.below(3)) })
      let isRemoval = random.below(3) == 0
      let element = Bytes(repeating: UInt8(random.below(256)), count: 1 + random.below(20))
      try stored.withUnsafeBytes { bytes in
        let old = try entries(bytes, model.count)
        let (index, isPresent) = try key.withUnsafeBytes { try old?.find($0) } ?? (0, false)
        #expect(isPresent == (model[key] != nil), "\(random)")
        #expect(index == model.keys.filter { $0.lexicographicallyPrecedes(key) }.count, "\(random)")
        if isRemoval, !isPresent { return }
        try key.withUnsafeBytes { key in
          try element.withUnsafeBytes { element in
            let hasRoom = try buffer.copy(
              old, replacing: index..<index + (isPresent ? 1 : 0),
              with: isRemoval ? nil : (key, element))
            #expect(hasRoom, "\(random)")
          }
        }
        model[key] = isRemoval ? nil : element
      }
      if buffer.entryCount == model.count { stored = bytes(buffer) }
      #expect(buffer.byteCount == stored.count || model.isEmpty, "\(random)")
      let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      try stored.withUnsafeBytes { bytes in
        guard let all = try entries(bytes, model.count) else { return }
        for (index, expected) in sorted.enumerated() {
          let (key, element) = try all.entry(at: index)
          #expect(Bytes(key) == expected.key && Bytes(element) == expected.value, "\(random)")
        }
      }
    }
  }

  /// Three entries: the keys “”, “a” and “bc”, each with an element of two bytes.
  private var sample: Bytes {
    [0, 2, 3, 5, 7, 9] + [1, 2] + [97, 3, 4] + [98, 99, 5, 6]
  }

  @Test func layoutIsAsSpecified() throws {
    let buffer = RowElementsBuffer()
    for (key, element) in [("", [1, 2]), ("a", [3, 4]), ("bc", [5, 6])] as [(String, Bytes)] {
      Bytes(key.utf8).withUnsafeBytes { key in
        element.withUnsafeBytes { #expect(buffer.append(key, $0)) }
      }
    }
    #expect(bytes(buffer) == sample)
  }

  @Test(arguments: [0, 1, 2, 4, 6, 1000]) func wrongCountIsRefused(_ count: Int) {
    sample.withUnsafeBytes { bytes in
      #expect(throws: FormatError.self) { try RowEntries(validating: bytes, count: count) }
    }
  }

  @Test func bytesOfOtherLengthAreRefused() {
    for length in 0..<sample.count {
      Bytes(sample.prefix(length)).withUnsafeBytes { bytes in
        #expect(throws: FormatError.self) { try RowEntries(validating: bytes, count: 3) }
      }
    }
  }

  /// Whatever the bytes are, nothing outside them is read.
  @Test func damagedBytesNeverTrap() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      var damaged = sample
      for _ in 0...random.below(3) {
        damaged[random.below(damaged.count)] = UInt8(random.below(256))
      }
      damaged.withUnsafeBytes { bytes in
        guard let entries = try? RowEntries(validating: bytes, count: 3) else { return }
        for index in 0..<3 {
          guard let (key, element) = try? entries.entry(at: index) else { continue }
          #expect(key.count + element.count <= sample.count, "\(random)")
          _ = try? entries.find(key)
        }
      }
    }
  }
}
