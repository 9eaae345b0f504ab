import VarveCore
import VarveTestSupport

/// Properties compared with constants and other properties.
extension ConditionSource {
  /// Each property compared with constants of each type.
  func addScalars() {
    for type in OracleType.allCases where type != .mixed {
      for (name, isWhole) in [
        (type.rawValue, false),
        (type.rawValue + "OrNull", [.int, .double, .decimal].contains(type)),
      ] {
        for (index, constant) in constants(for: type).enumerated() {
          let relations = ConditionSource.relations(of: type)
          let isEach = isWhole || !type.isNumber
          for (turn, operation) in relations.enumerated() where isEach || (turn + index) % 4 == 0 {
            add(.path(name), operation, .constant(constant))
          }
        }
      }
    }
    let things = [parts[0], parts[1], others[0], others[1], items[0]].map { OracleValue.object($0) }
    for constant in constants(for: .mixed) + things {
      for operation in ConditionSource.relations {
        add(.path("mixed"), operation, .constant(constant))
      }
    }
  }

  /// IN and BETWEEN.
  func addSets() {
    for type in OracleType.allCases {
      let constants = constants(for: type)
      for name in type == .mixed ? ["mixed"] : [type.rawValue, type.rawValue + "OrNull"] {
        let sets = [[], [.null], constants, Array(constants.prefix(3))]
        for set in sets { add(.path(name), .in, .constants(set)) }
        for _ in 0..<4 {
          add(.path(name), .in, .constants((0..<3).map { _ in random.pick(constants) }))
        }
        if type.hasOrder {
          for _ in 0..<12 {
            add(
              .path(name), .between,
              .constants([random.pick(constants), random.pick(constants)]))
          }
        }
      }
    }
    for name in ["string", "stringOrNull", "mixed"] {
      add(
        .path(name), .in, .constants([.string("abc"), .string("ÄBC"), .null]), .any, .caseless)
    }
  }

  /// Substrings, parts of data, and case- and diacritic-insensitive strings.
  func addTexts() {
    let parts: [OracleValue] =
      OracleSamples.values(of: .string) + ["b", "BC", "equal", "x", "ä", "z"].map { .string($0) }
      + [.null, .data([97]), .int(1)]
    let foldings: [TextFolding] = [[], .caseless, .diacriticless, [.caseless, .diacriticless]]
    let searches: [Condition.Operation] = [.beginsWith, .endsWith, .contains]
    for name in ["string", "stringOrNull", "mixed"] {
      for part in parts {
        for operation in searches + ConditionSource.equality {
          let folding = random.pick(foldings)
          add(.path(name), operation, .constant(part), .any, folding)
          if name == "stringOrNull", !folding.isEmpty {
            add(.path(name), operation, .constant(part))
          }
        }
      }
      add(.path(name), .contains, .path("stringOrNull"))
      add(.path("string"), .beginsWith, .path(name), .any, .caseless)
      addPatterns(name, foldings)
    }
    for name in ["data", "dataOrNull", "mixed"] {
      for part in OracleSamples.values(of: .data) + [.data([98]), .null, .string("a")] {
        for operation in searches { add(.path(name), operation, .constant(part)) }
      }
    }
  }

  private func addPatterns(_ name: String, _ foldings: [TextFolding]) {
    for pattern in ["", "*", "?", "a*", "*c", "?b?", "a?c", "*b*", "an*x", "**", "A*C"] {
      add(.path(name), .like, .constant(.string(pattern)), .any, random.pick(foldings))
    }
    for pattern in ["", ".*", "a.c", "[aA]b+.*", "b", "(abc|abd)", "A.*X"] {
      add(.path(name), .matches, .constant(.string(pattern)))
    }
    add(.path(name), .like, .constant(.null))
  }

  /// Two properties, and a constant on the left.
  func addPairs() {
    let numbers = OracleType.allCases.filter(\.isNumber)
    for a in numbers {
      for b in numbers {
        for operation in [
          random.pick(ConditionSource.equality), random.pick(ConditionSource.orders),
        ] {
          add(.path(a.rawValue), operation, .path(b.rawValue + "OrNull"))
        }
      }
    }
    for type in OracleType.allCases where type != .mixed {
      for operation in ConditionSource.relations(of: type) {
        add(.path(type.rawValue), operation, .path(type.rawValue + "OrNull"))
        add(constant(for: type), operation, .path(type.rawValue + "OrNull"))
      }
      for operation in ConditionSource.relations {
        add(.path("mixed"), operation, .path(type.rawValue + "OrNull"))
      }
      add(.path(type.rawValue), .equal, .path(type.rawValue))
      add(.path(type.rawValue + "OrNull"), .notEqual, .path("string"))
    }
    for operation in ConditionSource.relations {
      add(.path("mixed"), operation, .path("mixed"))
      add(.path("mixed"), operation, .path("next", "mixed"))
      add(.constant(.int(1)), operation, .constant(.double(1)))
      add(.constant(.null), operation, .path("next"))
    }
    add(.path("next"), .equal, .path("next"))
    add(.path("part"), .notEqual, .path("next", "part"))
    add(.constant(.object(parts[0])), .equal, .path("part"))
  }

  /// Paths over links, including null links.
  func addLinks() {
    for path in [["next"], ["part"], ["part", "other"], ["next", "part"], ["next", "next"]] {
      for constant in [OracleValue.null] + (parts + others + items.prefix(4)).map({ .object($0) }) {
        add(.path(QueryPath(path)), random.pick(ConditionSource.equality), .constant(constant))
      }
      add(
        .path(QueryPath(path)), .in,
        .constants([.null, .object(parts[2]), .object(items[3]), .object(others[0])]))
    }
    for item in items.prefix(3) + others {
      add(.path(.itself), .equal, .constant(.object(item)))
      add(.path(.itself), .notEqual, .constant(.object(item)))
    }
    add(.path(.itself), .in, .constants(items.prefix(5).map { .object($0) }))
    add(.path("next"), .equal, .path(.itself))
    let ends: [([String], OracleType)] = [
      (["next", "int"], .int), (["next", "stringOrNull"], .string), (["next", "mixed"], .mixed),
      (["next", "next", "doubleOrNull"], .double), (["part", "number"], .int),
      (["part", "name"], .string), (["part", "other", "ratio"], .double),
      (["next", "part", "value"], .mixed), (["part", "other", "other", "number"], .decimal),
      (["next", "dateOrNull"], .date), (["next", "uuid"], .uuid), (["next", "bool"], .bool),
    ]
    for (names, type) in ends {
      for operation in ConditionSource.relations(of: type) {
        for _ in 0..<3 { add(.path(QueryPath(names)), operation, constant(for: type)) }
        add(.path(QueryPath(names)), operation, .constant(.null))
      }
    }
  }
}
