/// W4 and W5: a list and a dictionary.
extension Workload {
  static let lists: [Workload] = [
    Workload("W4a", "append 1 M integers to a list", 1_000_000) {
      (engine: any ListEngine, context) in
      try context.time(Expected.list(Array(0..<context.count))) {
        try engine.appendToList(context.count)
      } then: {
        try engine.makeListReader().readList(at: Array(0..<context.count))
      }
    },
    Workload("W4b", "100 k random reads of a list of 1 M", 100_000, on: .list, stored: 1_000_000) {
      (engine: any ListEngine, context) in
      let indexes = Inputs.indexes(context.count, below: context.stored)
      let reader = try engine.makeListReader()
      return try context.time(Expected.list(indexes)) { try reader.readList(at: indexes) }
    },
    Workload(
      "W4c", "10 k insertions at random indexes of a list of 1 M", 10_000, on: .list,
      stored: 1_000_000,
      changesStore: true
    ) { (engine: any ListEngine, context) in
      var list = Array(0..<context.stored)
      let insertions = Inputs.indexes(context.count, below: context.stored, seed: 4).enumerated()
        .map { (element: -$0.offset, index: $0.element) }
      for insertion in insertions { list.insert(insertion.element, at: insertion.index) }
      return try context.time(Expected.list(list)) {
        try engine.insertIntoList(insertions)
      } then: {
        try engine.makeListReader().readList(at: Array(0..<list.count))
      }
    },
    Workload(
      "W4d", "10 k removals at random indexes of a list of 1 M", 10_000, on: .list,
      stored: 1_000_000,
      changesStore: true
    ) { (engine: any ListEngine, context) in
      var list = Array(0..<context.stored)
      var random = SplitMix(seed: 5)
      let indexes = (0..<min(context.count, context.stored)).map { removed in
        Int(random.next() % UInt64(context.stored - removed))
      }
      for index in indexes { list.remove(at: index) }
      return try context.time(Expected.list(list)) {
        try engine.removeFromList(at: indexes)
      } then: {
        try engine.makeListReader().readList(at: Array(0..<list.count))
      }
    },
  ]

  static let maps: [Workload] = [
    Workload("W5a", "insert 100 k string keys into a dictionary", 100_000) {
      (engine: any MapEngine, context) in
      let keys = Inputs.keys(context.count)
      return try context.time(Expected.list(Array(0..<context.count))) {
        try engine.insertIntoMap(keys)
      } then: {
        try engine.makeMapReader().readMap(keys: keys)
      }
    },
    Workload("W5b", "100 k random reads of a dictionary of 100 k keys", 100_000, on: .map) {
      (engine: any MapEngine, context) in
      let indexes = Inputs.indexes(context.count, below: context.stored)
      let all = Inputs.keys(context.stored)
      let keys = indexes.map { all[$0] }
      let reader = try engine.makeMapReader()
      return try context.time(Expected.list(indexes)) { try reader.readMap(keys: keys) }
    },
    Workload("W5c", "iterate a dictionary of 100 k keys", 100_000, on: .map) {
      (engine: any MapEngine, context) in
      let reader = try engine.makeMapReader()
      return try context.time(Expected.map(context.stored)) { try reader.readWholeMap() }
    },
  ]
}
