import BenchmarkKit
import Foundation
import Varve

/// Reads through a live view.
struct VarveReader {
  let realm: Realm
}

extension VarveReader: PersonReader {
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
}

extension VarveReader {
  func readPerson(_ id: Int) throws -> Person? {
    realm.object(ofType: StoredPerson.self, forPrimaryKey: id).map {
      Person(id: $0.id, name: $0.name, age: $0.age, score: $0.score, created: $0.created)
    }
  }
}

extension VarveReader: NamedPersonReader {
  func lookUp(names: [String]) throws -> Checksum {
    var checksum = Checksum()
    for name in names {
      guard let person = realm.object(ofType: NamedPerson.self, forPrimaryKey: name) else {
        continue
      }
      checksum.add(name: person.name, age: person.age, score: person.score)
    }
    return checksum
  }
}

extension VarveReader: ListReader, MapReader {
  func readList(at indexes: [Int]) throws -> Checksum {
    var checksum = Checksum()
    guard let numbers = holder?.numbers else { return checksum }
    for index in indexes { checksum.add(next: numbers[index]) }
    return checksum
  }

  func readMap(keys: [String]) throws -> Checksum {
    var checksum = Checksum()
    guard let numbersByKey = holder?.numbersByKey else { return checksum }
    for key in keys {
      if let number = numbersByKey[key] { checksum.add(next: number) }
    }
    return checksum
  }

  func readWholeMap() throws -> Checksum {
    var checksum = Checksum()
    guard let numbersByKey = holder?.numbersByKey else { return checksum }
    for entry in numbersByKey { checksum.add(key: entry.key, value: entry.value) }
    return checksum
  }

  private var holder: Holder? {
    realm.object(ofType: Holder.self, forPrimaryKey: 0)
  }
}

extension VarveReader: BlobReader {
  func readBlobs(_ ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      guard let blob = realm.object(ofType: StoredBlob.self, forPrimaryKey: id) else { continue }
      checksum.add(blob: blob.content)
    }
    return checksum
  }

  func sumBlobs(_ ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      realm.object(ofType: StoredBlob.self, forPrimaryKey: id)?.withBytes(\.content) { bytes in
        bytes.withUnsafeBytes { checksum.add(allOf: $0) }
      }
    }
    return checksum
  }

  func readBlob(_ id: Int) throws -> Data? {
    realm.object(ofType: StoredBlob.self, forPrimaryKey: id)?.content
  }
}

/// Opens a view for each page, like each request of a web server.
struct VarvePageReader: PageReader {
  let configuration: Realm.Configuration

  func readPage(_ path: String) throws -> Data? {
    try Realm(configuration: configuration)
      .object(ofType: StoredPage.self, forPrimaryKey: path)?.content
  }
}
