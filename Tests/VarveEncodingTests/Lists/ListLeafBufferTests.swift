import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ListLeafBufferTests {
  static let formats: [(PropertyType, Bool)] = (SeededRandom.storedTypes + [.mixed])
    .flatMap { [($0, false), ($0, true)] }

  @Test(arguments: formats)
  func editsAgreeWithArray(type: PropertyType, isNullable: Bool) throws {
    var random = SeededRandom()
    let format = ListElementFormat(type: type, isNullable: isNullable)
    let buffer = ListLeafBuffer(format: format)
    var model: [Value] = []
    for _ in 0..<300 {
      try edit(buffer, &model, type, isNullable, &random)
      while buffer.byteCount > ListNode.maximumBytes {
        let lower = random.int(0...buffer.count - 1)
        buffer.remove(lower..<buffer.count)
        model.removeSubrange(lower...)
      }
      if random.oneIn(10) {
        check(buffer, model, "\(random)")
        try checkNode(buffer, model, "\(random)")
      }
    }
  }

  private func edit(
    _ buffer: ListLeafBuffer, _ model: inout [Value], _ type: PropertyType, _ isNullable: Bool,
    _ random: inout SeededRandom
  ) throws {
    var value = isNullable && random.oneIn(4) ? .null : random.value(type)
    if case .string(let text) = value, random.oneIn(4) {
      value = .string(text + String(repeating: "x", count: 500))
    }
    if case .link(_, let id) = value, type == .link { value = .link(classID: 0, objectID: id) }
    let index = random.int(0...model.count)
    switch random.int(0...9) {
    case 0 where !model.isEmpty:
      let lower = random.int(0...model.count - 1)
      let upper = random.int(lower...min(model.count, lower + 4))
      buffer.remove(lower..<upper)
      model.removeSubrange(lower..<upper)
    case 1 where index < model.count, 2 where index < model.count:
      try buffer.replace(value, at: index)
      model[index] = value
    case 3, 4, 5:
      try buffer.append(value)
      model.append(value)
    default:
      try buffer.insert(value, at: index)
      model.insert(value, at: index)
    }
  }

  @Test(arguments: formats)
  func movingAndCopyingKeepsElements(type: PropertyType, isNullable: Bool) throws {
    var random = SeededRandom()
    for _ in 0..<20 {
      let (buffer, model) = try random.leaf(type, isNullable)
      let right = ListLeafBuffer(format: buffer.format)
      let index = random.int(0...buffer.count)
      right.insert(from: buffer, index..<buffer.count, at: 0)
      buffer.remove(index..<buffer.count)
      check(buffer, Array(model[..<index]), "\(random)")
      check(right, Array(model[index...]), "\(random)")
      if random.oneIn(2) {
        buffer.insert(from: right, 0..<right.count, at: buffer.count)
      } else {
        try right.finish { Array($0) }.lend {
          let leaf = try ListLeaf(validating: $0, format: right.format)
          try buffer.insert(from: leaf, 0..<leaf.count, at: buffer.count)
        }
      }
      check(buffer, model, "\(random)")
      try buffer.finish { Array($0) }.lend {
        try right.load(try ListLeaf(validating: $0, format: buffer.format))
      }
      check(right, model, "\(random)")
    }
  }

  @Test(arguments: formats)
  func rangesOfOtherLeavesAreInserted(type: PropertyType, isNullable: Bool) throws {
    var random = SeededRandom()
    for _ in 0..<20 {
      var (buffer, model) = try random.leaf(type, isNullable)
      let (other, more) = try random.leaf(type, isNullable)
      let lower = random.int(0...more.count)
      let range = lower..<random.int(lower...more.count)
      let index = random.int(0...model.count)
      if random.oneIn(2) {
        buffer.insert(from: other, range, at: index)
      } else {
        try other.finish { Array($0) }.lend {
          try buffer.insert(
            from: try ListLeaf(validating: $0, format: other.format), range, at: index)
        }
      }
      model.insert(contentsOf: more[range], at: index)
      check(buffer, model, "\(random)")
      buffer = other
      check(buffer, more, "\(random)")
    }
  }

  @Test func bytesMatchFormat() throws {
    let packed = ListLeafBuffer(format: ListElementFormat(type: .int64, isNullable: false))
    packed.append(bits64: 1)
    packed.append(bits64: .max)
    #expect(
      hex(packed.finish { Array($0.dropFirst(4)) })
        == "01" + "05" + "0200" + "1c000000" + "0100000000000000" + "ffffffffffffffff")
    let nullable = ListLeafBuffer(format: ListElementFormat(type: .int16, isNullable: true))
    try nullable.append(.int(1))
    try nullable.append(.null)
    #expect(
      hex(nullable.finish { Array($0.dropFirst(4)) }) == "01" + "83" + "0200" + "12000000"
        + "010100" + "000000")
    let variable = ListLeafBuffer(format: .variable)
    try variable.append(.string("ab"))
    try variable.append(.null)
    #expect(
      hex(variable.finish { Array($0.dropFirst(4)) })
        == "01" + "00" + "0200" + "14000000" + "0300" + "0400" + "086162" + "00")
  }

  @Test func lengthMatchesFormat() throws {
    let packed = ListLeafBuffer(format: ListElementFormat(type: .int64, isNullable: false))
    for value in 0..<UInt64(249) { packed.append(bits64: value) }
    #expect(packed.byteCount > ListNode.maximumBytes)
    packed.remove(248..<249)
    #expect(packed.finish { $0.count } == 1996)
    let variable = ListLeafBuffer(format: .variable)
    for _ in 0..<4 { try variable.append(.string(String(repeating: "x", count: 497))) }
    // 12 + n * (2 + 498)
    #expect(variable.byteCount == 2012 && variable.byteCount(ofFirst: 3) == 1512)
  }

  @Test func integersAreStoredUpToLimitsOfWidth() throws {
    for (type, ends) in [
      (PropertyType.int8, Int64(Int8.min)...Int64(Int8.max)),
      (.int16, Int64(Int16.min)...Int64(Int16.max)), (.int32, Int64(Int32.min)...Int64(Int32.max)),
      (.int64, .min ... .max),
    ] {
      let buffer = ListLeafBuffer(format: ListElementFormat(type: type, isNullable: false))
      let values = [ends.lowerBound, -1, 0, ends.upperBound].map { Value.int($0) }
      for value in values { try buffer.append(value) }
      check(buffer, values, "\(type)")
      guard type != .int64 else { continue }
      for value in [ends.lowerBound - 1, ends.upperBound + 1, .min, .max] {
        #expect(throws: FormatError.self) { try buffer.append(.int(value)) }
      }
      #expect(buffer.count == 4)
    }
  }

  @Test func elementOfSameBufferCanBeInserted() throws {
    let buffer = ListLeafBuffer(format: .variable)
    try buffer.append(.string("first"))
    try buffer.append(.string("second"))
    buffer.insert(bytes: buffer.bytes(at: 1), at: 0)
    buffer.replace(bytes: buffer.bytes(at: 1), at: 2)
    check(buffer, [.string("second"), .string("first"), .string("first")], "")
  }

  private func checkNode(_ buffer: ListLeafBuffer, _ model: [Value], _ comment: Comment) throws {
    try buffer.finish { Array($0) }.lend { bytes in
      #expect(bytes.count == buffer.byteCount, comment)
      let leaf = try ListLeaf(validating: bytes, format: buffer.format)
      try ListNode.verifyChecksum(bytes)
      #expect(leaf.count == model.count, comment)
      for (index, value) in model.enumerated() {
        let found = try leaf.value(at: index)
        #expect(found == .value(value), comment)
        if leaf.format.isPacked { #expect(leaf.isNull(at: index) == value.isNull, comment) }
      }
    }
    guard !model.isEmpty else { return }
    let inRow = try ListLeaf(
      elements: buffer.elements, count: model.count, format: buffer.format)
    for (index, value) in model.enumerated() {
      let found = try inRow.value(at: index)
      #expect(found == .value(value), comment)
    }
    expectError(.badLength) {
      try ListLeaf(
        elements: UnsafeRawBufferPointer(rebasing: buffer.elements.dropLast()),
        count: model.count, format: buffer.format)
    }
  }

  private func check(_ buffer: ListLeafBuffer, _ model: [Value], _ comment: Comment) {
    #expect(buffer.count == model.count, comment)
    for index in 0..<min(buffer.count, model.count) {
      let found = try? buffer.value(at: index)
      #expect(found == .value(model[index]), comment)
    }
  }
}

extension SeededRandom {
  /// A leaf within the size limit, and its elements.
  mutating func leaf(
    _ type: PropertyType, _ isNullable: Bool
  ) throws -> (ListLeafBuffer, [Value]) {
    let buffer = ListLeafBuffer(format: ListElementFormat(type: type, isNullable: isNullable))
    var model: [Value] = []
    for _ in 0..<int(0...40) {
      var value = isNullable && oneIn(4) ? .null : value(type)
      if case .link(_, let id) = value, type == .link { value = .link(classID: 0, objectID: id) }
      try buffer.append(value)
      model.append(value)
    }
    return (buffer, model)
  }
}
