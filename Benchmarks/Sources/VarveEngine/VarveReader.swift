import BenchmarkKit
import Varve

/// Reads through a live view.
struct VarveReader: EngineReader {
  let realm: Realm

  func lookUp(ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      guard let person = realm.object(ofType: StoredPerson.self, forPrimaryKey: id) else {
        continue
      }
      checksum.add(name: person.name, age: person.age, score: person.score)
    }
    return checksum
  }

  func readAges() throws -> Checksum {
    var checksum = Checksum()
    for person in realm.objects(StoredPerson.self) { checksum.add(person.age) }
    return checksum
  }

  func readList(at indexes: [Int]) throws -> Checksum {
    var checksum = Checksum()
    guard let numbers = holder?.numbers else { return checksum }
    for index in indexes { checksum.add(numbers[index]) }
    return checksum
  }

  func readMap(keys: [String]) throws -> Checksum {
    var checksum = Checksum()
    guard let numbersByKey = holder?.numbersByKey else { return checksum }
    for key in keys {
      if let number = numbersByKey[key] { checksum.add(number) }
    }
    return checksum
  }

  private var holder: Holder? {
    realm.object(ofType: Holder.self, forPrimaryKey: 0)
  }
}
