import Foundation
import Testing
import Varve
import VarveTestSupport

/// Compares a query with a closure, for the query and its negation, inside and outside a write.
struct HolderCheck {
  let realm: Realm
  let holders: [QueryHolder]
  let items: [QueryItem]
  let comment: Comment

  func callAsFunction(
    _ condition: (Query<QueryHolder>) -> Query<Bool>, _ closure: (QueryHolder) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let all = realm.objects(QueryHolder.self)
    let expected = holders.filter(closure).map(\.number)
    let found = all.where(condition).map(\.number)
    #expect(found == expected, comment, sourceLocation: sourceLocation)
    let denied = all.where { !condition($0) }.map(\.number)
    #expect(
      denied == holders.filter { !closure($0) }.map(\.number), comment,
      sourceLocation: sourceLocation)
    try realm.write {
      let foundInWrite = all.where(condition).map(\.number)
      #expect(foundInWrite == expected, comment, sourceLocation: sourceLocation)
    }
  }
}

/// Runs a body with a store of random holders and items.
func withHolders(_ body: (HolderCheck) throws -> Void) throws {
  var random = SeededRandom()
  let comment: Comment = "\(random)"
  try withTemporaryRealm { realm, _ in
    let (holders, items) = try realm.write {
      let items = (0..<30).map { item(realm, $0, &random) }
      return ((0..<60).map { holder(realm, $0, items, &random) }, items)
    }
    try body(HolderCheck(realm: realm, holders: holders, items: items, comment: comment))
  }
}

private func item(_ realm: Realm, _ number: Int, _ random: inout SeededRandom) -> QueryItem {
  let item = QueryItem()
  item.number = number
  item.name = random.element(["", "a", "A", "ab", "b", "é", "É"]) ?? ""
  item.age = random.below(7)
  item.weight = random.chance(30) ? nil : Double(random.below(8)) / 2
  item.isGood = random.chance(50)
  item.parts.append(objectsIn: (0..<random.below(4)).map { _ in random.below(5) })
  realm.add(item)
  return item
}

private func holder(
  _ realm: Realm, _ number: Int, _ items: [QueryItem], _ random: inout SeededRandom
) -> QueryHolder {
  let holder = QueryHolder()
  holder.number = number
  holder.id = number % 7
  holder.name = random.element(["a", "ab", "B", "é"]) ?? ""
  let count = random.below(4)
  for index in 0..<count {
    holder.tags.append(random.element(["a", "ab", "b", "É"]) ?? "")
    holder.ratings.insert(Double(random.below(5)) / 2)
    holder.sizes[random.element(["k", "l", "m"]) ?? ""] = random.below(6)
    holder.items.append(items[random.below(items.count)])
    holder.itemSet.insert(items[random.below(items.count)])
    holder.itemMap["\(index)"] = .some(
      random.chance(30) ? nil : items[random.below(items.count)])
    holder.optionals.append(random.chance(40) ? nil : random.below(6))
    holder.dates.append(Date(timeIntervalSince1970: Double(random.below(5))))
    holder.decimals.append(Decimal128(random.below(5)))
    holder.mixedList.append(random.element([1, "a", 2.5, .none, true]) ?? .none)
  }
  holder.temperature = Celsius(degrees: Double(random.below(40)))
  holder.mixed =
    random.element([5, "ab", 2.5, .none, true, .data(Data([1, 2])), ["k": [1, 2]], [3, "a"]])
    ?? .none
  holder.favourite = random.chance(40) ? nil : items[random.below(items.count)]
  realm.add(holder)
  return holder
}
