import VarveEncoding

/// Dictionaries in rows. The input is the number of entries, an index, and the bytes in the row.
enum RowEntriesFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let (count, choice) = (Int(input.byte()), Int(input.byte()))
    try input.remaining().lend { bytes in
      guard let entries = try? RowEntries(validating: bytes, count: count) else { return }
      let all = (0..<count).compactMap { try? entries.entry(at: $0) }
      for (key, _) in all { _ = try? entries.find(key) }
      guard all.count == count else { return }
      let buffer = RowElementsBuffer()
      guard try buffer.copy(entries, replacing: 0..<0, with: nil) else { return }
      try compare(buffer, all)
      let index = choice % count
      var others = all
      others.remove(at: index)
      try require(
        try buffer.copy(entries, replacing: index..<index + 1, with: nil), "fewer have no room")
      if others.isEmpty {
        try require(buffer.entryCount == 0, "a removed entry is there")
      } else {
        try compare(buffer, others)
      }
      others.insert(all[0], at: index)
      guard try buffer.copy(entries, replacing: index..<index + 1, with: all[0]) else { return }
      try compare(buffer, others)
    }
  }

  private static func compare(
    _ buffer: RowElementsBuffer,
    _ expected: [(key: UnsafeRawBufferPointer, element: UnsafeRawBufferPointer)]
  ) throws {
    try require(buffer.entryCount == expected.count, "copied entries have another count")
    let written = buffer.withBytes { Array($0) }
    try require(written.count == buffer.byteCount, "copied entries have another length")
    try written.lend { bytes in
      let copy = try require("written entries cannot be read") {
        try RowEntries(validating: bytes, count: expected.count)
      }
      for (index, (key, element)) in expected.enumerated() {
        let (copiedKey, copiedElement) = try require("a written entry cannot be read") {
          try copy.entry(at: index)
        }
        try require(
          copiedKey.elementsEqual(key) && copiedElement.elementsEqual(element),
          "a copied entry differs")
      }
    }
  }
}
