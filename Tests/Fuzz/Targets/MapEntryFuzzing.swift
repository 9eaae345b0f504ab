import VarveEncoding

/// Entries of dictionaries. The input is two bytes with the length of the key, the key, and the
/// element without the checksum of the entry.
enum MapEntryFuzzing {
  static let fileKey = FileKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let length = Int(input.byte()) | Int(input.byte() & 3) << 8
    let key = input.bytes(length)
    let element = input.remaining()
    try key.lend { key in
      try element.lend { element in
        try seal(element, key: key)
        try run(key: key, element: element)
      }
    }
  }

  /// The element is also taken for the value of an entry.
  private static func seal(_ element: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws {
    _ = try? CollectionEntry.verifyChecksum(element, key: key)
    _ = try? ElementReader(validating: CollectionEntry.element(of: element))
    var buffer = ByteBuffer()
    buffer.append(element)
    CollectionEntry.seal(&buffer, key: key)
    try buffer.bytes.lend { value in
      try require("a written entry has a wrong checksum") {
        try CollectionEntry.verifyChecksum(value, key: key)
      }
      let isSame = ByteOrder.areEqual(CollectionEntry.element(of: value), element)
      try require(isSame, "a written entry has another element")
    }
  }

  private static func run(
    key: UnsafeRawBufferPointer, element bytes: UnsafeRawBufferPointer
  ) throws {
    let plain = CollectionEntryKey.plainText(key)
    guard let (id, decoded) = try? CollectionEntryKey.decodeDictionaryKey(key) else { return }
    if let plain { try require(plain == decoded, "two decoders give different keys") }
    guard let element = try? ElementReader(validating: bytes) else { return }
    var text = decoded
    if text == nil, let whole = element.wholeKey { text = String(validating: whole, as: UTF8.self) }
    guard let text else { return }
    var encoded = OrderedKey()
    let isCut = CollectionEntryKey.encode(
      dictionaryKey: text, collectionID: id, fileKey: fileKey, into: &encoded)
    if let decoded {
      try require(!isCut, "a decoded key is cut when it is encoded")
      try require(encoded.bytes == Array(key), "\(decoded.debugDescription) is encoded differently")
    }
    guard let value = try? element.value() else { return }
    var buffer = ByteBuffer()
    MixedValueFuzzing.append(value, to: &buffer)
    if isCut { Array(text.utf8).withUnsafeBytes { ElementCodec.appendWholeKey($0, to: &buffer) } }
    try buffer.bytes.lend { bytes in
      let copy = try require("a written element is not an element") {
        try ElementReader(validating: bytes)
      }
      let again = copy.wholeKey.map { String(decoding: $0, as: UTF8.self) }
      try require(again == (isCut ? text : nil), "a copied element has another whole key")
      let copied = try require("a written element cannot be read") { try copy.value() }
      try require(copied == value, "a copied element has another value")
    }
  }
}
