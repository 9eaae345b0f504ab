import CVarve

/// The record under the key `varve` in the unnamed table: identity, counters, format.
///
/// The layout is drawn in `Docs/Format.md`, “Root record”.
@usableFromInline
package struct RootRecord: Hashable, Sendable {
  /// The format that this version of the library writes.
  package static let currentFormatVersion: UInt32 = 1

  package internal(set) var formatVersion: UInt32 = RootRecord.currentFormatVersion
  @usableFromInline package internal(set) var incarnation: RandomIdentity
  /// The key of the file's hashes, generated at creation.
  package internal(set) var fileKey: RandomIdentity
  /// The commit counter, incremented by each commit.
  @usableFromInline package internal(set) var counter: UInt64 = 0
  package var schemaGeneration: UInt64 = 0
  package var nextObjectID: UInt64 = 1
  package var nextCollectionID: UInt64 = 1
  package var nextNodeID: UInt64 = 1
  package var nextBlobID: UInt64 = 1
  package var nextClassID: UInt32 = 1
  package var nextPropertyID: UInt32 = 1
  package var nextIndexID: UInt32 = 1
  package var userSchemaVersion: UInt64 = 0
  /// Whether every object has the defaults that the classes of the file know.
  ///
  /// Each commit keeps it, or clears it when it stores an object without one. A release that does
  /// not know the field clears it.
  package var hasAllDefaults = false

  @inlinable package var version: Version { Version(incarnation: incarnation, counter: counter) }

  /// Creates the record of a new file.
  package init(incarnation: RandomIdentity, fileKey: RandomIdentity) {
    self.incarnation = incarnation
    self.fileKey = fileKey
  }
}

