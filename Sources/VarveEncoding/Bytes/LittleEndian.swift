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
  package func store(_ value: UInt8, at offset: Int) {
    storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
  }

  @inlinable @inline(__always)
  package func store(_ value: UInt16, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt16.self)
  }

  @inlinable @inline(__always)
  package func store(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  @inlinable @inline(__always)
  package func store(_ value: UInt64, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
}
