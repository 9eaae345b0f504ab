import Foundation
import Varve

/// Reads everything in a store, in every available way.
struct DamageReading {
  /// A hash of everything that was read, in the order of reading. It is the same in all children of
  /// a process.
  private var hasher = Hasher()
  private let limit = 4000

  var digest: UInt64 { UInt64(bitPattern: Int64(hasher.finalize())) }

  mutating func note(_ value: some Hashable) { hasher.combine(value) }

  /// Reads all classes.
  mutating func read(_ realm: Realm) {
    let depots = realm.objects(Depot.self)
    for depot in depots { read(depot) }
    walk(depots) { $0.name }
    walk(realm.objects(DepotPart.self)) {
      "\($0.key) \($0.weight) \($0.home?.id ?? -1) \($0.depots.count)"
    }
    walk(realm.objects(DepotEvent.self)) { "\($0.number) \($0.price) \($0.mark.uuidString.count)" }
    for id in 0..<DamageStore.depotCount {
      note(realm.object(ofType: Depot.self, forPrimaryKey: id * 3)?.name ?? "none")
    }
    for number in 0..<DamageStore.partCount {
      let key = DamageStore.key(number)
      note(realm.object(ofType: DepotPart.self, forPrimaryKey: key)?.weight ?? -1)
    }
    query(depots, realm)
    sections(depots)
    others(depots, realm)
  }

  // MARK: Objects

  private mutating func read(_ depot: Depot) {
    note(depot.id)
    note(depot.name)
    note(depot.city ?? "none")
    note(depot.size)
    note(depot.since ?? .distantPast)
    note(depot.text ?? "none")
    note(depot.raw.count)
    // Data hashes only its first bytes.
    note(Array(depot.raw))
    note(any(depot.any))
    walk(depot.numbers) { "\($0)" }
    walk(depot.words) { $0 }
    let texts = depot.anything.map(any)
    note(texts.joined())
    for index in 0..<min(depot.anything.count, limit) { note(any(depot.anything[index])) }
    walk(depot.parts) { $0.key }
    for (key, value) in depot.notes { note(key + value) }
    for key in depot.notes.keys { note(depot.notes[key] ?? "none") }
    for (key, value) in depot.byName { note(key + (value?.key ?? "none")) }
    walk(depot.tags) { $0 }
    walk(depot.codes) { "\($0)" }
    walk(depot.liked) { $0.key }
    note(depot.place?.street ?? "none")
    walk(depot.places) { "\($0.street) \($0.code)" }
    if let part = depot.parts.first { walk(part.depots) { "\($0.id)" } }
    note(((try? depot.value(forKeyPath: "parts.@count")) as? Int) ?? -1)
    note(depot.description.count)
  }

  private func any(_ value: AnyRealmValue) -> String {
    if case .list(let list) = value {
      return list.map { any($0) }.joined()
        + "\((0..<min(list.count, limit)).map { list[$0] }.count)"
    }
    return "\(value)"
  }

  // MARK: Collections

  /// Reads a collection by iterating, by its indexes and through the algorithms of the standard
  /// library.
  private mutating func walk<C: RealmCollection>(_ all: C, _ text: (C.Element) -> String)
  where C.Index == Int {
    note(all.count)
    for element in all { note(text(element)) }
    let count = min(all.count, limit)
    for index in 0..<count { note(text(all[index])) }
    if let first = all.first { note(text(first)) }
    if let last = all.last { note(text(last)) }
    note(all.isEmpty)
    for element in all.prefix(3) { note(text(element)) }
    for element in all.dropFirst(count / 2).prefix(3) { note(text(element)) }
    if count > 1 {
      for element in all[1..<count] { note(text(element)) }
      for element in Array(all[0..<2]) { note(text(element)) }
    }
    if all.count <= limit {
      for element in all.reversed() { note(text(element)) }
      for element in all.suffix(2) { note(text(element)) }
      var copy: [C.Element] = []
      copy += all
      note(copy.count)
      note(Array(all.enumerated()).count)
      note(Set(all.lazy.map(text)).count)
    }
    let erased = AnyRealmCollection(all)
    for index in 0..<min(erased.count, 20) { note(text(erased[index])) }
    note(all.description.count)
  }

  private mutating func query(_ depots: Results<Depot>, _ realm: Realm) {
    walk(depots.where { $0.name == "depot 3" }) { "\($0.id)" }
    walk(depots.where { $0.size > 5 }) { "\($0.id)" }
    walk(depots.where { $0.city == "city 2" && $0.size > 3 }) { "\($0.id)" }
    walk(depots.sorted(byKeyPath: "since", ascending: false)) { "\($0.id)" }
    walk(depots.sorted(byKeyPath: "text")) { "\($0.id)" }
    walk(depots.distinct(by: ["city"])) { "\($0.id)" }
    walk(depots.where { $0.parts.weight > 3 }) { "\($0.id)" }
    walk(depots.where { $0.place.code == 7 }) { "\($0.id)" }
    walk(depots.where { $0.tags.contains("tag 2") }) { "\($0.id)" }
    for ranked in depots.search("quick fox", in: \.text) { note(ranked.object.id) }
    let events = realm.objects(DepotEvent.self)
    note(events.sum(of: \.number))
    note(events.max(of: \.number) ?? -1)
    note(events.where { $0.number > 300 && $0.number < 320 }.count)
    note(depots.average(of: \.size) ?? -1)
    if let depot = depots.last {
      walk(depot.numbers.where { $0 > 3 }) { "\($0)" }
      walk(depot.parts.sorted(byKeyPath: "key")) { $0.key }
    }
  }

  private mutating func sections(_ depots: Results<Depot>) {
    let sections = depots.sectioned(by: \.city)
    note(sections.count)
    for index in 0..<min(sections.count, limit) {
      let section = sections[index]
      note(section.key ?? "none")
      for item in 0..<min(section.count, limit) {
        note(section[item].id)
        note(sections[IndexPath(item: item, section: index)].id)
      }
      note(section.last?.id ?? -1)
      for element in section { note(element.id) }
    }
    note(sections.allKeys.count)
  }

  private mutating func others(_ depots: Results<Depot>, _ realm: Realm) {
    for depot in depots.prefix(10) {
      let view = DepotView(projecting: depot)
      note(view.name)
      for index in 0..<min(view.partKeys.count, limit) { note(view.partKeys[index]) }
      note(view.partKeys.first ?? "none")
    }
    note(((try? depots.value(forKey: "name")) ?? []).count)
    note("\((try? depots.value(forKeyPath: "@max.size")) as? Double ?? -1)")
    guard let dynamic = try? realm.dynamicObjects("Depot") else { return note("unknown") }
    for index in 0..<min(dynamic.count, limit) {
      note("\(dynamic[index]["name"] ?? "none")")
      note("\(dynamic[index]["size"] ?? "none")")
    }
  }
}
