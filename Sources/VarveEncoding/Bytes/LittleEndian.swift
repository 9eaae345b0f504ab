// Values in LMDB are only 2-byte aligned, so every load is an unaligned one.

extension UnsafeRawPointer {
  @inlinable @inline(__always)
  package func uint8(at offset: Int) -> UInt8 {
    load(fromByteOffset: offset, as: UInt8.self)
  }

  @inlinable @inline(__always)
  package func uint16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  @inlinable @inline(__always)
  package func uint32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inlinable @inline(__always)
  package func uint64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Loads an integer of 1, 2, 4 or 8 bytes with sign extension; 0 for any other width.
  @inlinable @inline(__always)
  package func int64(at offset: Int, width: Int) -> Int64 {
    switch width {
    case 8: Int64(bitPattern: uint64(at: offset))
    case 4: Int64(Int32(bitPattern: uint32(at: offset)))
    case 2: Int64(Int16(bitPattern: uint16(at: offset)))
    case 1: Int64(Int8(bitPattern: uint8(at: offset)))
    default: 0
    }
  }

  @inlinable @inline(__always)
  package func bigEndianUInt32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inlinable @inline(__always)
  package func bigEndianUInt64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension UnsafeMutableRawPointer {
  @inlinable @inline(__always)
  package func store<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ value: T, at offset: Int
  ) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }

  /// Stores an integer truncated to 1, 2, 4 or 8 bytes; does nothing for any other width.
  @inlinable @inline(__always)
  package func store(_ value: Int64, at offset: Int, width: Int) {
    switch width {
    case 8: store(UInt64(bitPattern: value), at: offset)
    case 4: store(UInt32(truncatingIfNeeded: value), at: offset)
    case 2: store(UInt16(truncatingIfNeeded: value), at: offset)
    case 1: store(UInt8(truncatingIfNeeded: value), at: offset)
    default: break
    }
  }
}

extension UnsafeRawBufferPointer {
  /// - Precondition: The bytes exist; likewise below.
  func uint16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  func uint32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func uint64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
