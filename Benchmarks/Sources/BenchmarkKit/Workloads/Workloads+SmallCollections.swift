/// W4 and W5: objects with small collections.
extension Workload {
  static let smallLists: [Workload] = [
    Workload(
      "W4-small", "insert 100 k objects, each with a list of five strings, 1,000 per transaction",
      100_000
    ) {
      (engine: any SmallListEngine, context) in
      let lists = SmallCollections.lists(context.count)
      return try context.time(Expected.lists(lists)) {
        try engine.insertSmallLists(lists, perTransaction: 1000)
      } then: {
        try Expected.lists(engine.readSmallLists())
      }
    },
    Workload(
      "W4-small-change", "100 k changes of random elements of these lists, 1,000 per transaction",
      100_000, on: .smallLists, changesStore: true
    ) {
      (engine: any SmallListEngine, context) in
      let changes = SmallCollections.listChanges(context.count, of: context.stored)
      var lists = SmallCollections.lists(context.stored)
      for change in changes { lists[change.id][change.index] = change.element }
      return try context.time(Expected.lists(lists)) {
        try engine.changeSmallLists(changes, perTransaction: 1000)
      } then: {
        try Expected.lists(engine.readSmallLists())
      }
    },
  ]

  static let smallMaps: [Workload] = [
    Workload(
      "W5a-small",
      "insert 100 k objects, each with a dictionary of five string keys, 1,000 per transaction",
      100_000
    ) {
      (engine: any SmallMapEngine, context) in
      let maps = SmallCollections.maps(context.count)
      return try context.time(Expected.maps(maps.map(plain))) {
        try engine.insertSmallMaps(maps, perTransaction: 1000)
      } then: {
        try Expected.maps(engine.readSmallMaps())
      }
    },
    Workload(
      "W5a-small-change",
      "100 k changes of random values of these dictionaries, 1,000 per transaction", 100_000,
      on: .smallMaps, changesStore: true
    ) {
      (engine: any SmallMapEngine, context) in
      let changes = SmallCollections.mapChanges(context.count, of: context.stored)
      var maps = SmallCollections.maps(context.stored).map(plain)
      for change in changes { maps[change.id][change.key] = change.value }
      return try context.time(Expected.maps(maps)) {
        try engine.changeSmallMaps(changes, perTransaction: 1000)
      } then: {
        try Expected.maps(engine.readSmallMaps())
      }
    },
    Workload(
      "W5-counter",
      "20,000 commits of one incremented value of a dictionary of five keys, without durability",
      20_000, on: .smallMaps, stored: 1, changesStore: true, durability: .none
    ) {
      (engine: any SmallMapEngine, context) in
      let key = SmallCollections.text(0, 2)
      var maps = SmallCollections.maps(context.stored).map(plain)
      maps[0][key, default: 0] += context.count
      return try context.time(Expected.maps(maps)) {
        try engine.incrementInSmallMap(0, key: key, times: context.count)
      } then: {
        try Expected.maps(engine.readSmallMaps())
      }
    },
  ]

  /// The keys of an object are distinct.
  private static func plain(_ map: [SmallMapEntry]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) })
  }
}
