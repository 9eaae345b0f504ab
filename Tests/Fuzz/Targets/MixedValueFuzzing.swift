import VarveEncoding

/// Elements: mixed values, elements of variable lists, values of dictionaries and sets. The input
/// is two elements: a byte with the length of the first, and both.
enum MixedValueFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let first = input.bytes(Int(input.byte()))
    let (left, right) = (try value(first), try value(input.remaining()))
    guard let left, let right else { return }
    try compareKeys(left, right)
  }

  /// Appends a value, or a reference to the blob that contains it.
  static func append(_ value: StoredValue, to buffer: inout ByteBuffer) {
    switch value {
    case .value(let value): ElementCodec.append(value, to: &buffer)
    case .blob(let blob, let type): ElementCodec.append(blob: blob, type: type, to: &buffer)
    }
  }

  /// Returns the value of an element; nil for a blob and for bytes that are not an element.
  private static func value(_ bytes: [UInt8]) throws -> Value? {
    try bytes.lend { bytes in
      _ = ElementReader.int64(of: bytes)
      guard let reader = try? ElementReader(validating: bytes), let stored = try? reader.value()
      else { return nil }
      var buffer = ByteBuffer()
      append(stored, to: &buffer)
      try buffer.bytes.lend { written in
        let copy = try require("a written element is not an element") {
          try ElementReader(validating: written)
        }
        let copied = try require("a written element cannot be read") { try copy.value() }
        try require(copied == stored, "a copied element has another value")
        try require(copied.hashValue == stored.hashValue, "equal values have different hashes")
        // Short integers are written with eight bytes, and any byte of a Bool but 0 as 1.
        if reader.type != .bool && reader.type?.isInteger != true {
          try require(ByteOrder.areEqual(copy.payload, reader.payload), "other bytes in the copy")
        }
      }
      guard case .value(let value) = stored else { return nil }
      return value
    }
  }

  /// Equal values have equal keys and hashes; other values with equal keys are numbers of two types,
  /// or dates with two bit patterns of one number.
  private static func compareKeys(_ left: Value, _ right: Value) throws {
    var keys = [OrderedKey(), OrderedKey()]
    for (index, value) in [left, right].enumerated() {
      let wasCut = keys[index].append(
        value, propertyType: .mixed, fileKey: MapEntryFuzzing.fileKey)
      try require(keys[index].count <= OrderedKey.cutValueBytes, "a key is too long")
      if wasCut { return }
    }
    let haveEqualKeys = keys[0] == keys[1]
    if left == right {
      try require(haveEqualKeys, "\(left) and \(right) are equal, but not their keys")
      try require(left.hashValue == right.hashValue, "equal values have different hashes")
    } else if haveEqualKeys {
      switch (left, right) {
      case (.int, _), (.float, _), (.double, _), (.decimal, _):
        try require(keys[0].bytes[0] == KeyRank.number, "\(left) and \(right) share a key")
      case (.date, .date): break
      default: throw FuzzFinding(description: "\(left) and \(right) share a key")
      }
    }
  }
}
