import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct RowConversionTests {
  @Test func commonPropertiesAreCopiedAndNewOnesGetConstants() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let kinds = (0..<16).map { _ in random.kind() }
      let old = layout(1, kinds, random.subset(of: 16))
      let new = layout(2, kinds, random.subset(of: 16))
      let source = RowBuffer(layout: old)
      let model = try random.fill(source)
      let row = source.finish { Array($0) }
      var constants: [UInt32: Value] = [:]
      for field in new.fields where field.kind.collection == .none && random.oneIn(2) {
        constants[field.propertyID] = random.stored(field).inline
      }
      let target = RowBuffer(layout: old)
      try row.lend {
        try target.load(from: try RowReader(validating: $0, layout: old), converting: new) {
          constants[$0.propertyID]
        }
      }
      var expected = RowModel()
      for field in new.fields {
        let id = field.propertyID
        if old.field(forProperty: id) != nil {
          expected.values[id] = model.values[id]
          expected.slots[id] = model.slots[id]
          expected.elements[id] = model.elements[id]
        } else if let constant = constants[id] {
          expected.values[id] = .value(constant)
        } else if field.nullBit >= 0 {
          expected.values[id] = .value(.null)
        } else if field.kind.collection != .none {
          expected.slots[id] = CollectionSlot.none
        }
      }
      try target.finish { Array($0) }.lend {
        let reader = try RowReader(validating: $0, layout: new)
        try reader.verifyChecksum()
        check(reader, expected, "\(random)")
        #expect(reader.touches.allSatisfy { new.field(forProperty: $0.propertyID) != nil })
      }
    }
  }

  @Test func nullBecomesZeroWhereNewLayoutForbidsIt() throws {
    let old = RowLayout(
      id: 1, properties: [(1, PropertyKind(type: .int64, isNullable: true), true)])
    let new = RowLayout(id: 2, properties: [(1, PropertyKind(type: .int64), true)])
    let row = RowBuffer(layout: old).finish { Array($0) }
    let buffer = RowBuffer(layout: new)
    try row.lend {
      try buffer.load(from: try RowReader(validating: $0, layout: old), converting: new) { _ in nil
      }
    }
    #expect(try buffer.reader.value(new.fields[0]) == .value(.int(0)))
  }

  @Test func propertyWithChangedTypeGetsConstant() throws {
    let old = RowLayout(id: 1, properties: [(1, PropertyKind(type: .int64), true)])
    let new = RowLayout(id: 2, properties: [(1, PropertyKind(type: .string), true)])
    let row = RowBuffer(layout: old).finish { Array($0) }
    let buffer = RowBuffer(layout: new)
    try row.lend {
      try buffer.load(from: try RowReader(validating: $0, layout: old), converting: new) { _ in
        .string("new")
      }
    }
    #expect(try buffer.reader.value(new.fields[0]) == .value(.string("new")))
  }

  private func layout(_ id: UInt16, _ kinds: [PropertyKind], _ properties: [Int]) -> RowLayout {
    RowLayout(id: id, properties: properties.map { (UInt32($0), kinds[$0], true) })
  }
}

extension SeededRandom {
  /// Some of the numbers below `count`, in any order.
  mutating func subset(of count: Int) -> [Int] {
    (0..<count).filter { _ in oneIn(2) }.shuffled(using: &self)
  }
}
