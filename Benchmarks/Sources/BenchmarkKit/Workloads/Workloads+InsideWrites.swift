/// W3w: the queries of W3, and lookups, inside a write that has changed a hundred objects, and the
/// same queries outside the write.
///
/// Each repetition uses new constants and new results. Inside the write, one more object is changed
/// before each query.
extension Workload {
  /// The suffix of the name of a query outside a write.
  static let outsideVariant = "-outside"

  static let questionsInWrites: [Workload] = [
    question("W3w-read-all", "iterate 100 k objects, read one property") { _, _ in .readAges },
    question("W3w-sum", "sum of a property") { _, _ in .sumOfAges },
    question("W3w-max", "maximum of a property") { _, _ in
      .greatestScore(isIndexed: false)
    },
    question("W3w-max-indexed", "maximum of an indexed property") { _, _ in
      .greatestScore(isIndexed: true)
    },
    question("W3w-max-key", "maximum of the primary key") { _, _ in .greatestID },
    question("W3w-first-indexed", "first object in the order of an indexed property") { _, _ in
      .highest
    },
    question("W3w-last-key", "last object in the order of the primary key") { _, _ in .last },
    question("W3w-first-100", "first 100 objects by a property") { number, _ in
      .lowest(100 - number, isIndexed: false)
    },
    question("W3w-first-100-indexed", "first 100 objects by an indexed property") { number, _ in
      .lowest(100 - number, isIndexed: true)
    },
    question("W3w-range", "count age > n") { number, _ in
      .olderCount(30 + number, isIndexed: false)
    },
    question("W3w-range-indexed", "count age > n with an index") { number, _ in
      .olderCount(30 + number, isIndexed: true)
    },
    question("W3w-equal", "count age = n") { number, _ in
      .agedCount(30 + number, isIndexed: false)
    },
    question("W3w-equal-indexed", "count age = n with an index") { number, _ in
      .agedCount(30 + number, isIndexed: true)
    },
    question("W3w-prefixes", "count three prefixes of strings") { number, _ in
      .prefixedCount(prefixes(number), isIndexed: false)
    },
    question("W3w-prefixes-indexed", "count three prefixes of strings with an index") {
      number, _ in
      .prefixedCount(prefixes(number), isIndexed: true)
    },
    question("W3w-in-indexed", "count 1,000 names with an index") { number, model in
      .namedCount(
        Inputs.indexes(1000, below: model.members.count, seed: 30 + UInt64(number))
          .map { model.members[$0].name })
    },
    question("W3w-range-order-indexed", "first 20 of a range in the order of its index") {
      number, _ in
      .rangeInOrder(Double(UInt64(number + 5) << 46))
    },
    question("W3w-page-indexed", "next 20 objects in the order of an index") { number, model in
      .page(after: member(number, model).id)
    },
    question("W3w-filter-page-indexed", "first 20 of one age by an indexed property") { number, _ in
      .filteredPage(age: 30 + number)
    },
    question("W3w-key", "look up by primary key") { number, model in
      .member(id: member(number, model).id)
    },
    question("W3w-unique", "look up by a unique property") { number, model in
      .coded(member(number, model).code)
    },
    question("W3w-backlinks", "objects that link to a given one") { number, model in
      .students(of: number * 31 % max(1, model.members.count / 10))
    },
    question("W3w-word", "count objects with a word of a full-text index") { number, _ in
      .withWords([Issue.word(number * 17)])
    },
    question("W3w-words", "count objects with two words of a full-text index") { number, model in
      .withWords(member(number, model).wordNumbers.prefix(2).map(Issue.word))
    },
    question("W3w-plan", "parse and plan a query") { number, _ in .plan(age: 30 + number) },
  ]

  /// The number of repetitions of each query inside, and also outside, the write.
  private static let times = 20

  /// The number of objects that are changed before the first query.
  private static let changesBefore = 100

  private static func question(
    _ name: String, _ summary: String,
    _ question: @escaping @Sendable (Int, MemberModel) -> MemberQuestion
  ) -> Workload {
    Workload(name, summary, 100_000, on: .members, isLatency: true) {
      (engine: any MemberEngine, context) in
      let committed = MemberModel(count: context.stored)
      var (outside, inside): ([Double], [Double]) = ([], [])
      try engine.readMembers { reader in
        for number in 0..<times {
          outside.append(try time(question(number, committed), of: reader, committed, context))
        }
      }
      try engine.writeMembers { writer in
        var model = committed
        for _ in 0..<changesBefore { try writer.change(model.change()) }
        for number in times..<2 * times {
          try writer.change(model.change())
          inside.append(try time(question(number, model), of: writer, model, context))
        }
        try context.check(writer.answer(.readAges), model.answer(.readAges))
      }
      // The write was rolled back.
      try engine.readMembers { reader in
        try context.check(reader.answer(.readAges), committed.answer(.readAges))
      }
      return [
        context.sample(times: inside), context.sample(times: outside, variant: outsideVariant),
      ]
    }
  }

  private static func time(
    _ question: MemberQuestion, of reader: any MemberReader, _ model: MemberModel,
    _ context: WorkloadContext
  ) throws -> Double {
    let expected = model.answer(question)
    let start = ContinuousClock.now
    let found = try reader.answer(question)
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    try context.check(found, expected)
    return elapsed
  }

  private static func prefixes(_ number: Int) -> [String] {
    (0..<3).map { String(Person.name(SplitMix.mix(UInt64(number * 3 + $0))).prefix(2)) }
  }

  private static func member(_ number: Int, _ model: MemberModel) -> Member {
    model.members[Int(SplitMix.mix(UInt64(number)) % UInt64(model.members.count))]
  }
}
