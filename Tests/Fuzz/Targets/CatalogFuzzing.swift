import VarveEncoding

/// Records of the catalog. The input is a byte that selects the record, and the record without its
/// checksum.
enum CatalogFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    var record = input.remaining()
    switch choice % 3 {
    case 0:
      seal(&record)
      try record.lend(runClass)
    case 1:
      seal(&record)
      try record.lend { bytes in
        guard let key = try? LastKeyRecord(decoding: bytes) else { return }
        try compare(bytes) { key.encode(into: &$0) }
      }
    default:
      try record.lend { bytes in
        guard let number = try? CatalogCodec.decodeGeneration(bytes) else { return }
        try compare(bytes) { CatalogCodec.encode(generation: number, into: &$0) }
      }
    }
  }

  /// Appends the checksum.
  private static func seal(_ record: inout [UInt8]) {
    let checksum = record.withUnsafeBytes { CRC32C.checksum($0) }
    withUnsafeBytes(of: checksum.littleEndian) { record.append(contentsOf: $0) }
  }

  private static func runClass(_ bytes: UnsafeRawBufferPointer) throws {
    guard let value = try? CatalogCodec.decodeClass(bytes) else { return }
    for layout in value.layouts {
      let rows = RowLayout(layout)
      try require(rows.fixedEnd <= bytes.count * 16 + 16, "a layout is larger than its record")
      for field in layout.fields {
        let found = rows.field(forProperty: field.propertyID)
        try require(found?.kind == field.kind, "a field is not found")
      }
    }
    var buffer = ByteBuffer()
    CatalogCodec.encode(value, into: &buffer)
    // A constant of one byte is written as one of eight.
    try require(
      buffer.count <= bytes.count + 7 * value.properties.count, "a copied record is longer")
    try buffer.bytes.lend { written in
      let copy = try require("a written record is not a record") {
        try CatalogCodec.decodeClass(written)
      }
      try require(copy == value, "a copied record has another value")
      try compare(written) { CatalogCodec.encode(copy, into: &$0) }
    }
  }

  private static func compare(
    _ bytes: UnsafeRawBufferPointer, _ encode: (inout ByteBuffer) -> Void
  ) throws {
    var buffer = ByteBuffer()
    encode(&buffer)
    try require(buffer.bytes == Array(bytes), "a copied record has other bytes")
  }
}
