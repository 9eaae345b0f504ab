import VarveCore
import VarveTestSupport

/// Collections: elements, keys, positions, and types.
extension ConditionSource {
  static let quantifiers: [Condition.Quantifier] = [.any, .all, .none]

  /// Paths with many values, and the type of the values.
  var manyPaths: [(path: QueryPath, type: OracleType)] {
    var paths: [(QueryPath, OracleType)] = []
    for type in OracleType.allCases {
      for kind in ["List", "Set", "Map"] {
        paths.append((QueryPath([.property(type.rawValue + kind), .elements]), type))
      }
      paths.append((QueryPath([.property(type.rawValue + "Map"), .keys]), .string))
    }
    for parts in ["partList", "partSet", "partMap"] {
      let elements = QueryPath([.property(parts), .elements])
      paths.append((elements.appending(.property("number")), .int))
      paths.append((elements.appending(.property("name")), .string))
      paths.append((elements.appending(QueryPath(["other", "ratio"])), .double))
      paths.append((elements.appending(QueryPath([.property("tags"), .elements])), .string))
      paths.append((elements.appending(QueryPath([.property("scores"), .keys])), .string))
      paths.append((elements.appending(QueryPath([.property("scores"), .key("k")])), .int))
      paths.append((elements.appending(QueryPath([.property("value"), .type])), .string))
    }
    let items = className == "OracleItem" ? "items" : "indexedItems"
    paths += [
      (QueryPath([.property("part"), .property("tags"), .elements]), .string),
      (QueryPath([.property("next"), .property("intList"), .elements]), .int),
      (QueryPath([.property("previous"), .elements, .property("int32")]), .int32),
      (QueryPath([.links(className: className, property: "next"), .property("mixed")]), .mixed),
      (QueryPath([.property("part"), .property(items), .elements, .property("double")]), .double),
      (QueryPath([.property("mixed"), .elements]), .mixed),
      (QueryPath([.property("mixed"), .keys]), .string),
      (QueryPath([.property("mixed"), .element(.last), .elements]), .mixed),
      (QueryPath([.property("mixedList"), .elements, .elements]), .mixed),
      (QueryPath([.property("mixedList"), .elements, .key("a")]), .mixed),
      (QueryPath([.property("mixedList"), .elements, .type]), .string),
      (QueryPath([.property("mixedMap"), .elements, .type]), .string),
    ]
    return paths
  }

  func addQuantified() {
    for (path, type) in manyPaths {
      for quantifier in ConditionSource.quantifiers {
        for operation in ConditionSource.relations(of: type) {
          add(.path(path), operation, constant(for: type), quantifier)
        }
        let samples = constants(for: type)
        add(.path(path), .notEqual, .constant(.null), quantifier)
        add(.path(path), .in, .constants([.null, random.pick(samples)]), quantifier)
        add(.path(path), .between, .constants([samples[0], samples[1]]), quantifier)
        add(constant(for: type), random.pick(ConditionSource.equality), .path(path), quantifier)
        if type == .string {
          add(.path(path), .contains, .constant(.string("B")), quantifier, .caseless)
        }
        // `property IN collection`, and the reverse.
        let single = type == .mixed ? "mixed" : type.rawValue + "OrNull"
        add(.path(path), .equal, .path(single), quantifier)
        add(.path(single), random.pick(ConditionSource.relations), .path(path), quantifier)
      }
    }
    for collection in ["partList", "partSet", "partMap"] {
      for quantifier in ConditionSource.quantifiers {
        for object in [parts[0], parts[3], others[0], others[1]] {
          add(
            .steps(.property(collection), .elements), .equal, .constant(.object(object)),
            quantifier)
        }
        add(.steps(.property(collection), .elements), .equal, .path("part"), quantifier)
        add(.steps(.property(collection), .elements), .notEqual, .constant(.null), quantifier)
      }
    }
    add(.steps(.links(className: className, property: "next")), .equal, .path(.itself))
    add(.steps(.property("previous"), .elements), .equal, .path("next"), .none)
  }

  /// The value for a key and the element at a position, including absent ones.
  func addOccurrences() {
    let positions: [QueryPath.Position] = [
      .first, .last, .index(0), .index(2), .index(7), .index(.max),
    ]
    for type in OracleType.allCases {
      for position in positions {
        let path = QueryExpression.steps(
          .property(type.rawValue + "List"), .element(position))
        add(path, random.pick(ConditionSource.relations(of: type)), constant(for: type))
        add(path, random.pick(ConditionSource.equality), .constant(.null))
      }
      for key in ["k", "", "Ä", "absent"] {
        let path = QueryExpression.steps(.property(type.rawValue + "Map"), .key(key))
        add(path, random.pick(ConditionSource.relations(of: type)), constant(for: type))
        add(path, random.pick(ConditionSource.equality), .constant(.null))
      }
    }
    let paths: [(QueryExpression, OracleType)] = [
      (.steps(.property("partList"), .element(.first), .property("number")), .int),
      (.steps(.property("partList"), .element(.last), .property("name")), .string),
      (.steps(.property("partMap"), .key("k"), .property("name")), .string),
      (.steps(.property("part"), .property("scores"), .key("k")), .int),
      (.steps(.property("next"), .property("intList"), .element(.index(1))), .int),
      (.steps(.property("mixed"), .key("k")), .mixed),
      (.steps(.property("mixed"), .key("a")), .int),
      (.steps(.property("mixed"), .element(.first)), .int),
      (.steps(.property("mixed"), .element(.last), .element(.index(2))), .mixed),
      (.steps(.property("mixed"), .key("k"), .element(.first)), .int),
      (.steps(.property("mixedMap"), .key("k")), .mixed),
      (.steps(.property("next"), .property("mixed"), .key("a")), .int),
    ]
    for (path, type) in paths {
      for operation in ConditionSource.relations(of: type) {
        add(path, operation, constant(for: type))
        add(path, operation, .constant(.null))
      }
    }
  }

  func addTypes() {
    let names = [
      "null", "bool", "int", "float", "double", "decimal", "string", "binary", "date", "uuid",
      "objectid", "object", "list", "dictionary",
    ]
    let mixed = QueryPath.Step.property("mixed")
    for name in names {
      let constant = QueryExpression.constant(.string(name))
      add(.steps(mixed, .type), random.pick(ConditionSource.equality), constant)
      add(.steps(.property("next"), mixed, .type), .equal, constant)
      add(.steps(.property("part"), .property("value"), .type), .notEqual, constant)
      add(.steps(mixed, .key("a"), .type), .equal, constant)
      add(.steps(.property("mixedMap"), .key("k"), .type), .equal, constant)
      for quantifier in ConditionSource.quantifiers {
        add(.steps(.property("mixedList"), .elements, .type), .equal, constant, quantifier)
      }
    }
    add(.steps(mixed, .type), .in, .constants([.string("int"), .string("object")]))
    add(.steps(.type), .equal, .constant(.string("object")))
    add(.steps(.property("next"), .type), .equal, .constant(.null))
  }
}