extension RootRecord {
  /// The key of the record.
  static let key: StaticString = "varve"
  package static var keyBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
  }

  /// The number of bytes of the record.
  package static let byteCount = 160

  /// "Vrve", read as a little-endian number.
  static let magic: UInt32 = 0x6576_7256
  /// "VARV" and "VRVE": the marks of development builds whose files had the same format version,
  /// and another content.
  private static let earlierMagics: [UInt32] = [0x5652_4156, 0x4556_5256]

  private enum Offset {
    static let magic = 0
    static let formatVersion = 4
    static let incarnation = 8
    static let fileKey = 24
    static let counter = 40
    static let schemaGeneration = 48
    static let nextObjectID = 56
    static let nextCollectionID = 64
    static let nextNodeID = 72
    static let nextBlobID = 80
    static let nextClassID = 88
    static let nextPropertyID = 92
    static let nextIndexID = 96
    static let userSchemaVersion = 104
    static let hasAllDefaults = 112
    static let checksum = 156
  }

  /// The exclusive limit of 8-byte counters. Increments within a transaction cannot overflow.
  package static let counterLimit: UInt64 = 1 << 62
  /// The exclusive limit of property ids and index ids.
  package static let smallIDLimit: UInt32 = 1 << 30
  /// The exclusive limit of class ids.
  package static let classIDLimit: UInt32 = 1 << 16

  /// Reads the record.
  ///
  /// - Parameters:
  ///   - bytes: The value stored under the key.
  ///   - path: The path of the file, for errors.
  /// - Throws: `notADatabase` when the bytes are not a root record, `newerFormat` when a later
  ///   version wrote them, `corrupted` when they are damaged, or an id is 0 or over its limit.
  package init(
    decoding bytes: UnsafeRawBufferPointer, path: String? = nil
  ) throws(StorageError) {
    guard let base = bytes.baseAddress, bytes.count >= Offset.incarnation,
      base.u32(Offset.magic) == Self.magic
    else {
      let isEarlier =
        bytes.count >= 4 && Self.earlierMagics.contains(bytes.baseAddress?.u32(Offset.magic) ?? 0)
      throw StorageError(
        .notADatabase,
        isEarlier
          ? "The file was written by an earlier development build, which used another format."
          : "The root record has no magic number.", path: path)
    }
    let format = base.u32(Offset.formatVersion)
    guard format <= Self.currentFormatVersion else {
      throw StorageError(.newerFormat, "The file was written by a later version.", path: path)
    }
    guard format >= 1, bytes.count == Self.byteCount else {
      throw StorageError(
        .corrupted, "The root record has the wrong size or format number.", path: path)
    }
    guard varve_crc32c(0, base, Offset.checksum) == base.u32(Offset.checksum) else {
      throw StorageError(.corrupted, "The root record is damaged.", path: path)
    }
    formatVersion = format
    incarnation = RandomIdentity(
      first: base.u64(Offset.incarnation), second: base.u64(Offset.incarnation + 8))
    fileKey = RandomIdentity(
      first: base.u64(Offset.fileKey), second: base.u64(Offset.fileKey + 8))
    counter = base.u64(Offset.counter)
    schemaGeneration = base.u64(Offset.schemaGeneration)
    nextObjectID = base.u64(Offset.nextObjectID)
    nextCollectionID = base.u64(Offset.nextCollectionID)
    nextNodeID = base.u64(Offset.nextNodeID)
    nextBlobID = base.u64(Offset.nextBlobID)
    nextClassID = base.u32(Offset.nextClassID)
    nextPropertyID = base.u32(Offset.nextPropertyID)
    nextIndexID = base.u32(Offset.nextIndexID)
    userSchemaVersion = base.u64(Offset.userSchemaVersion)
    hasAllDefaults = base.u32(Offset.hasAllDefaults) & 1 != 0
    guard isSound else {
      throw StorageError(.corrupted, "The root record has an invalid id.", path: path)
    }
  }

  /// Whether every counter is valid.
  private var isSound: Bool {
    func isID(_ id: UInt64) -> Bool { id > 0 && id < Self.counterLimit }
    func isSmallID(_ id: UInt32) -> Bool { id > 0 && id < Self.smallIDLimit }
    return isID(nextObjectID) && isID(nextCollectionID) && isID(nextNodeID) && isID(nextBlobID)
      && isSmallID(nextPropertyID) && isSmallID(nextIndexID)
      && nextClassID > 0 && nextClassID < Self.classIDLimit
      && counter < Self.counterLimit && schemaGeneration < Self.counterLimit
  }

  /// Calls `body` with the bytes of the record.
  ///
  /// - Throws: Any error thrown by `body`.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var words: InlineArray<20, UInt64> = .init(repeating: 0)
    return try withUnsafeMutablePointer(to: &words) { (pointer) throws(Failure) -> Result in
      let base = UnsafeMutableRawPointer(pointer)
      func store<Number: FixedWidthInteger>(_ number: Number, _ offset: Int) {
        base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
      }
      store(Self.magic, Offset.magic)
      store(formatVersion, Offset.formatVersion)
      store(incarnation.first, Offset.incarnation)
      store(incarnation.second, Offset.incarnation + 8)
      store(fileKey.first, Offset.fileKey)
      store(fileKey.second, Offset.fileKey + 8)
      store(counter, Offset.counter)
      store(schemaGeneration, Offset.schemaGeneration)
      store(nextObjectID, Offset.nextObjectID)
      store(nextCollectionID, Offset.nextCollectionID)
      store(nextNodeID, Offset.nextNodeID)
      store(nextBlobID, Offset.nextBlobID)
      store(nextClassID, Offset.nextClassID)
      store(nextPropertyID, Offset.nextPropertyID)
      store(nextIndexID, Offset.nextIndexID)
      store(userSchemaVersion, Offset.userSchemaVersion)
      store(UInt32(hasAllDefaults ? 1 : 0), Offset.hasAllDefaults)
      store(varve_crc32c(0, base, Offset.checksum), Offset.checksum)
      return try body(UnsafeRawBufferPointer(start: base, count: Self.byteCount))
    }
  }
}
