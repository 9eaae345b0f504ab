import Foundation
import Logging
import VarveCore

/// The elements of a list, as a property of an object in an in-memory store.
final class CopiedList<Element: RealmCollectionValue>: Object, @unchecked Sendable {
  /// Only an object with a primary key is updated, together with the objects that it links to, and
  /// the list may contain a key twice.
  var id: Int {
    get { _$get(0) }
    set { _$set(0, newValue) }
  }
  var elements: List<Element> {
    get { _$get(1) }
    set { _$set(1, newValue) }
  }

  override class func _$properties() -> [PropertyDescriptor] {
    [
      _$prop("id", 0, \CopiedList.id, primaryKey: true),
      _$prop("elements", 1, \CopiedList.elements),
    ]
  }
}

extension RealmCollection {
  /// Returns the index of the first element that satisfies a condition, evaluated on a copy of the
  /// elements in a separate in-memory store, with all objects that they link to. Objects are copied
  /// one by one, because two of them may have the same key.
  ///
  /// - Complexity: O(n), with the creation of a store and one write for each object.
  func indexInManagedCopy(_ index: (List<Element>) throws -> Int?) throws -> Int? {
    var configuration = Realm.Configuration(inMemoryIdentifier: "varve.copy." + UUID().uuidString)
    configuration.objectTypes = [CopiedList<Element>.self]
    defer { try? Realm.close(configuration) }
    let realm = try Realm(configuration: configuration)
    func found(in elements: [Element]) throws -> Int? {
      let copy = try realm.write {
        realm.deleteAll()
        let content: [String: Any] = ["id": 0, "elements": elements]
        return realm.create(CopiedList<Element>.self, value: content, update: .all)
      }
      return try index(copy.elements)
    }
    guard Element.self is ObjectBase.Type else { return try found(in: Array(self)) }
    for (offset, element) in enumerated() where try found(in: [element]) != nil { return offset }
    return nil
  }

  /// Returns the index of the first element that satisfies a condition, without throwing. A failure
  /// of the store marks the running write transaction as failed or, outside a write, is logged. See
  /// ``indexInManagedCopy(_:)``.
  func loggedIndexInManagedCopy(_ index: (List<Element>) -> Int?) -> Int? {
    do {
      return try indexInManagedCopy(index)
    } catch {
      let failure = Failure(.fail, "An unmanaged collection could not be queried: \(error)")
      if Store.failWritesOfThread(failure) == nil {
        Logger(label: "varve").error("\(failure.message)")
      }
      return nil
    }
  }
}
