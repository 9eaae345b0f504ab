import VarveEncoding

/// Rows of any layout. The input is the number of properties, two bytes for each, the number of the
/// property to edit, and the row, of which the length and the layout id are made valid.
enum RowFuzzing {
  static let layoutID: UInt16 = 7

  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let layout = layout(&input)
    let edited = Int(input.byte())
    var row = input.remaining()
    guard row.count >= Row.headerBytes else { return }
    row.store(UInt32(row.count), at: 4)
    row.store(layoutID, at: 8)
    try row.lend { bytes in
      guard let reader = try? RowReader(validating: bytes, layout: layout) else { return }
      read(reader)
      try rewrite(reader, layout, edited: edited)
    }
  }

  /// The layout that an input describes.
  static func layout(_ input: inout FuzzInput) -> RowLayout {
    let count = Int(input.byte() & 15)
    let types = PropertyType.allCases
    let collections = CollectionKind.allCases
    return RowLayout(
      id: layoutID,
      properties: (1...max(count, 1)).map { id in
        let (type, flags) = (Int(input.byte()), Int(input.byte()))
        let kind = PropertyKind(
          type: types[type % types.count],
          collection: flags & 8 == 0 ? .none : collections[flags % collections.count],
          isNullable: flags & 16 != 0)
        return (UInt32(id), kind, flags & 32 == 0)
      })
  }

  private static func read(_ reader: RowReader) {
    try? reader.verifyChecksum(classID: 1, objectID: 2)
    for field in reader.layout.fields {
      _ = try? reader.value(field)
      _ = try? reader.bytes(at: field)
      _ = reader.isNull(field)
    }
    for index in 0..<reader.touchCount { _ = reader.touch(at: index) }
  }

  private static func rewrite(_ reader: RowReader, _ layout: RowLayout, edited: Int) throws {
    let buffer = RowBuffer(layout: layout)
    guard (try? buffer.load(from: reader)) != nil else { return }
    try compare(reader, with: buffer, layout)
    // The edits compact the variable data.
    let variable = layout.variableFields
    if !variable.isEmpty {
      let field = variable[edited % variable.count]
      for length in [0, 2000, 3000, 1, 0, 300] {
        buffer.setBytesOrBlob(length, field)
        try compare(reader, with: buffer, layout, except: field.propertyID)
      }
      buffer.setNull(field)
      try compare(reader, with: buffer, layout, except: field.propertyID)
    }
    let other = RowLayout(
      id: layoutID + 1,
      properties: layout.fields.reversed().map { ($0.propertyID, $0.kind, $0.isStored) })
    guard (try? buffer.load(from: reader, converting: other, constants: { _ in nil })) != nil
    else { return }
    try compare(reader, with: buffer, other)
  }

  /// Compares a row with its copy in a buffer, which may be of another layout.
  private static func compare(
    _ reader: RowReader, with buffer: RowBuffer, _ layout: RowLayout, except edited: UInt32? = nil
  ) throws {
    try Array(buffer.finish(classID: 1, objectID: 2)).lend { bytes in
      let copy = try require("a written row is not a row") {
        try RowReader(validating: bytes, layout: layout)
      }
      try require("a written row has a wrong checksum") {
        try copy.verifyChecksum(classID: 1, objectID: 2)
      }
      try require("slots of a written row overlap") { try copy.verifyExtents() }
      try require(copy.count <= reader.count + 3000, "a copied row is longer")
      // A conversion drops the touches of properties that the layout lacks.
      let touches = (0..<reader.touchCount).map { reader.touch(at: $0) }
        .filter { layout === reader.layout || layout.field(forProperty: $0.propertyID) != nil }
      let copied = (0..<copy.touchCount).map { copy.touch(at: $0) }
      try require(copied == touches, "a copied row has other touches")
      for field in reader.layout.fields where field.isStored && field.propertyID != edited {
        guard let copied = layout.field(forProperty: field.propertyID) else { continue }
        let isSame = try require("a value of a written row cannot be read") {
          try reader.isEqual(field, to: copy, copied) || reader.isNull(field)
        }
        try require(isSame, "property \(field.propertyID) has another value in the copy")
        let isNull = copy.isNull(copied)
        try require(isNull == reader.isNull(field), "a copied value became null, or not")
      }
    }
  }
}

extension RowBuffer {
  fileprivate func setBytesOrBlob(_ length: Int, _ field: RowField) {
    let bytes = [UInt8](repeating: 0x61, count: length)
    if field.kind.collection != .none {
      if length == 0 { return setCollectionSlot(.none, field) }
      bytes.withUnsafeBytes { setElements($0, count: 1, field) }
    } else if length == 300, field.kind.type != .mixed {
      setBlob(BlobReference(id: 5, byteCount: 1000, checksum: 6), field)
    } else {
      bytes.withUnsafeBytes { setBytes($0, field) }
    }
  }
}
