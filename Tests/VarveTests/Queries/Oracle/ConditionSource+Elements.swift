import VarveCore
import VarveTestSupport

extension ConditionSource {
  /// Conditions on the elements of a collection of the given type.
  func addElements(of type: OracleType) {
    let itself = QueryExpression.path(.itself)
    let constants = constants(for: type)
    for operation in ConditionSource.relations(of: type) {
      for _ in 0..<3 { add(itself, operation, .constant(random.pick(constants))) }
      add(itself, operation, .constant(.null))
    }
    add(itself, .in, .constants([.null, random.pick(constants), random.pick(constants)]))
    add(constant(for: type), .equal, itself)
    if type.hasOrder {
      add(itself, .between, .constants([random.pick(constants), random.pick(constants)]))
    }
    if type == .string || type == .mixed {
      add(itself, .contains, .constant(.string("B")), .any, .caseless)
      add(itself, .like, .constant(.string("?b*")), .any, .diacriticless)
    }
    if type.isNumber || type == .mixed {
      let sum = QueryExpression.arithmetic(.add, itself, .constant(.int(1)))
      add(sum, random.pick(ConditionSource.orders), constant(for: .int))
    }
    if type == .mixed {
      add(.steps(.type), .equal, .constant(.string("int")))
      add(.steps(.type), .notEqual, .constant(.string("list")))
      add(.steps(.key("a")), .greaterOrEqual, .constant(.int(1)))
      add(.steps(.element(.first)), .less, .constant(.double(1.5)))
      add(.steps(.element(.last), .element(.index(2))), .equal, .constant(.string("a")))
      add(.steps(.elements), .equal, .constant(.int(2)))
      add(.aggregate(.count, .elements), .equal, .constant(.int(2)))
    }
    addTrees(12)
  }
}
