import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct RowEqualityTests {
  @Test func propertiesAreComparedByBytesAcrossLayouts() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let kinds = (0..<10).map { _ in random.kind() }
      let layouts = [UInt16(1), 2].map { id in
        RowLayout(
          id: id,
          properties: (0..<10).shuffled(using: &random).map { (UInt32($0), kinds[$0], true) })
      }
      let first = RowBuffer(layout: layouts[0])
      var model = try random.fill(first)
      let before = model
      let second = RowBuffer(layout: layouts[1])
      try second.load(from: first.reader, converting: layouts[1]) { _ in nil }
      for field in layouts[1].fields where random.oneIn(3) {
        try random.set(field, in: second, &model)
      }
      for field in layouts[0].fields {
        let id = field.propertyID
        let other = try #require(layouts[1].field(forProperty: id))
        let isEqual = try first.reader.isEqual(field, to: second.reader, other)
        if isEqual {
          #expect(before.values[id] == model.values[id], "\(random)")
          #expect(before.slots[id] == model.slots[id], "\(random)")
          #expect(before.elements[id] == model.elements[id], "\(random)")
        } else {
          // Zeros of both signs are equal as values but not as bytes, and so are NaNs.
          #expect(
            before.values[id] != model.values[id] || before.slots[id] != model.slots[id]
              || before.elements[id] != model.elements[id]
              || [.float, .double, .decimal128, .mixed].contains(field.kind.type), "\(random)")
        }
      }
    }
  }
}
