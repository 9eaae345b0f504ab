import Testing
import VarveEncoding

@Suite struct ByteReaderTests {
  @Test func numbersAreLittleEndianAtAnyAddress() throws {
    try hex("01 0203 04050607 08090a0b0c0d0e0f 00 01").lend { bytes throws(FormatError) in
      var reader = ByteReader(bytes)
      let (one, two, four, eight) = (
        try reader.uint8(), try reader.uint16(), try reader.uint32(), try reader.uint64()
      )
      #expect(one == 0x01)
      #expect(two == 0x0302)
      #expect(four == 0x0706_0504)
      #expect(eight == 0x0f0e_0d0c_0b0a_0908)
      let flags = [try reader.flag(), try reader.flag()]
      #expect(flags == [false, true])
      try reader.finish()
    }
  }

  @Test func missingBytesThrowAndConsumeNothing() {
    hex("010203").lend { bytes in
      var reader = ByteReader(bytes)
      let error = thrownError { try reader.uint32() }
      #expect(error == FormatError(.truncated, "", offset: 0, expected: 4, found: 3))
      #expect(reader.remaining == 3)
    }
  }

  @Test func emptyBytesAreReadable() throws {
    var reader = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    let empty = try reader.slice(0)
    #expect(empty.isEmpty)
    try reader.finish()
    expectError(.truncated) { try reader.uint8() }
  }

  @Test func trailingBytesThrow() {
    hex("00").lend { bytes in
      let error = thrownError { try ByteReader(bytes).finish() }
      #expect(error == FormatError(.trailingBytes, "", offset: 0, expected: 0, found: 1))
    }
  }

  @Test func invalidUTF8Throws() {
    hex("02000000 c328").lend { bytes in
      var reader = ByteReader(bytes)
      let error = thrownError { try reader.string() }
      #expect(error == FormatError(.badText, ""))
    }
  }

  @Test func flagOtherThanZeroAndOneThrows() {
    hex("02").lend { bytes in
      var reader = ByteReader(bytes)
      let error = thrownError { try reader.flag() }
      #expect(error == FormatError(.badValue, "", offset: 0, found: 2))
    }
  }
}
